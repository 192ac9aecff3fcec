// Subjects compared in pairs, scenario by scenario.

const pairLook = { first: null, second: null };
let keptComparisons = null;

async function comparePage(box) {
  const lead = el("header", { class: "lead" }, el("h2", null, "Compare"));
  box.replaceChildren(lead, quiet("Comparing \u2026"));
  let [found, pair] = [];
  try {
    keptComparisons = keptComparisons || loadComparisons();
    found = await keptComparisons;
    await counting.loaded;
    pair = found.pairs.length ? pairOf(found.pairs, pairLook.first, pairLook.second) || found.pairs[0] : null;
    if (pair && !pair.categories) {
      Object.assign(pair, await loadComparison(pair.first, pair.second));
    }
  } catch (error) {
    keptComparisons = null;
    box.replaceChildren(lead, el("p", { class: "warning" }, String(error.message)));
    return;
  }
  if (view.kind !== "compare") {
    return;
  }
  pair = pair && pair.first !== pairLook.first && pair.second === pairLook.first ? turned(pair) : pair;
  if (!found.pairs.length) {
    box.replaceChildren(lead, quiet("No two subjects have measured the same scenario."));
    return;
  }
  box.replaceChildren(lead, pairChoice(found.pairs, pair), ...pairBody(pair),
    found.pairs.length > 1 ? pairTable(found.pairs, pair) : "",
    el("details", { class: "note" }, el("summary", null, "How it is tested"), el("p", null, found.note.replace(/\*/g, ""))));
}

const pairOf = (pairs, a, b) => pairs.find((each) => (each.first === a && each.second === b) || (each.first === b && each.second === a));

// The same pair the other way round.
function turned(pair) {
  const swapped = (each) => ({ ...each, rates: [each.rates[1], each.rates[0]], difference: each.difference === null ? null : -each.difference,
    interval: each.interval && [-each.interval[1], -each.interval[0]], better: each.worse, worse: each.better });
  return { ...swapped(pair), first: pair.second, second: pair.first, better_in: pair.worse_in, worse_in: pair.better_in,
    teams: pair.teams.map(swapped), categories: pair.categories.map(swapped) };
}

function choosePair(first, second) {
  Object.assign(pairLook, { first, second });
  showView("compare");
}

// Two lists: of all subjects that share a scenario with another, and of those that share one with the first.
function pairChoice(pairs, pair) {
  const options = (ids, chosen) => ids.sort((a, b) => a - b).map((k) => el("option", { value: k, selected: k === chosen }, label(k)));
  const partners = (k) => pairs.filter((each) => each.first === k || each.second === k).map((each) => (each.first === k ? each.second : each.first));
  const all = [...new Set(pairs.flatMap((each) => [each.first, each.second]))];
  const first = el("select", { id: "pair-first", "aria-label": "First subject" }, options(all, pair.first));
  const second = el("select", { id: "pair-second", "aria-label": "Second subject" }, options(partners(pair.first), pair.second));
  first.addEventListener("change", () => {
    const [a, others] = [Number(first.value), partners(Number(first.value))];
    choosePair(a, others.includes(pair.second) ? pair.second : others[0]);
  });
  second.addEventListener("change", () => choosePair(pair.first, Number(second.value)));
  return el("p", { class: "pair" }, first, " against ", second);
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
  const teams = pair.teams.length > 1 ? pair.teams : [];
  const rows = [["all", pair, {}], ...teams.map((each) => [each.team, each, { team: each.team }]),
    ...pair.categories.map((each) => [each.category, each, { category: each.category }])].map(([name, each, links]) => el("tr",
    { class: links.category ? null : "strong" }, el("th", { scope: "row" }, words(name)), el("td", { class: "number" }, link(each.pairs, { pair: pair.first + ":" + pair.second, ...links })),
    [0, 1].map((k) => el("td", { class: "number" }, link(percent(each.rates[k]), { subject: k ? pair.second : pair.first, ...links }))),
    el("td", { class: "number" }, signedPoints(each.difference)), el("td", null, forest(each)),
    el("td", { class: "number" }, linked(pair, pair.worse_in, each.worse, links)), el("td", { class: "number" }, linked(pair, pair.better_in, each.better, links)),
    el("td", { class: "number" }, pText(each.p)), el("td", { class: "number" }, pText(each.holm))));
  const better = [pair.first, pair.second].map((k) => label(k) + " better");
  const table = el("table", { class: "compared" }, el("thead", null, el("tr", null, ["Category", "Scenarios", label(pair.first),
    label(pair.second), "Second \u2212 first", "95 %", ...better, "p", "p, Holm"].map((title) => el("th",
    { scope: "col", class: ["Category", "95 %"].includes(title) ? null : "number" }, title)))), el("tbody", null, rows));
  return [el("p", { class: "instruction" }, verdictOf(pair)), el("ul", { class: "verdicts" }, teams.map((each) =>
    el("li", null, "With " + each.team + ": " + verdictOf({ ...pair, ...each })))), foldedWarnings(pair.warnings),
    el("div", { class: "card" }, tableBox("compared", table, "wide plain"))].filter(Boolean);
}

// A count of scenarios; leads to what both subjects did in them.
function linked(pair, scenarios, count, links) {
  const both = { pair: pair.first + ":" + pair.second, ...links };
  return count ? link(count, () => ({ only: scenariosWith(both).filter((id) => scenarios.includes(id)), ...both })) : "0";
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

const MOST_PAIRS = 60;

function pairTable(pairs, chosen) {
  const shown = pairs.length > MOST_PAIRS ? pairs.filter((pair) => [pair.first, pair.second].some((k) => k === chosen.first)) : pairs;
  const table = el("table", { class: "pairs" }, el("thead", null, el("tr", null, ["First", "Second", "Scenarios", "Second \u2212 first", "p", "p, Holm", ""].map((title) =>
    el("th", { scope: "col", class: ["First", "Second", ""].includes(title) ? null : "number" }, title)))),
  el("tbody", null, shown.map((pair) => {
    const open = el("button", { type: "button" }, "open");
    open.addEventListener("click", () => choosePair(pair.first, pair.second));
    return el("tr", { class: pair === pairOf([pair], chosen.first, chosen.second) ? "strong" : null }, el("td", null, label(pair.first)), el("td", null, label(pair.second)), el("td", { class: "number" }, pair.pairs),
      el("td", { class: "number" }, signedPoints(pair.difference)), el("td", { class: "number" }, pText(pair.p)),
      el("td", { class: "number" }, pText(pair.holm)), el("td", null, open));
  })));
  return el("section", { class: "card" }, el("h3", null, shown === pairs ? "Every two subjects" : label(chosen.first) + " against every other"),
    tableBox("pairs", table, "wide plain"));
}
