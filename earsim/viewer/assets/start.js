// The start page: every subject as a row, its success by category, and how failures are shared out.

const startLook = { search: "", sort: "label", down: false };

const START_COLUMNS = [
  ["label", "Subject", (s) => s.label], ["policy", "Policy", (s) => s.policy], ["model", "Model", (s) => s.model],
  ["suite", "Suite", (s) => s.suite], ["success", "Success, 95 %", (s) => s.numbers.success[0]],
  ["coverage", "Measured", (s) => s.numbers.coverage[0]], ["steps", "Decisions", (s) => s.numbers["steps.success"][0]],
  ["tokens", "Tokens", (s) => s.numbers["tokens.total"][0]], ["cost", "Cost", (s) => s.numbers.cost[0]],
  ["seconds", "Time", (s) => s.seconds],
];
const NAMED_COLUMNS = ["policy", "model", "suite"]; // where they have no room they stand under the label
const START_HINTS = { steps: "mean over successes", tokens: "mean of an episode", cost: "mean of an episode", seconds: "mean of an episode" };

function startPage() {
  const intro = el("header", { class: "lead" }, el("h2", null, "Runs"), el("p", { class: "quiet" },
    [counted(view.runs.length, "run"), counting.ready ? counted(counting.subjects.length, "subject") : "",
      counted(view.entries.length, "episode")].filter(Boolean).join(" \u00b7 ")));
  if (!counting.ready) {
    return [intro, counting.problem ? el("p", { class: "warning" }, counting.problem) : quiet("Counting \u2026")];
  }
  const subjects = startRows();
  const search = el("input", { type: "search", placeholder: "Filter policy, model, suite", "aria-label": "Filter subjects",
    value: startLook.search, class: "inline" });
  const body = el("div");
  const fill = () => body.replaceChildren(...startBody(startRows()));
  search.addEventListener("input", () => { startLook.search = search.value; fill(); });
  body.replaceChildren(...startBody(subjects));
  return [intro, foldedWarnings(counting.warnings), counting.subjects.length > 3 ? search : null, body].filter(Boolean);
}

const counted = (count, word) => count + " " + word + (count === 1 ? "" : "s");

function startRows() {
  const wanted = startLook.search.toLowerCase().split(/\s+/).filter(Boolean);
  const value = START_COLUMNS.find(([key]) => key === startLook.sort)[2];
  const sign = startLook.down ? -1 : 1;
  return counting.subjects.map((subject, k) => ({ ...subject, k })).filter((subject) => {
    const text = [subject.label, subject.policy, subject.model, subject.suite, view.runs[subject.run].name].join("\n").toLowerCase();
    return wanted.every((word) => text.includes(word));
  }).sort((a, b) => sign * compared(value(a), value(b)) || a.k - b.k);
}

function startBody(subjects) {
  return [
    el("div", { class: "card" }, subjectTable(subjects)),
    el("div", { class: "columns" },
      el("section", { class: subjects.length > 2 ? "card whole" : "card" }, el("h3", null, "Success by category"), categoryTable(subjects)),
      el("section", { class: "card" }, el("h3", null, "Why episodes failed"), failureBars(subjects)),
      tokenPlot(subjects)),
  ];
}

function subjectTable(subjects) {
  const shown = START_COLUMNS.filter(([key, , value]) => ["label", "success", "coverage"].includes(key) ||
    (counting.subjects.some((s) => value(s) !== null && value(s) !== "") && (key !== "policy" || counting.subjects.some((s) => s.model))));
  const table = el("table", { class: "subjects" }, el("thead", null, el("tr", null, shown.map(([key, title]) => {
    const button = el("button", { type: "button", title: START_HINTS[key] || null }, title,
      startLook.sort === key ? (startLook.down ? " \u2193" : " \u2191") : "");
    button.addEventListener("click", () => {
      startLook.down = startLook.sort === key && !startLook.down;
      startLook.sort = key;
      showStart();
    });
    return el("th", { scope: "col", class: NAMED_COLUMNS.includes(key) ? "named" : ["label", "success"].includes(key) ? null : "number",
      "aria-sort": startLook.sort === key ? (startLook.down ? "descending" : "ascending") : null }, button);
  }))), el("tbody", null, subjects.map((subject) => el("tr", null, shown.map(([key]) => subjectCell(subject, key))))));
  return tableBox("runs", table, "wide plain");
}

function subjectCell(subject, key) {
  const { k, numbers } = subject;
  const number = (value, text, sort, links = {}) => el("td", { class: "number" }, value === null ? "\u2013"
    : link(text, { subject: k, ...links }, "Show these episodes, those with most first", { sort, descending: true }));
  switch (key) {
    case "label": return el("th", { scope: "row" }, link(subject.label, { subject: k }),
      el("span", { class: "sub" }, [...new Set([subject.policy, subject.model, subject.suite, view.runs[subject.run].name, subject.rules])]
        .filter((part) => part && part !== subject.label).join(" \u00b7 ")));
    case "success": return el("td", { class: "rated" }, link(percent(numbers.success[0]), { subject: k, verdict: "success" }),
      rateBar(numbers.success), el("span", { class: "quiet" }, interval(numbers.success)));
    case "coverage": return el("td", { class: "number" }, coverage(subject));
    case "steps": return number(numbers["steps.success"][0], (numbers["steps.success"][0] || 0).toFixed(1), "decisions", { verdict: "success" });
    case "tokens": return number(numbers["tokens.total"][0], Math.round(numbers["tokens.total"][0]).toLocaleString("en"), "decisions");
    case "cost": return number(numbers.cost[0], numbers.cost[0] === null ? "" : shortNumber(Number(numbers.cost[0].toPrecision(3))), "decisions");
    case "seconds": return number(subject.seconds, duration(subject.seconds), "wall_ms");
    default: return el("td", { class: "named" }, subject[key] || "\u2013");
  }
}

function coverage(subject) {
  const lost = subject.episodes.filter(([, verdict]) => verdict === "no_measurement").length;
  const done = subject.planned - subject.missing;
  return [link(done - lost + "/" + subject.planned, { subject: subject.k }),
    lost ? [" ", link(lost + " lost", { subject: subject.k, verdict: "no_measurement" })] : null,
    subject.missing ? el("progress", { max: subject.planned, value: done, title: subject.missing + " not played yet" }) : null].flat();
}

const MANY = 8; // so many subjects stand in columns; more of them in rows

// A table of subjects against something else, whichever reads better.
function crossTable(kind, corner, subjects, names, cell) {
  const [across, down] = subjects.length > MANY ? [names, subjects] : [subjects, names];
  const title = (each) => (each.label === undefined ? words(each) : each.label);
  const at = (a, b) => (subjects.length > MANY ? cell(b, a) : cell(a, b));
  return tableBox(kind, el("table", { class: kind }, el("thead", null, el("tr", null, el("th", { scope: "col" }, corner),
    across.map((each) => el("th", { scope: "col", class: kind === "modes" ? "number" : null }, title(each))))),
  el("tbody", null, down.map((each) => el("tr", null, el("th", { scope: "row" }, title(each)), across.map((other) => at(other, each)))))), "wide plain");
}

function categoryTable(subjects) {
  const names = [...new Set(subjects.flatMap((s) => s.categories.map(([name]) => name)))];
  return crossTable("categories", subjects.length > MANY ? "Subject" : "Category", subjects, names, (s, name) => {
    const found = s.categories.find(([category]) => category === name);
    return el("td", { class: "rated" }, found && found[2][0] !== null ? [
      link(percent(found[2][0], 0), { subject: s.k, category: name }, found[1] + " episodes, 95 %: " + interval(found[2])),
      rateBar(found[2], 68)] : el("span", { class: "quiet" }, "\u2013"));
  });
}

function failureBars(subjects) {
  const rows = subjects.map((s) => {
    const counts = modeCounts(s);
    const total = [...counts.values()].reduce((a, b) => a + b, 0);
    return el("tr", null, el("th", { scope: "row" }, s.label), el("td", null, link(total, { subject: s.k, verdict: "failure" })),
      el("td", null, [...counts].sort((a, b) => b[1] - a[1]).slice(0, 3).map(([mode, count]) =>
        el("span", { class: "mode" }, link(words(mode) + " " + count, { subject: s.k, mode })))));
  });
  return el("div", null, tableBox("failures", el("table", null, el("thead", null, el("tr", null,
    ["Subject", "Failed", "Main modes"].map((title) => el("th", { scope: "col" }, title)))), el("tbody", null, rows)), "wide plain"),
  el("p", null, el("a", { href: "#view=failures" }, "All failure modes")));
}

// Main modes of the failures of a subject; every failure has one.
function modeCounts(subject) {
  const counts = new Map();
  for (const [, verdict, modes] of subject.episodes) {
    if (verdict === "failure") {
      counts.set(modes[0], (counts.get(modes[0]) || 0) + 1);
    }
  }
  return counts;
}

function tokenPlot(subjects) {
  const points = subjects.filter((s) => s.numbers["tokens.total"][0] !== null && s.numbers.success[0] !== null);
  if (points.length < 2) {
    return null;
  }
  const [width, height] = [440, 230];
  const most = Math.max(...points.map((s) => s.numbers["tokens.total"][0])) * 1.1;
  const x = (value) => 44 + (value / most) * (width - 64);
  const y = (share) => height - 28 - share * (height - 48);
  const drawing = svg("svg", { class: "curve scatter", width, height, viewBox: "0 0 " + width + " " + height, role: "img",
    "aria-label": "Success against tokens of an episode; the table has the numbers" },
  [0, 0.5, 1].map((share) => [svg("line", { class: "grid", x1: 44, x2: width - 20, y1: y(share), y2: y(share) }),
    tickText(38, y(share) + 4, 100 * share + " %", "end")]).flat(),
  ticks(0, most, 4).map((value) => tickText(x(value), height - 8, value.toLocaleString("en"), "middle")),
  points.map((s, i) => {
    const [value, , low, high] = s.numbers.success;
    const at = x(s.numbers["tokens.total"][0]);
    return svg("g", { class: "agent-" + (i % 4) }, low === null ? null : svg("line", { class: "bar", x1: at, x2: at, y1: y(low), y2: y(high) }),
      svg("circle", { cx: at, cy: y(value), r: 5 }), tickText(at + 8, y(value) - 7, s.label, at > width * 0.6 ? "end" : "start"));
  }));
  return el("section", { class: "card" }, el("h3", null, "Success against tokens"), figure("success-tokens", drawing));
}
