// The map at one moment: the floor plan, and rooms, agents and what lies where as a list.

const looks = { viewer: null, picked: null, list: true, large: kept("large-map") === "yes" };

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
  const list = el("details", { class: "listed", open: looks.list }, el("summary", null, "Everything as a list"),
    el("div", { class: "map" }, Object.keys(data.scene.rooms).map((room) => roomCard(view, room))));
  list.addEventListener("toggle", () => { looks.list = list.open; });
  return [...(data.drawings ? [planBox(view, step)] : []), list];
}

// The drawing, whose knowledge it shows, and facts about the thing that was last pointed at.
function planBox(view, step) {
  const { data } = view;
  const facts = el("div", { class: "picked", role: "status" });
  const frame = el("div", { class: "plan-frame", tabindex: "0", role: "group", "aria-label": "Floor plan" });
  const pick = (id) => { looks.picked = id; facts.replaceChildren(...pickedFacts(view, id)); };
  let plan = null;
  const draw = () => {
    plan = drawnPlan(data, step, looks.viewer, pick);
    frame.replaceChildren(plan.node);
  };
  draw();
  pick(looks.picked);
  const size = el("button", { type: "button", class: "act size", title: "Above the timeline, as wide as the page (m)", "aria-pressed": String(looks.large) }, "Large");
  size.addEventListener("click", switchMap);
  const bar = el("div", { class: "pair" }, viewers(data, draw), size, figureActs(data.row.episode + "-" + step, () => plan.node));
  requestAnimationFrame(() => plan.node.isConnected && plan.moved());
  return el("div", { class: "plan-box" }, bar, frame, facts);
}

// Puts the floor plan above the timeline, or back beside it.
function switchMap() {
  looks.large = !looks.large;
  kept("large-map", looks.large ? "yes" : "no");
  select(view.step);
}

function viewers(data, draw) {
  const shared = data.drawings.views.length === 2 && data.agents.length > 1;
  const name = (viewer) => (viewer === null ? "everything; pale: nobody found it"
    : shared ? "what the agents know" : "what " + nameOf(data, viewer) + " knows");
  const select = el("select", { "aria-label": "Shown" }, data.drawings.views.map(({ viewer }, k) =>
    el("option", { value: k, selected: viewer === looks.viewer }, name(viewer))));
  select.addEventListener("change", () => { looks.viewer = data.drawings.views[select.value].viewer; draw(); });
  return select;
}

function pickedFacts({ data, world }, id) {
  if (!id || nameOf(data, id) === id && !own(world.at, id)) {
    return [quiet("Point at a thing for its name, click it for all about it.")];
  }
  const thing = own(data.scene.things, id) || {};
  const agent = own(data.scene.agents, id);
  const place = own(world.at, id);
  const words = [
    place ? place[0] + " " + nameOf(data, place[1]) : "", statesText(own(world.states, id)),
    thing.mass_kg !== undefined ? shortNumber(thing.mass_kg) + " kg" : "",
    thing.provides && thing.provides.length ? "gives " + thing.provides.join(", ") : "",
    agent ? "lifts " + agent.max_mass_kg + " kg, " + agent.hands + " hands" : "",
    thing.name !== undefined && !world.known.has(id) ? "nobody has found it" : "",
  ];
  return [el("p", null, el("strong", null, named(data, id)), " \u00b7 " + words.filter(Boolean).join(" \u00b7 "))];
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

panel("map", "Map", places);
