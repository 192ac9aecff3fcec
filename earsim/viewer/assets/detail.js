// One episode, or two side by side: facts, timeline, and what is known of one decision.

function pane(entry, data, runs, onSelect) {
  const shown = el("div", { class: "panel" });
  const lanes = timeline(data, onSelect);
  const node = el("article", { class: "pane" }, facts(entry, data, runs),
    el("div", { class: data.agents.length > 2 ? "halves many" : "halves" }, lanes.node, shown));

  function show(step, key) {
    const here = Math.min(step, data.steps.length - 1);
    lanes.show(here);
    const title = here < 0 ? "Before the first decision" : "Decision " + here;
    const { label, make, whole } = PANELS.find((each) => each.key === key);
    shown.replaceChildren(el("h3", null, label + (whole ? "" : " \u00b7 " + title)),
      ...[make(data, here)].flat());
  }

  return { node, show, length: data.steps.length, data };
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
    whyFailed(entry),
    row.error ? el("p", null, badge("bad", "error"), " ", row.error) : null,
    data.problem ? el("p", { class: "warning" }, "Shown from the record alone: " + data.problem + ".") : null,
    el("div", { class: "pair acts" }, act("Copy link", (button) => copyText(location.href, button)),
      act("Save episode", () => saveText(fileName(entry.episode, ".json"), "application/json", JSON.stringify(data, null, 1)))));
}

// Why two episodes of one scenario may not be compared; empty if they may.
function incomparable(a, b) {
  return [
    a.scenario_hash !== b.scenario_hash ? "the scenario changed between them" : "",
    a.ruleset !== b.ruleset ? "the rules differ" : "",
  ].filter(Boolean).join(", ");
}
