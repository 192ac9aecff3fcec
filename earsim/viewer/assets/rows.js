// The list: only the rows in sight exist, so thousands scroll like ten.

const ROW_HEIGHT = 46; // as in style.css
const ROWS_AROUND = 6;

function makeRows(box, tall, runName, onOpen) {
  let entries = [];
  let active = -1;

  function draw() {
    const first = Math.max(0, Math.floor(box.scrollTop / ROW_HEIGHT) - ROWS_AROUND);
    const count = Math.ceil(box.clientHeight / ROW_HEIGHT) + 2 * ROWS_AROUND;
    tall.style.height = entries.length * ROW_HEIGHT + "px";
    tall.replaceChildren(...entries.slice(first, first + count).map((e, i) => row(e, first + i)));
    const shown = active >= first && active < Math.min(entries.length, first + count);
    box.setAttribute("aria-activedescendant", shown ? "row-" + active : "");
  }

  function row(entry, at) {
    const node = el("div", {
      class: "row", role: "option", id: "row-" + at, "aria-selected": String(at === active),
      "aria-setsize": entries.length, "aria-posinset": at + 1,
    }, el("div", { class: "first" }, outcomeBadge(entry.outcome), " ", entry.scenario_id),
    el("div", { class: "second" }, tags(labelsOf(entry)), [runName(entry), entry.cell, entry.category, counted(entry.decisions, "decision"),
      entry.termination].filter(Boolean).join(" \u00b7 ")));
    node.style.top = at * ROW_HEIGHT + "px";
    node.addEventListener("click", () => open(at));
    return node;
  }

  function show(list, keep) {
    entries = list;
    active = keep ? list.findIndex((entry) => entry.n === keep.n) : -1;
    box.scrollTop = 0;
    reveal();
  }

  function reveal() {
    const top = active * ROW_HEIGHT;
    if (active >= 0 && top < box.scrollTop) {
      box.scrollTop = top;
    } else if (active >= 0 && top + ROW_HEIGHT > box.scrollTop + box.clientHeight) {
      box.scrollTop = top + ROW_HEIGHT - box.clientHeight;
    }
    draw();
  }

  function open(at) {
    if (entries.length) {
      active = Math.min(Math.max(at, 0), entries.length - 1);
      reveal();
      onOpen(entries[active]);
    }
  }

  function mark(entry) {
    active = entries.findIndex((other) => other.n === entry.n);
    reveal();
  }

  box.addEventListener("scroll", draw, { passive: true });
  new ResizeObserver(draw).observe(box);
  const page = () => Math.max(1, Math.floor(box.clientHeight / ROW_HEIGHT) - 1);
  return {
    show, mark, move: (by) => open(active + by), page: (by) => open(active + by * page()),
    first: () => open(0), last: () => open(entries.length - 1),
  };
}
