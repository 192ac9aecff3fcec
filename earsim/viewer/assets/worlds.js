// How the world stood: the first state with the changes of the decisions up to one, made once.

const worldsOf = new WeakMap();

function worldAfter(data, step) {
  if (!data.start || step >= data.moments.length) {
    return null;
  }
  const worlds = worldsOf.get(data) || [{ ...data.start, known: allKnown(data.start, []) }];
  worldsOf.set(data, worlds);
  while (worlds.length <= step + 1) { // the first one is that before any decision
    worlds.push(following(worlds[worlds.length - 1], data.moments[worlds.length - 1].state));
  }
  return worlds[step + 1];
}

function following(world, state) {
  return {
    at: { ...world.at, ...state.at }, states: { ...world.states, ...state.states },
    agents: { ...world.agents, ...state.agents }, known: allKnown(state, world.known),
  };
}

function allKnown(state, before) {
  return new Set([...before, ...Object.values(state.known).flat()]);
}

function nameOf(data, id) {
  const { rooms, doors, things, agents } = data.scene || {};
  const found = data.scene && (own(things, id) || own(rooms, id) || own(doors, id) || own(agents, id));
  return found ? found.name : id;
}

// Ids come from files: one called `constructor` must not find what every object has.
function own(object, key) {
  return object && Object.hasOwn(object, key) ? object[key] : undefined;
}

// A name with the id, where the two differ.
function named(data, id) {
  const name = nameOf(data, id);
  return name === id ? id : name + " (" + id + ")";
}

function statesText(states) {
  return Object.entries(states || {}).map(([key, value]) =>
    key + ": " + (value === true ? "yes" : value === false ? "no" : shownValue(value))).join(", ");
}

function shownValue(value) {
  return typeof value === "string" ? value : JSON.stringify(value);
}
