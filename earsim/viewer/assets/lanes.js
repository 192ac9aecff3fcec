// The timeline: a row for every decision, a lane for every agent.

function timeline(data, onSelect) {
  const lanes = data.agents;
  const columns = Math.max(1, lanes.length) + 2;
  const head = el("tr", null, el("th", { scope: "col", class: "step" }, "#"),
    lanes.map((agent, i) => el("th", { scope: "col", class: "agent-" + (i % 4) }, named(data, agent))),
    lanes.length ? null : el("th", { scope: "col" }, "Commands"),
    el("th", { scope: "col" }, "World"));
  const body = el("tbody");
  const node = el("div", { class: "wide lanes-box", tabindex: "0", role: "region", "aria-label": "Timeline" },
    el("table", { class: "lanes lanes-" + Math.min(lanes.length, 4) }, el("thead", null, head), body));
  let current = -1;
  const signed = signedSteps(entryOf.get(data));
  const rows = virtualRows(node, body, data.steps.length, columns, (k) => {
    const button = el("button", { type: "button", "aria-label": "Decision " + k }, k);
    const row = el("tr", { "data-step": k, class: signed.has(k) ? "signed" : null, title: signed.has(k) ? "The failure mode rests on this" : null, "aria-current": k === current ? "step" : "false" },
      el("th", { scope: "row" }, button, noteMark(data, k)), decisionCells(data, data.steps[k], k),
      el("td", { class: "world" }, worldChanges(data, k)));
    row.addEventListener("click", () => onSelect(k));
    return row;
  });
  function show(step) {
    const before = rows.row(current);
    if (before) {
      before.setAttribute("aria-current", "false");
    }
    current = step;
    rows.reveal(step);
    if (rows.row(step)) {
      rows.row(step).setAttribute("aria-current", "step");
      rows.reveal(step); // what is read is shown whole, and is higher
    }
  }
  return { node, show, again: rows.again, print: rows.print };
}

function decisionCells(data, step, k) {
  if (step.commands === null) {
    const span = Math.max(1, data.agents.length);
    return [el("td", { colspan: span }, badge("bad", "reply could not be read"), unreadReplies(data, k))];
  }
  if (!data.agents.length) {
    return [el("td")];
  }
  return data.agents.map((agent) => el("td", null, laneCell(data, step, k, agent)));
}

// What was said where no command could be read from it, and why.
function unreadReplies(data, k) {
  return callsAt(data, k).filter((call) => call.reply).map((call) => el("div", { class: "unread" },
    call.error ? el("span", { class: "message" }, call.error) : null,
    el("code", { class: "said" }, clipped(call.reply, 600))));
}

function clipped(text, most) {
  return text.length > most ? text.slice(0, most) + " \u2026" : text;
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
