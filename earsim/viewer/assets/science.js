// A scientific workflow task: an idea with its votes, or a protocol beside its reference.

const MARKS = { same: ["good", "as in the reference"], swapped: ["joint", "swapped"],
  missing: ["bad", "missing"], extra: ["none", "extra"] };
const VERDICTS = { win: "good", loss: "bad", tie: "joint", none: "none" };
const PARTS = ["background", "hypothesis", "method", "steps", "outcome", "risks"];

function science(data) {
  const found = data.science;
  if (!found) {
    return quiet("The task belongs to no scientific workflow family.");
  }
  const numbers = Object.entries(found.numbers).map(([name, value]) => name + " " + shortNumber(value));
  return [
    quiet([found.family.replace(/_/g, " "), found.domain, ...numbers].join(" \u00b7 ")),
    ...(found.idea ? ideaPage(found.idea) : []),
    ...found.protocols.flatMap((each) => protocol(data, each)),
    found.idea || found.protocols.length ? null : quiet("It tells no idea and asks for no protocol."),
  ].filter(Boolean);
}

function ideaPage(idea) {
  const told = PARTS.filter((part) => idea.parts[part] || idea.reference[part]);
  const cell = (text) => el("td", null, text ? el("pre", null, text) : badge("bad", "not told"));
  const judged = idea.dimensions.some((each) => each.votes.length);
  return [
    idea.problem ? el("p", { class: "warning" }, "Votes cannot be read: " + idea.problem) : null,
    Object.keys(idea.parts).length ? null : quiet("No idea was told: every dimension is 0."),
    el("h4", null, "The idea beside its reference"),
    sheet("idea", ["Part", "Idea", "Reference"], told.map((part) => el("tr", null,
      el("th", { scope: "row" }, part), cell(idea.parts[part]), cell(idea.reference[part])))),
    el("h4", null, "Dimensions"),
    sheet("dimensions", ["Dimension", "Objective, 0 to 10", "Votes for it", "Value, 0 to 100"],
      idea.dimensions.map((each) => el("tr", null, el("th", { scope: "row" }, each.name),
        el("td", null, each.objective === null ? "none" : shortNumber(each.objective)),
        el("td", null, votesFor(each.votes)),
        el("td", null, each.value === null ? "none" : shortNumber(each.value))))),
    el("h4", null, "Votes"),
    judged ? sheet("votes", ["Dimension", "Judge", "Verdict", "Idea first", "Reference first"],
      idea.dimensions.flatMap((each) => each.votes.map((vote) => voteRow(each.name, vote))))
      : quiet("Nobody has voted: earsim judge asks for votes."),
  ].filter(Boolean);
}

// Points of the votes that count; a judge has two, one for each order.
function votesFor(votes) {
  const counting = votes.filter((vote) => vote.verdict !== "none");
  const points = counting.reduce((sum, vote) => sum + vote.points, 0);
  return counting.length ? points + " of " + 2 * counting.length : "none";
}

function voteRow(name, vote) {
  const verdict = vote.verdict === "none" ? "does not count" : vote.verdict;
  const names = [{ first: "idea", second: "reference" }, { first: "reference", second: "idea" }];
  const said = (preference, why, order) => el("td", null,
    badge(preference === "unreadable" ? "bad" : "none", names[order][preference] || preference), " ", why);
  return el("tr", null, el("th", { scope: "row" }, name), el("td", null, vote.judge),
    el("td", null, badge(VERDICTS[vote.verdict], verdict)),
    said(vote.forward, vote.why[0], 0), said(vote.backward, vote.why[1], 1));
}

function protocol(data, found) {
  const count = (mark) => found.steps.filter((step) => step.mark === mark).length;
  const sums = Object.keys(MARKS).map((mark) => count(mark) + " " + MARKS[mark][1]).join(", ");
  return [
    el("h4", null, "Protocol at ", nameOf(data, found.apparatus)), quiet(sums),
    sheet("protocol", ["Performed", "Reference", "Step", "Mark", "Parameters"],
      found.steps.map((step) => el("tr", { class: step.mark === "same" ? null : step.mark },
        el("td", { class: "number" }, step.done_at === null ? "\u2013" : step.done_at),
        el("td", { class: "number" }, step.wanted_at === null ? "\u2013" : step.wanted_at),
        el("th", { scope: "row" }, step.action), el("td", null, badge(...MARKS[step.mark])),
        el("td", null, step.parameters.map((each) => parameter(step, each)))))),
  ];
}

function parameter(step, { name, done, wanted, right }) {
  const beside = wanted === null ? " (not asked for)" : right || step.mark === "missing" ? "" : " for " + wanted;
  const shown = step.mark === "missing" ? wanted : done === null ? "not given" : done;
  const wrong = !right && step.mark !== "missing";
  return el("div", null, name + " " + shown + beside, wrong ? [" ", badge("bad", "wrong")] : null);
}

function sheet(kind, titles, rows) {
  return tableBox(kind, el("table", { class: kind },
    el("thead", null, el("tr", null, titles.map((title) => el("th", { scope: "col" }, title)))),
    el("tbody", null, rows)));
}

panel("science", "Science", science, { has: (data) => Boolean(data.science), whole: true });
