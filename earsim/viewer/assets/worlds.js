// How the world stood: the first state with the changes of the decisions up to one. Of many
// decisions every so many is kept, to go on from.

const worldsOf = new WeakMap();
const WORLDS_KEPT = 32;

function worldAfter(data, step) {
  if (!data.start || step >= data.moments.length) {
    return null;
  }
  const kept = worldsOf.get(data) || new Map([[-1, { ...data.start, known: allKnown(data.start, []) }]]);
  worldsOf.set(data, kept);
  let from = step;
  while (!kept.has(from)) {
    from -= 1;
  }
  let world = kept.get(from);
  for (let k = from + 1; k <= step; k += 1) {
    world = following(world, data.moments[k].state);
    if (k % WORLDS_KEPT === 0 || k === step) {
      kept.set(k, world);
    }
  }
  if (kept.size > data.moments.length / WORLDS_KEPT + 200) {
    [...kept.keys()].filter((k) => k >= 0 && k % WORLDS_KEPT).forEach((k) => kept.delete(k));
  }
  return world;
}

function following(world, state) {
  return {
    at: { ...world.at, ...state.at }, states: { ...world.states, ...state.states },
    agents: { ...world.agents, ...state.agents },
    known: Object.keys(state.known).length ? allKnown(state, world.known) : world.known,
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
