// The map at one moment: rooms, the agents in them, and what lies where.

function places(data, step) {
  const world = worldAfter(data, step);
  if (!world) {
    return quiet("There is no map here: " + (data.problem || "nothing was replayed") + ".");
  }
  const fresh = step >= 0 ? data.moments[step].state : { at: {}, states: {} };
  const held = new Map();
  for (const [id, [relation, holder]] of Object.entries(world.at)) {
    held.set(holder, [...(held.get(holder) || []), [relation, id]]);
  }
  const view = { data, world, fresh, held };
  return el("div", { class: "map" },
    Object.keys(data.scene.rooms).map((room) => roomCard(view, room)));
}

function roomCard(view, room) {
  const { data, world } = view;
  const agents = Object.keys(world.agents).filter((id) => world.agents[id].room === room);
  return el("section", { class: "room", "data-id": room },
    el("h4", null, named(data, room)),
    el("p", { class: "ways" }, data.scene.rooms[room].ways.map((way) => wayText(view, way)).join(" \u00b7 ")),
    agents.map((id) => agentBox(view, id)),
    contents(view, room, new Set()));
}

function wayText({ data, world }, way) {
  const states = way.door ? statesText(own(world.states, way.door)) : "";
  const door = way.door ? " by " + nameOf(data, way.door) + (states ? " (" + states + ")" : "") : "";
  return "\u2192 " + nameOf(data, way.room) + door;
}

function agentBox(view, id) {
  const { data, world } = view;
  const state = world.agents[id];
  const place = Object.keys(world.agents).indexOf(id) % 4;
  const stands = state.at && state.at !== state.room ? " at " + nameOf(data, state.at) : "";
  const words = [state.carrying ? "carries " + nameOf(data, state.carrying) : "",
    state.abilities.length ? "can " + state.abilities.join(", ") : "", state.done ? "said DONE" : ""];
  return el("div", { class: "agent agent-" + place, "data-id": id },
    el("strong", null, named(data, id) + stands),
    el("span", null, words.filter(Boolean).map((word) => " \u00b7 " + word).join("")),
    contents(view, id, new Set()));
}

// Only a ruleset that replays recordings lets a thing lie in itself; `above` ends that.
function contents(view, holder, above) {
  const inside = (view.held.get(holder) || []).filter(([, id]) => !above.has(id));
  if (!inside.length) {
    return null;
  }
  const deeper = new Set(above).add(holder);
  return el("ul", { class: "things" }, inside.map(([relation, id]) => thing(view, relation, id, deeper)));
}

function thing(view, relation, id, above) {
  const { data, world, fresh } = view;
  const changed = Object.hasOwn(fresh.at, id) || Object.hasOwn(fresh.states, id);
  const states = statesText(own(world.states, id));
  const facts = own(data.scene.things, id) || { provides: [] };
  const gives = facts.provides.length ? "gives " + facts.provides.join(", ") : "";
  const notes = [states, gives, world.known.has(id) ? "" : "not found yet", changed ? "changed" : ""];
  return el("li", { "data-id": id, class: (changed ? "changed " : "") + (world.known.has(id) ? "" : "unknown") },
    el("span", { class: "relation" }, relation + " "), named(data, id),
    el("span", { class: "note" }, notes.filter(Boolean).map((note) => " \u00b7 " + note).join("")),
    contents(view, id, above));
}
