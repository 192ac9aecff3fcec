// The numbers that change by themselves, each over the clock, with a line where a decision ends.

const PLOT = { width: 720, height: 150, left: 64, right: 12, top: 12, bottom: 24 };

function curves(data, step) {
  const found = data.curves || [];
  if (!found.length) {
    return quiet("No number changed by itself in this episode, or it could not be carried out again.");
  }
  const until = Math.max(1, ...found.map(({ points }) => points[points.length - 1][0]));
  return found.flatMap((curve) => [
    el("h4", null, nameOf(data, curve.id) + ": " + curve.label),
    plot(data, curve, until, step),
  ]);
}

function plot(data, curve, until, step) {
  const values = curve.points.map(([, value]) => value);
  const low = Math.min(...values);
  const high = Math.max(...values);
  const x = (s) => PLOT.left + (s / until) * (PLOT.width - PLOT.left - PLOT.right);
  const y = (value) => PLOT.height - PLOT.bottom -
    ((value - low) / (high - low)) * (PLOT.height - PLOT.top - PLOT.bottom);
  const end = values[values.length - 1];
  const label = curve.label + " goes from " + values[0] + " to " + end + ", between " + low + " and " + high;
  const points = curve.points.map(([s, value]) => x(s).toFixed(1) + "," + y(value).toFixed(1)).join(" ");
  return svg("svg", { class: "curve", viewBox: "0 0 " + PLOT.width + " " + PLOT.height, role: "img", "aria-label": label },
    marks(data, until, x, step), svg("polyline", { points }),
    tick(PLOT.left - 6, y(high) + 4, high, "end"), tick(PLOT.left - 6, y(low) + 4, low, "end"),
    tick(PLOT.left, PLOT.height - 6, "0 s", "start"),
    tick(PLOT.width - PLOT.right, PLOT.height - 6, until + " s", "end"));
}

function marks(data, until, x, step) {
  return data.steps.flatMap(({ clock }, k) => (clock > until ? [] : [
    svg("line", { x1: x(clock), x2: x(clock), y1: PLOT.top, y2: PLOT.height - PLOT.bottom,
      class: k === step ? "current" : "decision" }, svg("title", null, "Decision " + k + " ends at " + clock + " s")),
  ]));
}

function tick(x, y, text, anchor) {
  return svg("text", { x, y, "text-anchor": anchor }, text);
}
