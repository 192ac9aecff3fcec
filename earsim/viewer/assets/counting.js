// What the runs amount to: subjects with their numbers, and how each episode counts in them.

const counting = { subjects: [], modes: [], warnings: [], of: new Map(), problem: "", ready: false };

async function loadCounting() {
  try {
    const found = await loadOverview();
    const of = new Map();
    found.subjects.forEach((subject, k) => subject.episodes.forEach(([id, verdict, modes, refusals, signs]) =>
      of.set(subject.run + "\n" + id, { subject: k, verdict, modes, refusals, signs })));
    Object.assign(counting, found, { of, problem: "", ready: true });
  } catch (error) {
    counting.problem = String(error.message);
  }
}

// How an episode counts: subject, verdict, failure modes and refusals.
function countOf(entry) {
  return counting.of.get(entry.run + "\n" + entry.episode);
}

function whyFailed(entry) {
  const count = countOf(entry);
  if (!count || !count.modes.length) {
    return null;
  }
  const said = new Map(counting.modes);
  return el("details", { class: "why", open: true }, el("summary", null, badge("bad", words(count.modes[0])),
    count.modes.length > 1 ? " also " + count.modes.slice(1).map(words).join(", ") : ""),
  count.modes.map((mode) => el("div", null, el("p", { class: "sub" }, words(mode) + ": " + (said.get(mode) || "")), signList(count, mode, (step) => {
    const go = el("button", { type: "button", class: "count" }, "decision " + step);
    go.addEventListener("click", () => select(step));
    return go;
  }))));
}

// What the rule of a failure mode rests on; `at` makes of a decision what leads to it.
function signList(count, mode, at) {
  const told = own(count.signs, mode) || [];
  const signs = told.filter(([step, text], k) => told.findIndex((each) => each[0] === step && each[1] === text) === k);
  return signs.length ? el("ul", { class: "signs" }, signs.map(([step, text]) =>
    el("li", null, step === null ? null : [at(step), " "], el("mark", null, text)))) : null;
}

// The decisions on which the modes of an episode rest.
function signedSteps(entry) {
  const count = entry && countOf(entry);
  return new Set(count ? count.modes.flatMap((mode) => (own(count.signs, mode) || []).map(([step]) => step)).filter((step) => step !== null) : []);
}

// Where a failed episode is read first; others from their beginning.
function firstSigned(entry) {
  const steps = [...signedSteps(entry)];
  return steps.length ? steps.reduce((a, b) => Math.min(a, b)) : 0;
}

const words = (name) => String(name).replace(/_/g, " ");

const percent = (value, digits = 1) => (value === null ? "\u2013" : (100 * value).toFixed(digits) + " %");

// A number that leads to the episodes behind it; `links` may be a function that tells when it is asked.
function link(text, links, title, order) {
  const button = el("button", { type: "button", class: "count", title: title || "Show these episodes" }, text);
  button.addEventListener("click", () => showLinked(typeof links === "function" ? links() : links, order));
  return button;
}

// A rate as a bar with its 95 % interval over it.
function rateBar([value, , low, high], width = 96) {
  const x = (share) => (share * (width - 8) + 4).toFixed(1);
  if (value === null) {
    return null;
  }
  return svg("svg", { class: "rate", width, height: 14, viewBox: "0 0 " + width + " 14", "aria-hidden": "true" },
    svg("rect", { class: "track", x: 4, y: 3, width: width - 8, height: 8, rx: 4 }),
    svg("rect", { class: "fill", x: 4, y: 3, width: Math.max(0, value * (width - 8)).toFixed(1), height: 8, rx: 4 }),
    low === null ? null : [svg("line", { x1: x(low), x2: x(high), y1: 7, y2: 7 }),
      svg("line", { x1: x(low), x2: x(low), y1: 3, y2: 11 }), svg("line", { x1: x(high), x2: x(high), y1: 3, y2: 11 })]);
}

function interval([, , low, high]) {
  return low === null ? "" : (100 * low).toFixed(0) + "\u2013" + (100 * high).toFixed(0);
}

function duration(seconds) {
  if (seconds === null) {
    return "\u2013";
  }
  return seconds < 1 ? (1000 * seconds).toFixed(0) + " ms" : seconds < 90 ? seconds.toFixed(1) + " s" : (seconds / 60).toFixed(1) + " min";
}

function foldedWarnings(found) {
  return found.length ? el("details", { class: "warnings" },
    el("summary", null, found.length + (found.length === 1 ? " warning" : " warnings")),
    el("ul", null, found.map((each) => el("li", null, each)))) : null;
}
