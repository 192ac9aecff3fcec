// Failures by mode: a table whose columns add up, and episodes of every mode.

const CARDS = 6;

function failuresPage() {
  const lead = el("header", { class: "lead" }, el("h2", null, "Failures"));
  if (!counting.ready) {
    return [lead, counting.problem ? el("p", { class: "warning" }, counting.problem) : quiet("Counting \u2026")];
  }
  const counts = counting.subjects.map(modeCounts);
  const modes = counting.modes.filter(([mode]) => counts.some((each) => each.has(mode)));
  if (!modes.length) {
    return [lead, quiet("No episode failed.")];
  }
  return [lead, quiet("Each failure counts once, under the first mode whose rule fits."),
    el("div", { class: "card wide" }, modeTable(modes, counts)), ...modes.map(([mode, doc]) => modeSection(mode, doc))];
}

function modeTable(modes, counts) {
  const sum = (values) => values.reduce((a, b) => a + b, 0);
  const row = (title, values, links, kind) => el("tr", { class: kind || null }, el("th", { scope: "row" }, title),
    values.map((value, k) => el("td", { class: "number" }, value ? link(value, links(k)) : "0")),
    el("td", { class: "number" }, sum(values)));
  const rows = modes.map(([mode]) => row(words(mode), counts.map((each) => each.get(mode) || 0), (k) => ({ subject: k, mode })));
  const totals = counts.map((each) => sum([...each.values()]));
  return el("table", { class: "modes" }, el("thead", null, el("tr", null, el("th", { scope: "col" }, "Main mode"),
    counting.subjects.map((s) => el("th", { scope: "col", class: "number" }, s.label)), el("th", { scope: "col", class: "number" }, "All"))),
  el("tbody", null, rows, row("failed", totals, (k) => ({ subject: k, verdict: "failure" }), "strong")));
}

function modeSection(mode, doc) {
  const found = view.entries.filter((entry) => { const count = countOf(entry); return count && count.modes[0] === mode; });
  return el("section", null, el("h3", null, words(mode), " ", link(found.length, { mode })), quiet(doc.split("\n\n")[0]),
    el("div", { class: "cards" }, found.slice(0, CARDS).map(failureCard)),
    found.length > CARDS ? el("p", null, link("all " + found.length, { mode })) : null);
}

function failureCard(entry) {
  const { subject, modes, refusals } = countOf(entry);
  const reasons = Object.entries(refusals).sort((a, b) => b[1] - a[1]).slice(0, 3);
  const node = el("a", { class: "card", href: "#" + new URLSearchParams({ run: entry.run, episode: entry.episode }) },
    el("strong", null, entry.scenario_id), el("span", { class: "sub" }, [counting.subjects[subject].label, words(entry.category),
      counted(entry.decisions, "decision"), "ended by " + words(entry.termination)].join(" \u00b7 ")),
    modes.length > 1 ? el("span", { class: "sub" }, "also " + modes.slice(1).map(words).join(", ")) : null,
    reasons.length ? el("span", { class: "sub" }, "refused: " + reasons.map(([reason, count]) => words(reason) + " " + count).join(", ")) : null);
  return node;
}
