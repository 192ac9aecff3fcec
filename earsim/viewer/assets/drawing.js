// The floor plan, drawn by the code of `earsim show`: its shapes, and what moves between decisions.

const FRAMES_KEPT = 64; // every so many drawings one is kept, to go on from
const keptFrames = new WeakMap();
const COLOUR_NAME = /^[a-z0-9_-]+$/;

// Numbers of the shapes of a view after `step`; -1 is before the first decision.
function shapesAt(shown, step) {
  const kept = keptFrames.get(shown) || new Map();
  keptFrames.set(shown, kept);
  let from = Math.min(step + 1, shown.frames.length - 1);
  const until = from;
  while (from > 0 && !kept.has(from)) {
    from -= 1;
  }
  let numbers = kept.get(from) || shown.frames[0][2];
  for (let k = from + 1; k <= until; k += 1) {
    const [start, gone, come] = shown.frames[k];
    numbers = [...numbers.slice(0, start), ...come, ...numbers.slice(start + gone)];
    if (k % FRAMES_KEPT === 0 || k === until) {
      kept.set(k, numbers);
    }
  }
  if (kept.size > 4 * FRAMES_KEPT) {
    [...kept.keys()].filter((k) => k % FRAMES_KEPT).forEach((k) => kept.delete(k));
  }
  return numbers;
}

function drawnPlan(data, step, viewer, onPick) {
  const { shapes, size, said, views } = data.drawings;
  const shown = views.find((each) => each.viewer === viewer) || views[0];
  const numbers = shapesAt(shown, step);
  const parts = numbers.map((n) => shapes[n]);
  const words = said[shown.said[Math.min(step + 1, shown.said.length - 1)]];
  const drawn = parts.map((shape) => shapeNode(shape));
  const node = svg("svg", { class: "plan", viewBox: "0 0 " + size.join(" "), width: size[0], height: size[1],
    role: "img", "aria-label": words }, coloured(svg("rect", { width: size[0], height: size[1] }), "canvas"),
  drawn.filter((each, k) => parts[k][0] !== "t"),
  svg("g", { class: "letters" }, drawn.filter((each, k) => parts[k][0] === "t")));
  node.addEventListener("click", (event) => {
    const picked = event.target.closest("[data-id]");
    onPick(picked && node.contains(picked) ? picked.dataset.id : null);
  });
  return { node, moved: () => step >= 0 && animated(shapesAt(shown, step - 1).map((n) => shapes[n]), parts, drawn) };
}

function coloured(node, fill, stroke) {
  for (const [part, name] of [["fill", fill], ["stroke", stroke]]) {
    if (name && COLOUR_NAME.test(name)) {
      node.style[part] = "var(--plan-" + name + ")";
    }
  }
  return node;
}

function shapeNode(shape) {
  const [kind, ...of] = shape;
  if (kind === "r") {
    const [x, y, width, height, fill, stroke, thick, radius, about, hint] = of;
    const inset = stroke ? thick / 2 : 0; // an outline lies inside, and SVG centres it on the edge
    return coloured(svg("rect", { x: x + inset, y: y + inset, width: Math.max(0, width - 2 * inset),
      height: Math.max(0, height - 2 * inset), rx: radius ? Math.max(0, radius - inset) : null,
      "stroke-width": stroke ? thick : null, "data-id": about || null },
    hint ? svg("title", null, hint) : null), fill, stroke);
  }
  if (kind === "c") {
    const [cx, cy, r, fill, about, hint] = of;
    return coloured(svg("circle", { cx, cy, r, "data-id": about || null }, hint ? svg("title", null, hint) : null), fill);
  }
  if (kind === "l") {
    const [x1, y1, x2, y2, stroke, thick] = of;
    return coloured(svg("line", { x1, y1, x2, y2, "stroke-width": thick }), null, stroke);
  }
  const [x, y, text, size, fill, width, anchor] = of;
  return coloured(svg("text", { x, y, "font-size": size, "text-anchor": anchor === "start" ? null : anchor,
    textLength: width > 0 ? width : null, lengthAdjust: "spacingAndGlyphs" }, text), fill);
}

// What a shape is drawn for, by which it is found again elsewhere.
function shapeKey([kind, ...of]) {
  return kind === "r" ? of[8] && "r" + of[8] : kind === "c" ? of[4] && "c" + of[4] : kind === "t" ? "t" + of[2] : "";
}

function animated(before, after, drawn) {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) {
    return;
  }
  const places = onlyOnes(before);
  for (const [key, k] of onlyOnes(after)) {
    const was = places.has(key) ? before[places.get(key)] : null;
    const [dx, dy] = was ? [was[1] - after[k][1], was[2] - after[k][2]] : [0, 0];
    if (dx || dy) {
      drawn[k].animate([{ transform: "translate(" + dx + "px," + dy + "px)" }, { transform: "none" }],
        { duration: 350, easing: "ease-in-out" });
    } else if (!was) {
      drawn[k].animate([{ opacity: 0 }, { opacity: 1 }], { duration: 350 });
    }
  }
}

// Places of the keys that only one shape has.
function onlyOnes(shapes) {
  const found = new Map();
  const often = new Set();
  shapes.forEach((shape, k) => {
    const key = shapeKey(shape);
    if (key && found.has(key)) {
      often.add(key);
    } else if (key) {
      found.set(key, k);
    }
  });
  often.forEach((key) => found.delete(key));
  return found;
}
