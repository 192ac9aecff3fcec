// Which episodes are listed, and in which order.

const CHOICES = [
  ["run", "Run"], ["outcome", "Outcome"], ["category", "Category"], ["termination", "Ended by"],
  ["cell", "Cell"], ["ruleset", "Rules"],
];

const SORTS = [
  ["n", "as recorded"], ["scenario_id", "scenario"], ["outcome", "outcome"],
  ["category", "category"], ["decisions", "decisions"], ["score", "share of the goal"],
  ["termination", "end"], ["cell", "cell"], ["repeat", "repeat"], ["wall_ms", "time taken"],
];

const SEARCHED = [
  "scenario_id", "cell", "category", "termination", "outcome", "policy", "model", "ruleset", "suite",
];

function chosen(entries, filter) {
  const words = filter.search.toLowerCase().split(/\s+/).filter(Boolean);
  const unequal = filter.differ ? scenariosOfUnequalOutcomes(entries) : null;
  const found = entries.filter((entry) => fits(entry, filter, words, unequal));
  const sign = filter.descending ? -1 : 1;
  return found.sort((a, b) => sign * compared(a[filter.sort], b[filter.sort]) || a.n - b.n);
}

function fits(entry, filter, words, unequal) {
  if ((unequal && !unequal.has(entry.scenario_id)) || !LINKED.every(([key]) => linkFits(entry, key, filter.links[key]))) {
    return false;
  }
  if (!CHOICES.every(([key]) => !filter[key] || String(entry[key]) === filter[key])) {
    return false;
  }
  const text = SEARCHED.map((key) => entry[key] || "").join("\n").toLowerCase();
  return words.every((word) => text.includes(word));
}

// What a number on another page can be a count of; each is shown as a chip that takes it away.
const LINKED = [
  ["subject", "subject", (value) => (counting.subjects[value] || {}).label],
  ["verdict", "counted as", (value) => value.replace(/_/g, " ")], ["category", "category", (value) => value],
  ["team", "with", (value) => value], ["mode", "failure mode", (value) => value.replace(/_/g, " ")], ["also", "shows", (value) => value.replace(/_/g, " ")],
  ["reason", "refused as", (value) => value],
  ["label", "label", (value) => value],
  ["pair", "of both", (value) => String(value).split(":").map((k) => (counting.subjects[k] || {}).label).join(" and ")],
  ["only", "scenarios", (value) => value.length + " scenario" + (value.length === 1 ? "" : "s")],
];

// What may be read from an address or from this browser: other parts are left out.
function soundLinks(said) {
  const sound = LINKED.map(([key]) => [key, said[key]]).filter(([key, value]) => (key === "only" ? Array.isArray(value) : typeof value === "string" || typeof value === "number"));
  return Object.fromEntries(sound.map(([key, value]) => [key, key === "only" ? value.map(String) : String(value)]));
}

function linkFits(entry, key, value) {
  if (value === undefined) {
    return true;
  }
  const count = countOf(entry);
  switch (key) {
    case "subject": return Boolean(count) && count.subject === Number(value);
    case "verdict": return Boolean(count) && count.verdict === value;
    case "team": return teamOf(entry) === value;
    case "mode": return Boolean(count) && count.modes[0] === value;
    case "also": return Boolean(count) && count.modes.includes(value);
    case "reason": return Boolean(count) && own(count.refusals, value) !== undefined;
    case "pair": return sharedScenarios(String(value)).has(entry.run + "\n" + entry.episode);
    case "label": return labelsOf(entry).includes(value);
    case "only": return value.includes(entry.scenario_id);
    default: return entry[key] === value;
  }
}

// The scenarios of the episodes that a link leads to.
function scenariosWith(links) {
  const fit = (entry) => Object.entries(links).every(([key, value]) => linkFits(entry, key, value));
  return [...new Set(view.entries.filter(fit).map((entry) => entry.scenario_id))];
}

// As in the comparisons: what a category is for.
const teamOf = (entry) => (/_collaboration$/.test(entry.category) ? "several agents" : "one agent");

const keptShared = new Map();

// The episodes of two subjects on the scenarios that both have measured, unchanged.
function sharedScenarios(pair) {
  if (!keptShared.has(pair)) {
    const sides = pair.split(":").map((k) => view.entries.filter((entry) => {
      const count = countOf(entry);
      return count && count.subject === Number(k) && count.verdict !== "no_measurement";
    }));
    const keys = sides.map((side) => new Set(side.map((entry) => entry.scenario_id + "\n" + entry.scenario_hash)));
    keptShared.set(pair, new Set(sides.flat().filter((entry) => keys.every((each) => each.has(entry.scenario_id + "\n" + entry.scenario_hash)))
      .map((entry) => entry.run + "\n" + entry.episode)));
  }
  return keptShared.get(pair);
}

function compared(a, b) {
  if (typeof a === "number" && typeof b === "number") {
    return a - b;
  }
  return a === b ? 0 : String(a) < String(b) ? -1 : 1;
}

function scenariosOfUnequalOutcomes(entries) {
  const outcomes = new Map();
  const unequal = new Set();
  for (const entry of entries) {
    const first = outcomes.get(entry.scenario_id);
    if (first === undefined) {
      outcomes.set(entry.scenario_id, entry.outcome);
    } else if (first !== entry.outcome) {
      unequal.add(entry.scenario_id);
    }
  }
  return unequal;
}

// The episode to set beside another: the same scenario, best of another run and the same repeat.
function counterparts(entries, entry) {
  const nearness = (other) => (other.run !== entry.run ? 0 : 2) + (other.repeat !== entry.repeat);
  return entries
    .filter((other) => other.scenario_id === entry.scenario_id && other.n !== entry.n)
    .sort((a, b) => nearness(a) - nearness(b) || a.n - b.n);
}
