// A number over time: ticks, marks, and the value where the pointer is.

const PLOT = { left: 60, right: 18, top: 18, bottom: 24, most: 768, least: 260 };

// Pixels that a drawing may be wide, so that its text is as large as all other text.
function plotWidth(most = PLOT.most) {
  const pane = document.querySelector(".panel");
  return Math.max(PLOT.least, Math.min(most, (pane ? pane.clientWidth : most) - 2));
}

function shortNumber(value) {
  if (typeof value !== "number") {
    return String(value);
  }
  const short = Number(value.toPrecision(6));
  return short !== 0 && Math.abs(short) < 1e-3 ? String(Number(value.toPrecision(4)).toExponential()) : String(short);
}

function withUnit(value, unit) {
  return shortNumber(value) + (unit ? " " + unit : "");
}

function rangeOf(values) {
  let [low, high] = [values[0], values[0]];
  for (const value of values) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return [low, high];
}

// Round numbers within a range: so many, or a few more.
function ticks(low, high, wanted) {
  const rough = (high - low) / wanted;
  const ten = 10 ** Math.floor(Math.log10(rough));
  const step = ten * [1, 2, 5, 10].find((times) => times * ten >= rough);
  const found = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + step * 1e-9; k += 1) {
    found.push(Number((k * step).toPrecision(12)));
  }
  return found;
}

// `what`: points, unit, xUnit, from, until, label, and marks: a function from x to lines.
function plot(what, width = plotWidth(), height = 150) {
  let [low, high] = rangeOf(what.points.map(([, value]) => value));
  const label = what.label + ": from " + withUnit(what.points[0][1], what.unit) + " to " +
    withUnit(what.points[what.points.length - 1][1], what.unit) + ", between " +
    shortNumber(low) + " and " + shortNumber(high);
  if (high - low <= 1e-12 * Math.max(Math.abs(low), Math.abs(high))) {
    const around = Math.abs(low) * 0.1 || 1; // what stays is drawn in the middle
    [low, high] = [low - around, high + around];
  }
  const x = across(what.from, what.until, width);
  const bottom = height - PLOT.bottom;
  const y = (value) => bottom - ((value - low) / (high - low)) * (bottom - PLOT.top);
  const line = what.points.map(([at, value]) => x(at).toFixed(1) + "," + y(value).toFixed(1)).join(" ");
  const node = svg("svg", { class: "curve", width, height, viewBox: "0 0 " + width + " " + height, role: "img",
    "aria-label": label },
  ticks(low, high, 3).map((value) => [
    svg("line", { class: "grid", x1: PLOT.left, x2: width - PLOT.right, y1: y(value), y2: y(value) }),
    tickText(PLOT.left - 6, y(value) + 4, shortNumber(value), "end")]).flat(),
  what.marks ? what.marks(x, PLOT.top, bottom) : null, svg("polyline", { points: line }),
  axis(what, x, width, height));
  node.append(pointed(node, what, x, y, width, bottom));
  return node;
}

function across(from, until, width) {
  const span = until > from ? until - from : 1;
  return (at) => PLOT.left + ((at - from) / span) * (width - PLOT.left - PLOT.right);
}

// Ticks along the bottom, the last with the unit.
function axis({ from, until, xUnit }, x, width, height) {
  const found = until > from ? ticks(from, until, Math.max(2, Math.floor(width / 100))) : [from];
  const last = found.length - 1;
  return found.map((at, k) => tickText(Math.min(x(at), width - 6), height - 7,
    k === last ? withUnit(at, xUnit) : shortNumber(at), x(at) > width - 36 ? "end" : "middle"));
}

function tickText(x, y, text, anchor) {
  return svg("text", { x: x.toFixed(1), y: y.toFixed(1), "text-anchor": anchor }, text);
}

// The point next to the pointer, with its value.
function pointed(node, what, x, y, width, bottom) {
  const dot = svg("circle", { r: 4 });
  const rule = svg("line", { y1: PLOT.top, y2: bottom });
  const said = svg("text", { y: 13 });
  node.addEventListener("pointermove", (event) => {
    const box = node.getBoundingClientRect();
    const at = ((event.clientX - box.left) / box.width) * width;
    const [s, value] = nearest(what.points, (point) => x(point[0]) - at);
    const set = (part, values) => Object.entries(values).forEach(([key, each]) => part.setAttribute(key, each));
    set(dot, { cx: x(s), cy: y(value) });
    set(rule, { x1: x(s), x2: x(s) });
    set(said, { x: x(s), "text-anchor": x(s) > width / 2 ? "end" : "start" });
    said.textContent = withUnit(value, what.unit) + " at " + (what.xName || "") + withUnit(s, what.xUnit);
  });
  return svg("g", { class: "here" }, rule, dot, said);
}

function nearest(points, distance) {
  return points.reduce((best, point) => (Math.abs(distance(point)) < Math.abs(distance(best)) ? point : best));
}
