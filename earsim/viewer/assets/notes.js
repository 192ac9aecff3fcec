// Notes and labels on episodes and decisions: written beside the run by the server, or, where there
// is none that may write, kept in this browser until they are saved as a file.

const noted = { base: [], all: [], agreement: { rows: [] }, pending: [], of: new Map(), problem: "" };
const entryOf = new WeakMap(); // of the data of an episode
const PENDING = "notes " + location.pathname;

async function readNotes() {
  takeNotes(await loadNotes());
  try {
    const found = JSON.parse(kept(PENDING) || "[]");
    noted.pending = Array.isArray(found) ? found.filter((each) => each && view.runs[each.run] && Array.isArray(each.labels)) : [];
  } catch {
    noted.pending = []; // something else wrote there
  }
  arrangeNotes();
}

function takeNotes(found) {
  Object.assign(noted, { base: found.annotations, agreement: found.agreement, problem: "" });
  arrangeNotes();
}

const sameNote = (a, b) => a.run === b.run && a.episode === b.episode && a.decision === b.decision && a.annotator === b.annotator;

function arrangeNotes() {
  noted.all = noted.base.filter((each) => !noted.pending.some((other) => sameNote(each, other)))
    .concat(noted.pending.filter((each) => !each.withdrawn));
  noted.of = new Map();
  for (const each of noted.all) {
    const key = each.run + "\n" + each.episode;
    noted.of.set(key, [...(noted.of.get(key) || []), each]);
  }
}

const notesOf = (entry) => (entry && noted.of.get(entry.run + "\n" + entry.episode)) || [];
const labelsOf = (entry) => [...new Set(notesOf(entry).flatMap((each) => each.labels))];

async function writeNote(note) {
  if (token) {
    takeNotes(await postNote(note));
  } else {
    noted.pending = [...noted.pending.filter((each) => !sameNote(each, note)), note];
    kept(PENDING, JSON.stringify(noted.pending));
    arrangeNotes();
  }
  drawList();
}

// -- in an episode --------------------------------------------------------------------------------

function notePanel(data, step) {
  const entry = entryOf.get(data);
  const who = el("input", { type: "text", value: kept("annotator") || "", placeholder: "Your name", "aria-label": "Your name", maxlength: 60 });
  who.addEventListener("input", () => kept("annotator", who.value));
  who.addEventListener("change", () => select(view.step));
  const known = [...new Set(noted.all.flatMap((each) => each.labels))].sort();
  return [
    el("div", { class: "pair annotator" }, el("label", null, "Annotated by ", who)), pendingNote(),
    step < 0 ? null : noteForm(entry, step, "Decision " + step, known), noteForm(entry, null, "The whole episode", known),
  ].filter(Boolean);
}

function noteForm(entry, decision, title, known) {
  const here = notesOf(entry).filter((each) => each.decision === decision);
  const name = (kept("annotator") || "").trim();
  const mine = here.find((each) => each.annotator === name) || { labels: [], note: "" };
  const labels = el("input", { type: "text", value: mine.labels.join(", "), placeholder: "Labels, separated by commas", "aria-label": title + ": labels",
    class: "labels", maxlength: 600 });
  const text = el("textarea", { rows: 3, placeholder: "Note", "aria-label": title + ": note", maxlength: 4000 }, mine.note);
  const said = el("p", { class: "warning", role: "alert", hidden: true });
  const given = () => [...new Set(labels.value.split(",").map((each) => each.trim()).filter(Boolean))];
  const send = async (withdrawn) => {
    const note = { run: entry.run, episode: entry.episode, decision, annotator: (kept("annotator") || "").trim(),
      labels: withdrawn ? [] : given(), note: withdrawn ? "" : text.value, withdrawn };
    said.hidden = Boolean(note.annotator);
    said.textContent = "Say who annotates first.";
    try {
      if (note.annotator) {
        await writeNote(note);
        view.panes.forEach((each) => each.again());
        select(view.step);
      }
    } catch (error) {
      said.hidden = false;
      said.textContent = String(error.message);
    }
  };
  const form = el("form", { class: "note-form" }, el("h4", null, title), el("div", { class: "pair" }, known.slice(0, 30).map((label) => {
    const button = el("button", { type: "button", class: "chip", "aria-pressed": String(mine.labels.includes(label)), title: "Give or take this label" }, label);
    button.addEventListener("click", () => {
      const now = given();
      labels.value = (now.includes(label) ? now.filter((each) => each !== label) : [...now, label]).join(", ");
      button.setAttribute("aria-pressed", String(given().includes(label)));
    });
    return button;
  })), labels, text, said, el("div", { class: "pair" }, el("button", { type: "submit" }, "Save"),
    here.includes(mine) ? act("Take back", () => send(true)) : null));
  form.addEventListener("submit", (event) => { event.preventDefault(); send(false); });
  text.addEventListener("keydown", (event) => event.key === "Enter" && (event.ctrlKey || event.metaKey) && send(false));
  return el("section", null, form, here.filter((each) => each !== mine).map((each) => el("blockquote", null,
    el("span", { class: "sub" }, each.annotator), tags(each.labels), el("span", { class: "said" }, each.note))));
}

const tags = (labels) => labels.map((label) => el("span", { class: "tag" }, label));

// A mark beside the number of a decision that somebody has annotated.
function noteMark(data, k) {
  const here = notesOf(entryOf.get(data)).filter((each) => each.decision === k);
  const title = here.map((each) => each.annotator + ": " + [each.labels.join(", "), each.note].filter(Boolean).join(" \u00b7 ")).join("\n");
  return here.length ? el("span", { class: "noted", title, "aria-label": "annotated" }, "\u270e") : null;
}

function pendingNote() {
  if (noted.problem) {
    return el("p", { class: "warning" }, noted.problem);
  }
  if (token || !noted.pending.length) {
    return token ? null : quiet("Nobody serves this page with a token: what you write stays in this browser until you save it.");
  }
  const runs = [...new Set(noted.pending.map((each) => each.run))];
  return el("p", { class: "warning" }, counted(noted.pending.length, "annotation") + " in this browser only. ", runs.map((run) =>
    act("Save annotations.jsonl" + (view.runs.length > 1 ? " of " + view.runs[run].name : ""), () => saveText("annotations.jsonl", "application/jsonl",
      noted.pending.filter((each) => each.run === run).map(({ run: _, ...each }) =>
        JSON.stringify({ schema: "earsim.annotation/1", ...each }) + "\n").join(""))))
  , " Then: ", el("code", null, "earsim annotations RUN --add annotations.jsonl"));
}

// -- the page of all of them ----------------------------------------------------------------------

function notesPage() {
  const lead = el("header", { class: "lead" }, el("h2", null, "Notes"), quiet(counted(noted.all.length, "annotation") + " on " +
    counted(noted.of.size, "episode")), pendingNote());
  if (!noted.all.length) {
    return [lead, quiet("Open an episode and press n to annotate a decision.")];
  }
  const labels = new Map();
  view.entries.forEach((entry) => labelsOf(entry).forEach((label) => labels.set(label, (labels.get(label) || 0) + 1)));
  const entries = new Map(view.entries.map((entry) => [entry.run + "\n" + entry.episode, entry]));
  const shown = noted.all.filter((each) => entries.has(each.run + "\n" + each.episode)).slice(0, MOST_HITS);
  return [lead, el("p", null, [...labels].sort((a, b) => b[1] - a[1]).map(([label, count]) =>
    el("span", { class: "mode" }, link(label + " " + count, { label })))),
  noted.agreement.rows.length ? el("section", { class: "card" }, el("h3", null, noted.agreement.title), reportTable(noted.agreement)) : null,
  el("div", { class: "hits" }, shown.map((each) => noteHit(entries.get(each.run + "\n" + each.episode), each)))].filter(Boolean);
}

function noteHit(entry, each) {
  return el("a", { class: "hit", href: "#" + new URLSearchParams({ run: entry.run, episode: entry.episode, step: each.decision === null ? 0 : each.decision, tab: "notes" }) },
    el("span", { class: "sub" }, [entry.scenario_id, runName(entry), each.decision === null ? "whole episode" : "decision " + each.decision, each.annotator]
      .filter(Boolean).join(" \u00b7 ")), tags(each.labels), el("span", { class: "said" }, each.note));
}

// A table of a report, its first columns words and the others numbers.
function reportTable(found, name = "table") {
  const cell = (tag, text, k) => el(tag, { class: k < found.texts ? null : "number", scope: tag === "th" ? "col" : null }, text);
  const table = el("table", null, el("thead", null, el("tr", null, found.head.map((text, k) => cell("th", text, k)))),
    el("tbody", null, found.rows.map((row) => el("tr", { class: row.strong ? "strong" : null }, row.cells.map((text, k) => cell("td", text, k))))));
  return el("div", null, tableBox(name, table, "wide plain"), found.note ? quiet(found.note) : null);
}

panel("notes", "Notes", notePanel);
