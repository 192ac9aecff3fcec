// One episode, or two side by side: facts, timeline, and what is known of one decision.

const TABS = [
  ["map", "Map", (data, step) => places(data, step)],
  ["told", "Observation", (data, step) => observations(data, step)],
  ["calls", "Model calls", (data, step) => calls(data, step)],
  ["plan", "Plan", (data) => planBeside(data)],
  ["numbers", "Numbers", (data, step) => numbers(data, step)],
  ["memory", "Memory", (data, step) => memory(data, step)],
  ["science", "Science", (data) => science(data)],
];

function pane(entry, data, runs, onSelect) {
  const panel = el("div", { class: "panel" });
  const lanes = timeline(data, onSelect);
  const node = el("article", { class: "pane" }, facts(entry, data, runs), lanes, panel);

  function show(step, tab) {
    const here = Math.min(step, data.steps.length - 1);
    for (const row of lanes.querySelectorAll("tr[data-step]")) {
      const current = Number(row.dataset.step) === here;
      row.setAttribute("aria-current", current ? "step" : "false");
      if (current) {
        reveal(lanes, row);
      }
    }
    const title = here < 0 ? "Before the first decision" : "Decision " + here;
    const [, label, make] = TABS.find(([key]) => key === tab);
    panel.replaceChildren(el("h3", null, label + (tab === "plan" || tab === "science" ? "" : " \u00b7 " + title)),
      ...[make(data, here)].flat());
  }

  return { node, show, length: data.steps.length };
}

// Scrolls the timeline alone: the rest of the page stays where the reader has it.
function reveal(box, row) {
  const head = box.querySelector("thead").offsetHeight;
  const top = row.offsetTop - head;
  const below = row.offsetTop + row.offsetHeight - box.clientHeight;
  box.scrollTop = Math.max(Math.min(box.scrollTop, top), Math.min(below, top));
}

function facts(entry, data, runs) {
  const run = runs[entry.run];
  const row = data.row;
  const words = [
    run.name, entry.cell, entry.ruleset, entry.category, "seed " + entry.seed, "repeat " + entry.repeat,
    row.model, entry.decisions + " decisions", "ended by " + entry.termination,
    row.claimed_done ? "claimed to be done" : "never claimed to be done",
    row.success_latched && !row.success_final ? "the goal held once, not at the end" : "",
  ];
  return el("header", null,
    el("h2", null, outcomeBadge(entry.outcome), " ", entry.scenario_id),
    el("p", { class: "quiet" }, words.filter(Boolean).join(" \u00b7 ")),
    data.instruction ? el("p", { class: "instruction" }, data.instruction) : null,
    row.error ? el("p", null, badge("bad", "error"), " ", row.error) : null,
    data.problem ? el("p", { class: "warning" }, "Shown from the record alone: " + data.problem + ".") : null);
}

// Why two episodes of one scenario may not be compared; empty if they may.
function incomparable(a, b) {
  return [
    a.scenario_hash !== b.scenario_hash ? "the scenario changed between them" : "",
    a.ruleset !== b.ruleset ? "the rules differ" : "",
  ].filter(Boolean).join(", ");
}
