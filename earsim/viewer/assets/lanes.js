// The timeline: a row for every decision, a lane for every agent.

function timeline(data, onSelect) {
  const lanes = data.agents;
  const head = el("tr", null, el("th", { scope: "col" }, "#"),
    lanes.map((agent, i) => el("th", { scope: "col", class: "agent-" + (i % 4) }, named(data, agent))),
    el("th", { scope: "col" }, "World"));
  const body = el("tbody", null, data.steps.map((step, k) => {
    const button = el("button", { type: "button", "aria-label": "Decision " + k }, k);
    const row = el("tr", { "data-step": k }, el("th", { scope: "row" }, button),
      decisionCells(data, step, k), el("td", null, worldChanges(data, k)));
    row.addEventListener("click", () => onSelect(k));
    return row;
  }));
  return el("div", { class: "wide" }, el("table", { class: "lanes" }, el("thead", null, head), body));
}

function decisionCells(data, step, k) {
  if (step.commands === null) {
    const span = Math.max(1, data.agents.length);
    return [el("td", { colspan: span }, badge("bad", "reply could not be read"))];
  }
  return data.agents.map((agent) => el("td", null, laneCell(data, step, k, agent)));
}

function laneCell(data, step, k, agent) {
  const outcome = step.outcomes.find((each) => each.agent === agent);
  const command = own(step.commands, agent);
  const partners = own((data.moments[k] || {}).together, agent);
  return [
    command === undefined ? null : el("code", { class: "command" }, command),
    outcome && command === undefined ? el("code", { class: "command quiet" }, outcome.command) : null,
    partners ? badge("joint", "together: " + partners.map((id) => nameOf(data, id)).join(", ")) : null,
    outcome ? outcomeParts(outcome) : null,
    changesOf(data, k, agent),
    holding(data, k, agent),
  ].flat();
}

function outcomeParts(outcome) {
  const refused = outcome.reason !== null;
  return [
    badge(refused ? "bad" : "good", refused ? outcome.reason : "ok"),
    outcome.message ? el("span", { class: "message" }, outcome.message) : null,
  ];
}

function changesOf(data, k, agent) {
  const moment = data.moments[k];
  const found = moment ? moment.changes.filter((change) => change.agent === agent) : [];
  return found.length ? el("ul", { class: "changes" }, found.map((change) =>
    el("li", { class: change.kind }, change.text))) : null;
}

function worldChanges(data, k) {
  const moment = data.moments[k];
  if (!moment) {
    return null;
  }
  const before = k > 0 && data.moments[k - 1].holds;
  return [
    moment.holds && !before ? badge("good", "the goal holds") : null,
    !moment.holds && before ? badge("bad", "the goal no longer holds") : null,
    changesOf(data, k, null),
  ];
}

function holding(data, k, agent) {
  const world = worldAfter(data, k);
  const state = world && own(world.agents, agent);
  if (!state) {
    return null;
  }
  const held = state.hands.concat(state.carrying && !state.hands.includes(state.carrying)
    ? [state.carrying] : []);
  const words = [
    "in " + nameOf(data, state.room),
    held.length ? "holds " + held.map((id) => nameOf(data, id)).join(", ") : "",
    state.abilities.length ? "can " + state.abilities.join(", ") : "",
  ];
  return el("span", { class: "holding" }, words.filter(Boolean).join(" \u00b7 "));
}
