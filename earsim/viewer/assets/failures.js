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
    el("div", { class: "card" }, modeTable(modes, counts)), ...modes.map(([mode, doc]) => modeSection(mode, doc))];
}

const TOTAL = "failed"; // all modes together

function modeTable(modes, counts) {
  const sum = (values) => values.reduce((a, b) => a + b, 0);
  const all = { label: "All" };
  const count = (k, mode) => (mode === TOTAL ? sum([...counts[k].values()]) : counts[k].get(mode) || 0);
  const subjects = [...counting.subjects.map((subject, k) => ({ ...subject, k })), all];
  return crossTable("modes", subjects.length > MANY ? "Subject" : "Main mode", subjects, [...modes.map(([mode]) => mode), TOTAL], (s, mode) => {
    const value = s === all ? sum(counts.map((_, k) => count(k, mode))) : count(s.k, mode);
    const links = { ...(s === all ? {} : { subject: s.k }), ...(mode === TOTAL ? { verdict: "failure" } : { mode }) };
    return el("td", { class: s === all || mode === TOTAL ? "number strong" : "number" }, value ? link(value, links) : "0");
  });
}

function modeSection(mode, doc) {
  const found = view.entries.filter((entry) => { const count = countOf(entry); return count && count.modes[0] === mode; });
  return el("section", null, el("h3", null, words(mode), " ", link(found.length, { mode })), quiet(doc.split("\n\n")[0]),
    el("div", { class: "cards" }, found.slice(0, CARDS).map(failureCard)),
    found.length > CARDS ? el("p", null, link("all " + found.length, { mode })) : null);
}

function failureCard(entry) {
  const count = countOf(entry);
  const { subject, modes, refusals } = count;
  const first = (own(count.signs, modes[0]) || []).find(([step]) => step !== null);
  const reasons = Object.entries(refusals).sort((a, b) => b[1] - a[1]).slice(0, 3);
  const node = el("a", { class: "card", href: "#" + new URLSearchParams({ run: entry.run, episode: entry.episode, ...(first ? { step: first[0] } : {}) }) },
    el("strong", null, breakable(entry.scenario_id)), el("span", { class: "sub" }, [counting.subjects[subject].label, words(entry.category),
      counted(entry.decisions, "decision"), "ended by " + words(entry.termination)].join(" \u00b7 ")),
    signList(count, modes[0], (step) => el("strong", null, "decision " + step)),
    modes.length > 1 ? el("span", { class: "sub" }, "also " + modes.slice(1).map(words).join(", ")) : null,
    reasons.length ? el("span", { class: "sub" }, "refused: " + reasons.map(([reason, count]) => words(reason) + " " + count).join(", ")) : null);
  return node;
}
