// Subjects compared in pairs, scenario by scenario.

const pairLook = { first: null, second: null };
let keptComparisons = null;

async function comparePage(box) {
  const lead = el("header", { class: "lead" }, el("h2", null, "Compare"));
  box.replaceChildren(lead, quiet("Comparing \u2026"));
  let found;
  try {
    keptComparisons = keptComparisons || loadComparisons();
    found = await keptComparisons;
    await counting.loaded;
  } catch (error) {
    keptComparisons = null;
    box.replaceChildren(lead, el("p", { class: "warning" }, String(error.message)));
    return;
  }
  if (view.kind !== "compare") {
    return;
  }
  if (!found.pairs.length) {
    box.replaceChildren(lead, quiet("No two subjects have measured the same scenario."));
    return;
  }
  const pair = pairOf(found.pairs, pairLook.first, pairLook.second) || found.pairs[0];
  box.replaceChildren(lead, pairChoice(found.pairs, pair), ...pairBody(pair),
    found.pairs.length > 1 ? el("section", { class: "card" }, el("h3", null, "Every two subjects"), pairTable(found.pairs)) : "",
    el("details", { class: "note" }, el("summary", null, "How it is tested"), el("p", null, found.note.replace(/\*/g, ""))));
}

const pairOf = (pairs, a, b) => pairs.find((each) => (each.first === a && each.second === b) || (each.first === b && each.second === a));

function choosePair(pair) {
  Object.assign(pairLook, { first: pair.first, second: pair.second });
  showView("compare");
}

function pairChoice(pairs, pair) {
  const select = el("select", { id: "pair", "aria-label": "Two subjects" }, pairs.map((each, k) => el("option",
    { value: k, selected: each === pair }, label(each.first) + "  against  " + label(each.second))));
  select.addEventListener("change", () => choosePair(pairs[select.value]));
  return el("p", null, select);
}

const label = (k) => counting.subjects[k].label;

const signedPoints = (value) => (value === null ? "\u2013" : (value > 0 ? "+" : "") + (100 * value).toFixed(1));

const pText = (p) => (p === null ? "\u2013" : p < 0.001 ? "<0.001" : p.toFixed(3));

function verdictOf(pair) {
  const who = label(pair.difference > 0 ? pair.second : pair.first);
  if (pair.p === null || !pair.difference) {
    return "No difference on " + counted(pair.pairs, "scenario") + ".";
  }
  return who + " is better by " + Math.abs(100 * pair.difference).toFixed(1) + " points on " + counted(pair.pairs, "scenario") +
    " (p " + (pair.p < 0.001 ? "< 0.001" : "= " + pText(pair.p)) + ", " + pair.test + ")" + (pair.p < 0.05 ? "." : ": chance explains it too.");
}

function pairBody(pair) {
  const rows = [["all", pair], ...pair.categories.map((each) => [each.category, each])].map(([name, each]) => el("tr",
    { class: name === "all" ? "strong" : null }, el("th", { scope: "row" }, words(name)), el("td", { class: "number" }, each.pairs),
    [0, 1].map((k) => el("td", { class: "number" }, link(percent(each.rates[k]), { subject: k ? pair.second : pair.first,
      ...(name === "all" ? {} : { category: name }) }))),
    el("td", { class: "number" }, signedPoints(each.difference)), el("td", null, forest(each)),
    el("td", { class: "number" }, linked(pair.better_in, each.better, name)), el("td", { class: "number" }, linked(pair.worse_in, each.worse, name)),
    el("td", { class: "number" }, pText(each.p)), el("td", { class: "number" }, pText(each.holm))));
  const table = el("table", { class: "compared" }, el("thead", null, el("tr", null, ["Category", "Scenarios", label(pair.first),
    label(pair.second), "Difference", "95 %", "Better", "Worse", "p", "p, Holm"].map((title) => el("th",
    { scope: "col", class: ["Category", "95 %"].includes(title) ? null : "number" }, title)))), el("tbody", null, rows));
  return [el("p", { class: "instruction" }, verdictOf(pair)), foldedWarnings(pair.warnings),
    el("div", { class: "card wide" }, table, el("div", { class: "pair acts" },
      act("Save table", () => saveText("compared.csv", "text/csv", tableText(table)))))].filter(Boolean);
}

function linked(scenarios, count, name) {
  return count ? link(count, { only: scenarios, ...(name === "all" ? {} : { category: name }) }) : "0";
}

// The difference with its interval, around the line of no difference.
function forest({ difference, interval: ends }) {
  if (difference === null || !ends) {
    return null;
  }
  const x = (value) => (62 + value * 56).toFixed(1);
  return svg("svg", { class: "forest", width: 124, height: 16, viewBox: "0 0 124 16", "aria-hidden": "true" },
    svg("line", { class: "zero", x1: 62, x2: 62, y1: 0, y2: 16 }), svg("line", { x1: x(ends[0]), x2: x(ends[1]), y1: 8, y2: 8 }),
    svg("circle", { cx: x(difference), cy: 8, r: 4 }));
}

function pairTable(pairs) {
  return el("div", { class: "wide plain" }, el("table", null, el("thead", null, el("tr", null, ["First", "Second", "Scenarios", "Difference", "p", "p, Holm", ""].map((title) =>
    el("th", { scope: "col", class: ["First", "Second", ""].includes(title) ? null : "number" }, title)))),
  el("tbody", null, pairs.map((pair) => {
    const open = el("button", { type: "button" }, "open");
    open.addEventListener("click", () => choosePair(pair));
    return el("tr", null, el("td", null, label(pair.first)), el("td", null, label(pair.second)), el("td", { class: "number" }, pair.pairs),
      el("td", { class: "number" }, signedPoints(pair.difference)), el("td", { class: "number" }, pText(pair.p)),
      el("td", { class: "number" }, pText(pair.holm)), el("td", null, open));
  }))));
}
