// The numbers that change by themselves, each over the clock, with a line where a decision ends.

function numbers(data, step) {
  const found = [...bench(data, step), ...curves(data, step)];
  return found.length ? found
    : quiet("No number changed by itself in this episode, or it could not be carried out again.");
}

function curves(data, step) {
  const found = data.curves || [];
  const until = Math.max(1, ...found.map(({ points }) => points[points.length - 1][0]));
  return found.flatMap((curve) => [
    el("h4", null, nameOf(data, curve.id) + ": " + curve.label),
    figure(curve.id + "-" + curve.label, plot({ points: curve.points, unit: curve.label.split(", ")[1], xUnit: "s", from: 0, until,
      label: nameOf(data, curve.id) + ", " + curve.label, marks: decisionMarks(data, until, step) })),
  ]);
}

function decisionMarks(data, until, step) {
  return (x, y1, y2) => data.steps.flatMap(({ clock }, k) => (clock > until ? [] : [
    svg("line", { x1: x(clock), x2: x(clock), y1, y2, class: k === step ? "current" : "decision" },
      svg("title", null, "Decision " + k + " ends at " + clock + " s")),
  ]));
}
