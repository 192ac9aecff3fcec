// The typed memory of a policy at one decision: a row for every field, changed ones marked.

function memory(data, step) {
  const states = data.states || [];
  if (!states.length) {
    return quiet("The policy has no typed memory.");
  }
  const at = states.findLastIndex((each) => each.decision <= Math.max(step, 0));
  if (at < 0) {
    return quiet("Nothing was remembered yet.");
  }
  const { kind, decision, state } = states[at];
  const now = flat(state);
  const isNew = decision === Math.max(step, 0);
  const before = at > 0 ? flat(states[at - 1].state) : new Map();
  const names = [...new Set([...now.keys(), ...(isNew ? before.keys() : [])])];
  return [
    quiet(kind + (isNew ? "" : ", as it is since decision " + decision)),
    tableBox("memory-" + step, el("table", null, el("tbody", null, names.map((name) => {
      const fresh = isNew && now.get(name) !== before.get(name);
      return el("tr", { class: fresh ? "changed" : null },
        el("th", { scope: "row" }, name),
        el("td", null, fresh && before.has(name) ? [el("s", null, before.get(name)), " "] : null,
          now.has(name) ? el("span", null, now.get(name)) : badge("none", "gone"),
          fresh ? [" ", badge("joint", "changed")] : null));
    })))),
  ];
}

// Fields with their paths; a list or an object without parts is a field itself.
function flat(value, path = "", found = new Map()) {
  const parts = value !== null && typeof value === "object" ? Object.entries(value) : [];
  if (!parts.length) {
    found.set(path || "state", shownValue(value));
  }
  for (const [name, part] of parts) {
    flat(part, path ? path + "." + name : name, found);
  }
  return found;
}

panel("memory", "Memory", memory, { has: (data) => Boolean((data.states || []).length) });
