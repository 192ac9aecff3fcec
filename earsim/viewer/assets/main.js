// What is looked at, kept in the address so that it can be passed on.

const view = { entries: [], runs: [], open: null, beside: null, step: -1, tab: "map", panes: [] };
let other = null; // number of the run whose episodes are set beside those that are opened
const filter = { search: "", sort: "n", descending: false, differ: false };
const rows = makeRows(byId("rows"), byId("tall"), runName, (entry) => openEpisode(entry));
let opening = 0;

// Of the run of an episode; nothing where there is but one.
function runName(entry) {
  return view.runs.length > 1 ? view.runs[entry.run].name : "";
}

// The counterpart that opens by itself: of the run chosen last, and of two runs the other one.
function usual(entry, others) {
  return others.find((each) => each.run !== entry.run && (view.runs.length === 2 || each.run === other));
}

function drawList() {
  const found = chosen(view.entries, filter);
  byId("count").textContent = found.length + " of " + view.entries.length + " episodes";
  rows.show(found, view.open);
}

function makeFilters() {
  byId("choices").replaceChildren(...CHOICES.map(([key, title]) => {
    const values = [...new Set(view.entries.map((entry) => entry[key]))].sort(compared);
    const select = el("select", { id: "choice-" + key }, el("option", { value: "" }, "all"),
      values.map((value) => el("option", { value }, key === "run" ? view.runs[value].name : value)));
    select.addEventListener("change", () => { filter[key] = select.value; drawList(); });
    return el("label", { hidden: values.length < 2 }, title + " ", select);
  }));
  byId("sort").replaceChildren(...SORTS.map(([key, title]) => el("option", { value: key }, title)));
  byId("sort").addEventListener("change", (event) => { filter.sort = event.target.value; drawList(); });
  for (const key of ["descending", "differ"]) {
    byId(key).addEventListener("change", (event) => { filter[key] = event.target.checked; drawList(); });
  }
  byId("search").addEventListener("input", (event) => { filter.search = event.target.value; drawList(); });
  byId("filters").addEventListener("submit", (event) => event.preventDefault());
}

async function openEpisode(entry, { beside, step = 0 } = {}) {
  const turn = ++opening;
  const others = counterparts(view.entries, entry);
  const second = beside === undefined ? usual(entry, others) : beside;
  if (beside !== undefined) {
    other = beside && beside.run;
  }
  byId("detail").setAttribute("aria-busy", "true");
  try {
    const wanted = [entry, second].filter(Boolean);
    const loaded = await Promise.all(wanted.map(loadEpisode));
    if (turn !== opening) {
      return; // another was opened meanwhile
    }
    Object.assign(view, { open: entry, beside: second || null, step });
    view.panes = loaded.map((data, i) => pane(wanted[i], data, view.runs, (k) => select(k)));
    byId("detail").replaceChildren(bar(others), ...warning(),
      el("div", { class: "panes" }, view.panes.map((each) => each.node)));
    select(step);
  } catch (error) {
    if (turn === opening) {
      byId("detail").replaceChildren(el("p", { class: "warning" }, String(error.message)));
    }
  } finally {
    if (turn === opening) {
      byId("detail").removeAttribute("aria-busy");
    }
  }
}

function warning() {
  const why = view.beside ? incomparable(view.open, view.beside) : "";
  return why ? [el("p", { class: "warning" }, "Not comparable: " + why + ".")] : [];
}

function bar(others) {
  const tabs = TABS.map(([key, title], i) => {
    const button = el("button", { type: "button", "data-tab": key, title: title + " (" + (i + 1) + ")" }, title);
    button.addEventListener("click", () => showTab(key));
    return button;
  });
  const select = el("select", { id: "beside" }, el("option", { value: "" }, "nothing"),
    others.map((each) => el("option", { value: each.n, selected: view.beside === each },
      [view.runs[each.run].name, each.cell, "repeat " + each.repeat, each.outcome].join(" \u00b7 "))));
  select.addEventListener("change", () => openEpisode(view.open,
    { beside: select.value ? view.entries[Number(select.value)] : null, step: view.step }));
  return el("nav", { class: "bar" }, tabs, el("label", null, "Beside it: ", select));
}

function select(step) {
  const last = Math.max(...view.panes.map((each) => each.length)) - 1;
  view.step = Math.min(Math.max(step, -1), last);
  view.panes.forEach((each) => each.show(view.step, view.tab));
  for (const button of byId("detail").querySelectorAll("[data-tab]")) {
    button.setAttribute("aria-pressed", String(button.dataset.tab === view.tab));
  }
  remember();
}

function showTab(tab) {
  view.tab = tab;
  if (view.open) {
    select(view.step);
  }
}

function remember() {
  const { open, beside, step, tab } = view;
  const said = new URLSearchParams({ run: open.run, episode: open.episode, step, tab });
  if (beside) {
    said.set("beside", beside.run + ":" + beside.episode);
  }
  history.replaceState(null, "", "#" + said);
}

function recall() {
  const said = new URLSearchParams(location.hash.slice(1));
  const find = (run, episode) => view.entries.find((entry) =>
    String(entry.run) === run && entry.episode === episode);
  const entry = find(said.get("run"), said.get("episode"));
  if (TABS.some(([key]) => key === said.get("tab"))) {
    view.tab = said.get("tab");
  }
  if (!entry) {
    return;
  }
  const [run, ...rest] = (said.get("beside") || "").split(":");
  const beside = said.has("beside") ? find(run, rest.join(":")) || null : undefined;
  openEpisode(entry, { beside, step: Number(said.get("step")) || 0 }).then(() => rows.mark(entry));
}

function switchTheme() {
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const now = document.documentElement.dataset.theme || (dark ? "dark" : "light");
  document.documentElement.dataset.theme = now === "dark" ? "light" : "dark";
}

function acts() {
  return {
    ...rows, search: () => byId("search").focus(), list: () => byId("rows").focus(),
    enter: () => (view.open ? byId("detail").focus() : rows.first()),
    step: (by) => view.open && select(view.step + by), tab: showTab,
    beside: () => byId("beside") && byId("beside").focus(),
    theme: switchTheme, help: () => byId("help").showModal(),
  };
}

async function main() {
  bindKeys(acts());
  byId("theme").addEventListener("click", switchTheme);
  byId("help-button").addEventListener("click", () => byId("help").showModal());
  try {
    Object.assign(view, await loadListing());
  } catch (error) {
    byId("detail").replaceChildren(el("p", { class: "warning" }, String(error.message)));
    return;
  }
  byId("runs").textContent = view.runs.map((run) => run.name).join(", ");
  document.title = "earsim view: " + byId("runs").textContent;
  makeFilters();
  drawList();
  recall();
  addEventListener("hashchange", recall);
  byId("rows").focus();
}

main();
