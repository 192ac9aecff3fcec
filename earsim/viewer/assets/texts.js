// What was told and what was said: observations, prompts and raw replies.

function observations(data, step) {
  const moment = data.moments[Math.max(step, 0)];
  if (!moment) {
    return quiet("There is no observation here: " + (data.problem || "no decision was taken") + ".");
  }
  return Object.entries(moment.observations).map(([agent, text]) =>
    el("section", null, el("h4", null, "Told to " + named(data, agent) + " before decision " +
      Math.max(step, 0)), el("pre", null, text)));
}

function calls(data, step) {
  const found = data.calls.filter((call) => call.decision === Math.max(step, 0));
  if (!found.length) {
    return quiet(data.calls.length ? "No model was asked for this decision." : "No model was asked.");
  }
  return found.map((call) => el("section", { class: "call" },
    el("h4", null, [call.role, call.agent ? "for " + named(data, call.agent) : "",
      "call " + call.seq].filter(Boolean).join(" \u00b7 ")),
    el("p", { class: "quiet" }, callFacts(call)),
    call.error ? el("p", null, badge("bad", "error"), " ", call.error) : null,
    call.reasoning ? folded("Reasoning", el("pre", null, call.reasoning)) : null,
    el("h5", null, "Raw reply"), call.reply === null ? quiet("none") : el("pre", { class: "reply" }, call.reply),
    el("h5", null, "What was read from it"), el("pre", null, shownValue(call.parsed)),
    folded("Prompt", prompt(call.request))));
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
