// The panels of an episode: what can be shown of one decision, beside the timeline. A file adds
// its own by `panel`; the keys 1 to 9 open them in this order.

const PANELS = [];

// `make(data, step)` gives a node or several, `step` being -1 before the first decision; a panel
// for which `has(data)` is false is not offered.
function panel(key, label, make, { has = () => true, whole = false } = {}) {
  PANELS.push({ key, label, make, has, whole });
}
