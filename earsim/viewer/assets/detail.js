// One episode, or two side by side: facts, timeline, and what is known of one decision.

function pane(entry, data, runs, onSelect) {
  entryOf.set(data, entry);
  const shown = el("div", { class: "panel" });
  const lanes = timeline(data, onSelect);
  const halves = el("div", { class: data.agents.length > 2 ? "halves many" : "halves" }, lanes.node, shown);
  const node = el("article", { class: "pane" }, facts(entry, data, runs), halves);

  function show(step, key) {
    const here = Math.min(step, data.steps.length - 1);
    halves.classList.toggle("stacked", key === "map" && looks.large);
    const title = here < 0 ? "Before the first decision" : "Decision " + here;
    const { label, make, whole } = PANELS.find((each) => each.key === key);
    shown.replaceChildren(el("h3", null, label + (whole ? "" : " \u00b7 " + title)),
      ...[make(data, here)].flat());
    lanes.show(here); // rows are as high as the width that the panel leaves makes them
  }

  return { node, show, again: lanes.again, print: lanes.print, length: data.steps.length, data };
}

function facts(entry, data, runs) {
  const run = runs[entry.run];
  const row = data.row;
  const words = [
    run.name, entry.cell, entry.ruleset, entry.category, "seed " + entry.seed, "repeat " + entry.repeat,
    row.model, counted(entry.decisions, "decision"), "ended by " + entry.termination,
    row.claimed_done ? "claimed to be done" : "never claimed to be done",
    row.success_latched && !row.success_final ? "the goal held once, not at the end" : "",
  ];
  return el("header", null,
    el("h2", null, outcomeBadge(entry.outcome), " ", breakable(entry.scenario_id)),
    el("p", { class: "quiet" }, words.filter(Boolean).join(" \u00b7 ")),
    data.instruction ? el("p", { class: "instruction" }, data.instruction) : null,
    whyFailed(entry),
    row.error ? el("p", null, badge("bad", "error"), " ", row.error) : null,
    data.problem ? el("p", { class: "warning" }, "Shown from the record alone: " + data.problem + ".") : null,
    el("div", { class: "pair acts" }, act("Copy link", (button) => copyText(location.href, button)),
      act("Copy episode", (button) => copyText(transcript(entry, data), button), "Its decisions, as text"),
      act("Save episode", () => saveText(fileName(entry.episode, ".json"), "application/json", JSON.stringify(data, null, 1)), "As JSON")));
}

// Why two episodes of one scenario may not be compared; empty if they may.
function incomparable(a, b) {
  return [
    a.scenario_hash !== b.scenario_hash ? "the scenario changed between them" : "",
    a.ruleset !== b.ruleset ? "the rules differ" : "",
  ].filter(Boolean).join(", ");
}
