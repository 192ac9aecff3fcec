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
  ["subject", "subject", (value) => counting.subjects[value].label],
  ["verdict", "counted as", (value) => value.replace(/_/g, " ")], ["category", "category", (value) => value],
  ["mode", "failure mode", (value) => value.replace(/_/g, " ")], ["also", "shows", (value) => value.replace(/_/g, " ")],
  ["reason", "refused as", (value) => value],
  ["only", "scenarios", (value) => value.length + " scenario" + (value.length === 1 ? "" : "s")],
];

function linkFits(entry, key, value) {
  if (value === undefined) {
    return true;
  }
  const count = countOf(entry);
  switch (key) {
    case "subject": return Boolean(count) && count.subject === Number(value);
    case "verdict": return Boolean(count) && count.verdict === value;
    case "mode": return Boolean(count) && count.modes[0] === value;
    case "also": return Boolean(count) && count.modes.includes(value);
    case "reason": return Boolean(count) && own(count.refusals, value) !== undefined;
    case "only": return value.includes(entry.scenario_id);
    default: return entry[key] === value;
  }
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
