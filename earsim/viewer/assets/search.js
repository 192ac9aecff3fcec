// A search in all that was said and answered: replies, thoughts, commands and refusals.

const KINDS = ["reply", "thought", "command", "refusal", "note"];
const MOST_HITS = 500;
const sought = { text: "", kinds: new Set(KINDS), turn: 0 };

function searchPage() {
  const input = el("input", { type: "search", id: "sought", value: sought.text, "aria-label": "Search in everything that was said",
    placeholder: "Words, in replies, thoughts, commands, refusals and notes" });
  const hits = el("div", { class: "hits" });
  const told = el("p", { class: "quiet", role: "status" });
  const again = () => { sought.text = input.value; remember(); seek(told, hits); };
  const kinds = KINDS.map((kind) => {
    const box = el("input", { type: "checkbox", checked: sought.kinds.has(kind) });
    box.addEventListener("change", () => { sought.kinds[box.checked ? "add" : "delete"](kind); again(); });
    return el("label", null, box, " " + { reply: "replies", thought: "thoughts", command: "commands", refusal: "refusals", note: "notes" }[kind]);
  });
  let waiting = 0;
  input.addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(again, 200); });
  if (sought.text) {
    seek(told, hits);
  }
  return [el("header", { class: "lead" }, el("h2", null, "Search"), input, el("div", { class: "pair" }, kinds)), told, hits];
}

async function seek(told, hits) {
  const turn = ++sought.turn;
  const wanted = sought.text.toLowerCase().split(/\s+/).filter(Boolean);
  hits.replaceChildren();
  told.textContent = "";
  if (!wanted.length) {
    return;
  }
  const entries = new Map(view.entries.map((entry) => [entry.run + "\n" + entry.episode, entry]));
  let [found, looked] = [0, 0];
  for (let run = 0; run < view.runs.length; run += 1) {
    for await (const part of textsOf(run)) {
      if (turn !== sought.turn || view.kind !== "search") {
        return; // something else is looked for by now
      }
      for (const [id, texts] of part) {
        const entry = entries.get(run + "\n" + id);
        const here = entry ? [...texts, ...notesOf(entry).map(noteSaid)].filter(([kind, , , text]) => sought.kinds.has(kind) && hasWords(text, wanted)) : [];
        here.slice(0, Math.max(0, MOST_HITS - found)).forEach((each) => hits.append(hit(entry, each, wanted)));
        found += here.length;
        looked += 1;
      }
      told.textContent = counted(found, "hit") + " in " + counted(looked, "episode") +
        (found > MOST_HITS ? "; the first " + MOST_HITS + " are shown" : "");
    }
  }
}

const noteSaid = ({ decision, annotator, labels, note }) => ["note", decision, annotator, [...labels, note].filter(Boolean).join(" \u00b7 ")];

function hasWords(text, wanted) {
  const low = text.toLowerCase();
  return wanted.every((word) => low.includes(word));
}

function hit(entry, [kind, decision, agent, text], wanted) {
  const node = el("a", { class: "hit", href: "#" + new URLSearchParams({ run: entry.run, episode: entry.episode, step: decision || 0,
    tab: kind === "note" ? "notes" : kind === "reply" || kind === "thought" ? "calls" : "map" }) },
  el("span", { class: "sub" }, [kind, entry.scenario_id, runName(entry), decision === null ? "whole episode" : "decision " + decision, agent].filter(Boolean).join(" \u00b7 ")),
  el("code", null, excerpt(text, wanted)));
  return node;
}

// The neighbourhood of the first word, with every word marked.
function excerpt(text, wanted) {
  const low = text.toLowerCase();
  const begin = Math.max(0, low.indexOf(wanted[0]) - 80);
  const shown = text.slice(begin, begin + 260);
  const parts = [begin ? "\u2026" : ""];
  let at = 0;
  while (at < shown.length) {
    const places = wanted.map((word) => [shown.toLowerCase().indexOf(word, at), word]).filter(([place]) => place >= 0);
    if (!places.length) {
      break;
    }
    const [place, word] = places.reduce((best, each) => (each[0] < best[0] ? each : best));
    parts.push(shown.slice(at, place), el("mark", null, shown.slice(place, place + word.length)));
    at = place + word.length;
  }
  return [...parts, shown.slice(at), begin + 260 < text.length ? "\u2026" : ""];
}
