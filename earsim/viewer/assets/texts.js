// What was told and what was said: observations, prompts and raw replies.

function observations(data, step) {
  const at = Math.max(step, 0);
  const moment = data.moments[at];
  if (!moment) {
    return quiet("There is no observation here: " + (data.problem || "no decision was taken") + ".");
  }
  const before = at > 0 ? data.moments[at - 1].observations : {};
  return Object.entries(moment.observations).map(([agent, text]) => {
    const whole = el("pre", null, text);
    return el("section", null, el("h4", null, "Told to " + named(data, agent) + " before decision " + at, " ",
      act("Copy", (button) => copyText(text, button))),
    own(before, agent) === undefined ? null : changedPart(own(before, agent), text, at), whole);
  });
}

function changedPart(before, text, at) {
  const lines = changedLines(before, text);
  return el("details", { class: "diff", open: true }, el("summary", null, lines.length
    ? "Changed since decision " + (at - 1) : "The same as before decision " + (at - 1)),
  lines.length ? el("div", { class: "lines" }, lines.map(([sign, line]) => el("div",
    { class: sign === "+" ? "come" : sign === "-" ? "gone" : "same" }, sign + " " + line))) : null);
}

function callsAt(data, step) {
  return data.calls.filter((call) => call.decision === step);
}

function calls(data, step) {
  const at = Math.max(step, 0);
  const found = callsAt(data, at);
  if (!found.length) {
    return [quiet(data.calls.length ? "No model was asked for this decision." : "No model was asked."), ...earlierCalls(data, at)];
  }
  return [...earlierCalls(data, at), ...found.map((call) => el("section", { class: "call" },
    el("h4", null, [call.role, call.agent ? "for " + named(data, call.agent) : "",
      "call " + call.seq].filter(Boolean).join(" \u00b7 ")),
    el("p", { class: "quiet" }, callFacts(call)),
    call.error ? el("p", null, badge("bad", "error"), " ", call.error) : null,
    call.reasoning ? folded("Reasoning", el("pre", null, call.reasoning)) : null,
    el("div", { class: "twofold" },
      el("div", null, el("h5", null, "Raw reply ", call.reply === null ? null
        : act("Copy", (button) => copyText(call.reply, button))),
      call.reply === null ? quiet("none") : el("pre", { class: "reply" }, markedReply(data, at, call.reply))),
      el("div", null, el("h5", null, "What became of it"), becameOf(data, at),
        el("h5", null, "What was read from it"), el("pre", null, shownValue(call.parsed)))),
    folded("Prompt", prompt(call.request))))];
}

// The way to what the model said before.
function earlierCalls(data, at) {
  const before = data.calls.map((call) => call.decision).filter((decision) => decision < at);
  if (!before.length) {
    return [];
  }
  const last = before.reduce((a, b) => Math.max(a, b));
  const go = el("button", { type: "button", class: "count" }, "decision " + last);
  go.addEventListener("click", () => select(last));
  return [el("p", null, "What the model said before that: ", go)];
}

// The reply with the commands that were taken from it marked where they stand.
function markedReply(data, at, reply) {
  const step = data.steps[at];
  const commands = step && step.commands ? Object.values(step.commands).filter(Boolean) : [];
  let parts = [reply];
  for (const command of commands) {
    parts = parts.flatMap((part) => {
      const place = typeof part === "string" ? part.lastIndexOf(command) : -1;
      return place < 0 ? [part] : [part.slice(0, place), el("mark", null, command), part.slice(place + command.length)];
    });
  }
  return parts;
}

function becameOf(data, at) {
  const step = data.steps[at];
  if (!step) {
    return quiet("No decision followed.");
  }
  if (step.commands === null) {
    return badge("bad", "reply could not be read");
  }
  return el("ul", { class: "became" }, Object.entries(step.commands).map(([agent, command]) => {
    const outcome = step.outcomes.find((each) => each.agent === agent);
    return el("li", null, prefix(data, agent), el("code", null, command), " ", outcome ? outcomeParts(outcome) : null);
  }));
}

function callFacts(call) {
  return [
    call.model_reported, call.finish_reason ? "ended by " + call.finish_reason : "",
    call.prompt_tokens !== null ? call.prompt_tokens + " prompt tokens" +
      (call.cached_tokens !== null ? " (" + call.cached_tokens + " cached)" : "") : "",
    call.completion_tokens !== null ? call.completion_tokens + " completion tokens" : "",
    Math.round(call.latency_ms) + " ms", "attempts: " + call.attempts,
    call.from_cache ? "from the response cache" : "", call.server,
  ].filter(Boolean).join(" \u00b7 ");
}

function prompt(request) {
  const { messages, ...parameters } = request;
  const turns = Array.isArray(messages) ? messages : [];
  return [
    turns.map((turn) => {
      const { role, content } = turn && typeof turn === "object" ? turn : { content: turn };
      return [el("h5", null, role === undefined ? "message" : shownValue(role)),
        el("pre", null, shownValue(content === undefined ? turn : content))];
    }),
    el("h5", null, "Parameters"), el("pre", null, JSON.stringify(parameters, null, 1)),
  ].flat(2);
}

function folded(title, ...children) {
  return el("details", { open: true }, el("summary", null, title), ...children);
}

panel("told", "Observation", observations);
panel("calls", "Model calls", calls);
