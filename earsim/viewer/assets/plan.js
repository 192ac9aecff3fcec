// The certificate's plan beside what the agents did.

function planBeside(data) {
  const { plan } = data;
  if (!plan) {
    return quiet("There is no certificate of this scenario under these rules.");
  }
  if (plan.found !== "plan") {
    return quiet("The certificate holds no plan: " + plan.found + (plan.why ? ", " + plan.why : "") + ".");
  }
  const count = Math.max(plan.steps.length, data.steps.length);
  const rows = Array.from({ length: count }, (_, k) => el("tr", null, el("th", { scope: "row" }, k),
    el("td", null, plannedCommands(data, plan.steps[k])), el("td", null, givenCommands(data, data.steps[k]))));
  const lengths = plan.steps.length + " decisions" + (plan.least ? ", which is the least" : "") +
    "; the episode took " + data.steps.length + ".";
  return [
    el("p", null, "The plan takes " + lengths),
    tableBox("plan", el("table", { class: "plan" },
      el("thead", null, el("tr", null, ["#", "Plan", "What was done"].map((title) =>
        el("th", { scope: "col" }, title)))), el("tbody", null, rows))),
  ];
}

function plannedCommands(data, entry) {
  return Object.entries(entry || {}).map(([agent, step]) => el("div", null,
    prefix(data, agent), el("code", null, step.command), " ",
    step.done_at === null ? badge("none", "not done") : badge("good", "done at " + step.done_at)));
}

function givenCommands(data, step) {
  if (!step) {
    return null;
  }
  if (step.commands === null) {
    return badge("bad", "reply could not be read");
  }
  return Object.entries(step.commands).map(([agent, command]) => {
    const outcome = step.outcomes.find((each) => each.agent === agent);
    return el("div", null, prefix(data, agent), el("code", null, command), " ",
      outcome ? badge(outcome.reason === null ? "good" : "bad", outcome.reason || "ok") : null);
  });
}

function prefix(data, agent) {
  return data.agents.length > 1 ? el("span", { class: "quiet" }, nameOf(data, agent) + ": ") : null;
}

panel("plan", "Plan", planBeside, { whole: true });
