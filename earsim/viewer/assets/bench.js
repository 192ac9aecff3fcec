// Apparatus: their runs as bars on the clock, the readings of each run, and the ledger.

const BAR_ROW = 42;
const ENDED = { completed: "completed", running: "running", halted: "halted" }; // all else has failed
const openedRuns = new WeakMap();

function bench(data, step) {
  const lab = data.laboratory;
  if (!lab || !lab.runs.length) {
    return lab ? [quiet("No apparatus was run in this episode.")] : [];
  }
  const clock = step < 0 ? 0 : data.steps[step].clock;
  const begun = lab.runs.filter((run) => run.from <= clock);
  const newest = begun.length ? begun[begun.length - 1].id : null;
  return [
    el("h4", null, "Runs over the clock"), bars(data, lab, step),
    ...lab.runs.map((run) => runDetails(data, run, run.id === newest)),
    el("h4", null, "Ledger"), ledger(data, lab, step),
  ];
}

function endKind(run) {
  return ENDED[run.status] || "failed";
}

function endWord(run) {
  return endKind(run) === "failed" && run.status !== "failed" ? "failed: " + run.status : run.status;
}

function bars(data, lab, step) {
  const width = plotWidth();
  const last = data.steps.length ? data.steps[data.steps.length - 1].clock : 1;
  const until = Math.max(1, last, ...lab.runs.map((run) => run.to || run.from));
  const used = lab.apparatus.filter((id) => lab.runs.some((run) => run.apparatus === id));
  const height = PLOT.top + used.length * BAR_ROW + PLOT.bottom;
  const x = across(0, until, width);
  return figure("runs-of-apparatus", svg("svg", { class: "curve bars", width, height, viewBox: "0 0 " + width + " " + height, role: "img",
    "aria-label": lab.runs.length + " runs of apparatus over " + until + " s; each is listed below" },
  decisionMarks(data, until, step)(x, PLOT.top, height - PLOT.bottom),
  used.map((id, k) => svg("text", { class: "name", x: 8, y: PLOT.top + k * BAR_ROW + 8 }, nameOf(data, id))),
  lab.runs.map((run) => runBar(data, run, x, PLOT.top + used.indexOf(run.apparatus) * BAR_ROW + 14, until)),
  axis({ from: 0, until, xUnit: "s" }, x, width, height)));
}

function runBar(data, run, x, y, until) {
  const to = run.to === null ? until : run.to;
  const wide = Math.max(3, x(to) - x(run.from));
  return svg("g", { class: endKind(run) }, svg("title", null, runTitle(data, run)),
    svg("rect", { x: x(run.from).toFixed(1), y, width: wide.toFixed(1), height: 20 }),
    wide > 9 * run.id.length ? svg("text", { class: "on-bar", x: x(run.from) + 4, y: y + 14 }, run.id) : null);
}

function runTitle(data, run) {
  const who = run.agents.map((id) => nameOf(data, id)).join(", ");
  const when = shortNumber(run.from) + (run.to === null ? " s on" : " to " + shortNumber(run.to) + " s");
  return [run.id, nameOf(data, run.apparatus), who, when, endWord(run)].join(" \u00b7 ");
}

// What is opened or closed by hand stays so while one goes through the decisions.
function runDetails(data, run, newest) {
  const kept = openedRuns.get(data) || new Map();
  openedRuns.set(data, kept);
  const open = kept.has(run.id) ? kept.get(run.id) : newest;
  const kind = { completed: "good", failed: "bad" }[endKind(run)] || endKind(run);
  const node = el("details", { class: "run", open }, el("summary", null, badge(kind, endWord(run)), " ",
    runTitle(data, run).split(" \u00b7 ").slice(0, -1).join(" \u00b7 ")));
  const fill = () => node.childElementCount === 1 && node.append(...runBody(run));
  node.addEventListener("toggle", () => {
    if (node.open !== open || kept.has(run.id)) {
      kept.set(run.id, node.open);
    }
    if (node.open) {
      fill();
    }
  });
  if (open) {
    fill();
  }
  return node;
}

function runBody(run) {
  const told = (title, values) => (Object.keys(values).length
    ? el("p", null, el("span", { class: "quiet" }, title + " "), Object.entries(values).map(([name, value]) =>
      name + " " + (typeof value === "number" ? shortNumber(value) : String(value))).join(", ")) : null);
  const shown = run.readings.filter((reading) => reading.shown);
  const others = run.readings.filter((reading) => !reading.shown);
  return [
    quiet(run.asked ? run.model : run.model + "; readings over its own time t"), told("set to", run.settings),
    run.asked ? told("asked", run.asked) : null, told("results", run.results),
    run.message ? el("p", null, run.message) : null,
    run.events.length ? el("p", null, el("span", { class: "quiet" }, "events "), run.events.map(([t, name]) =>
      name + " at t " + shortNumber(t)).join(", ")) : null,
    run.picture ? el("img", { src: run.picture.src, alt: run.picture.alt, class: "figure" }) : null,
    run.lines && run.lines.length ? laterDetails("what it answered", () => el("pre", { class: "quoted" }, run.lines.join("\n"))) : null,
    run.asked ? null : channels(run, shown),
    others.length ? laterDetails("not on its display: " + others.map((reading) => reading.channel).join(", "), () => channels(run, others)) : null,
  ].filter(Boolean);
}

function laterDetails(title, make) {
  const node = el("details", null, el("summary", null, title));
  node.addEventListener("toggle", () => node.open && node.childElementCount === 1 && node.append(make()));
  return node;
}

function channels(run, readings) {
  const times = run.readings.flatMap(({ points }) => (points.length ? [points[0][0], points[points.length - 1][0]] : []));
  const [from, until] = times.length ? rangeOf(times) : [0, 1];
  const width = Math.min(366, plotWidth() - 24);
  return el("div", { class: "channels" }, readings.map((reading) => {
    const title = reading.channel + (reading.unit ? ", " + reading.unit : "");
    return el("div", null, el("h5", { title: reading.says }, title), reading.points.length
      ? figure(reading.channel, plot({ points: reading.points, unit: reading.unit, xUnit: "", xName: "t ", from, until,
        label: reading.says + ", " + title, marks: eventMarks(run, from, until) }, width, 130))
      : quiet("No readings."));
  }));
}

function eventMarks(run, from, until) {
  return (x, y1, y2) => run.events.filter(([t, , severity]) => severity !== "info" && t >= from && t <= until)
    .map(([t, name]) => svg("line", { x1: x(t), x2: x(t), y1, y2, class: "event" },
      svg("title", null, name + " at t " + shortNumber(t))));
}

function ledger(data, lab, step) {
  if (!lab.ledger.length) {
    return quiet("Nothing was booked.");
  }
  const until = step < 0 ? 0 : data.steps[step].clock;
  const since = step < 1 ? 0 : data.steps[step - 1].clock;
  const rows = lab.ledger.map((row) => el("tr", { class: row.clock > since && row.clock <= until ? "changed" : null },
    el("td", { class: "number" }, row.clock + " s"), el("td", null, nameOf(data, row.agent)),
    el("td", null, nameOf(data, row.apparatus)), el("td", null, row.account),
    el("td", { class: "number" }, shortNumber(row.amount)), el("td", { class: "number" }, shortNumber(row.sum) +
      (own(lab.limits, row.account) === undefined ? "" : " of " + shortNumber(lab.limits[row.account])))));
  return tableBox("ledger", el("table", { class: "ledger" }, el("thead", null, el("tr", null,
    ["Clock", "Agent", "Apparatus", "Account", "Amount", "Sum"].map((title) =>
      el("th", { scope: "col", class: ["Clock", "Amount", "Sum"].includes(title) ? "number" : null }, title)))),
  el("tbody", null, rows)));
}

panel("numbers", "Numbers", numbers, { has: (data) => Boolean(data.laboratory || (data.curves || []).length) });
