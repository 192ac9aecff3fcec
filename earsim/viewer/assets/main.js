// What is looked at, kept in the address so that it can be passed on.

const view = { entries: [], runs: [], kind: "start", open: null, beside: null, step: -1, tab: "map", panes: [] };
let other = null; // number of the run whose episodes are set beside those that are opened
const filter = { search: "", sort: "n", descending: false, differ: false, links: {} };
const rows = makeRows(byId("rows"), byId("tall"), runName, (entry) => openEpisode(entry));
let opening = 0;

const VIEWS = [["start", "Runs"], ["compare", "Compare"], ["failures", "Failures"], ["search", "Search"], ["notes", "Notes"]];

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
  byId("chips").replaceChildren(...chips());
  rows.show(found, view.open);
}

// What a number led to, each part with a way to take it back.
function chips() {
  return LINKED.filter(([key]) => filter.links[key] !== undefined && counting.ready).map(([key, title, told]) => {
    const button = el("button", { type: "button", class: "chip", title: "Take this away" },
      title + ": " + told(filter.links[key]) + " \u00d7");
    button.addEventListener("click", () => {
      delete filter.links[key];
      drawList();
      remember();
    });
    return button;
  });
}

// Lists the episodes behind a number.
function showLinked(links, order = {}) {
  filter.links = { ...links };
  Object.assign(filter, order);
  byId("sort").value = filter.sort;
  byId("descending").checked = filter.descending;
  filter.search = "";
  byId("search").value = "";
  drawList();
  remember();
  byId("rows").focus({ preventScroll: true });
  byId("list").scrollIntoView({ block: "nearest" });
}

function makeFilters() {
  byId("choices").replaceChildren(...CHOICES.map(([key, title]) => {
    const values = [...new Set(view.entries.map((entry) => entry[key]))].sort(compared);
    const select = el("select", { id: "choice-" + key }, el("option", { value: "" }, "all"),
      values.map((value) => el("option", { value, selected: filter[key] === String(value) }, key === "run" ? view.runs[value].name : value)));
    select.addEventListener("change", () => { filter[key] = select.value; drawList(); });
    return el("label", { hidden: values.length < 2 }, title + " ", select);
  }));
  byId("sort").replaceChildren(...SORTS.map(([key, title]) => el("option", { value: key, selected: filter.sort === key }, title)));
}

function bindFilters() {
  byId("sort").addEventListener("change", (event) => { filter.sort = event.target.value; drawList(); });
  for (const key of ["descending", "differ"]) {
    byId(key).addEventListener("change", (event) => { filter[key] = event.target.checked; drawList(); });
  }
  byId("search").addEventListener("input", (event) => { filter.search = event.target.value; drawList(); });
  byId("filters").addEventListener("submit", (event) => event.preventDefault());
}

// -- the page beside the list ---------------------------------------------------------------------

function showView(kind) {
  view.kind = kind;
  view.open = null;
  view.panes = [];
  opening += 1;
  const box = byId("detail");
  box.removeAttribute("aria-busy");
  markView();
  if (kind === "compare") {
    comparePage(box);
  } else {
    box.replaceChildren(...{ start: startPage, failures: failuresPage, search: searchPage, notes: notesPage }[kind]());
  }
  box.scrollTop = 0;
  remember();
}

function showStart() {
  if (view.kind === "start") {
    byId("detail").replaceChildren(...startPage());
  }
}

function markView() {
  for (const link of byId("views").children) {
    link.setAttribute("aria-current", link.dataset.view === view.kind ? "page" : "false");
  }
}

async function openEpisode(entry, { beside, step = firstSigned(entry) } = {}) {
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
    Object.assign(view, { kind: "episode", open: entry, beside: second || null, step });
    markView();
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

const offered = () => PANELS.filter(({ has }) => view.panes.some(({ data }) => has(data)));

function bar(others) {
  const tabs = offered().map(({ key, label: title }) => {
    const button = el("button", { type: "button", "data-tab": key,
      title: title + " (" + (PANELS.findIndex((each) => each.key === key) + 1) + ")" }, title);
    button.addEventListener("click", () => showTab(key));
    return button;
  });
  const select = el("select", { id: "beside" }, el("option", { value: "" }, "nothing"),
    others.map((each) => el("option", { value: each.n, selected: view.beside === each },
      [view.runs[each.run].name, each.cell, "repeat " + each.repeat, each.outcome].join(" \u00b7 "))));
  select.addEventListener("change", () => openEpisode(view.open,
    { beside: select.value ? view.entries[Number(select.value)] : null, step: view.step }));
  return el("nav", { class: "bar", "aria-label": "Panels" }, el("div", { class: "tabs" }, tabs),
    el("label", { hidden: !others.length }, "Beside it: ", select));
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
  if (!tab || (view.panes.length && !offered().some(({ key }) => key === tab))) {
    return;
  }
  view.tab = tab;
  if (view.open) {
    select(view.step);
  }
}

// Opens the notes of the decision and goes to the first field to be filled.
function annotate() {
  if (!view.open) {
    showView("notes");
    return;
  }
  showTab("notes");
  (kept("annotator") ? byId("detail").querySelector(".labels") : byId("detail").querySelector(".annotator input")).focus();
}

// -- the address ----------------------------------------------------------------------------------

function remember() {
  const { open, beside, step, tab, kind } = view;
  const said = open ? new URLSearchParams({ run: open.run, episode: open.episode, step, tab }) : new URLSearchParams({ view: kind });
  if (open && beside) {
    said.set("beside", beside.run + ":" + beside.episode);
  }
  if (kind === "compare" && pairLook.first !== null) {
    said.set("pair", pairLook.first + ":" + pairLook.second);
  }
  if (kind === "search" && sought.text) {
    said.set("words", sought.text);
  }
  for (const [key, value] of Object.entries(filter.links)) {
    said.set("only-" + key, key === "only" ? JSON.stringify(value) : value);
  }
  history.replaceState(null, "", "#" + said);
}

function recall() {
  const said = new URLSearchParams(location.hash.slice(1));
  recallLinks(said);
  const find = (run, episode) => view.entries.find((entry) =>
    String(entry.run) === run && entry.episode === episode);
  const entry = find(said.get("run"), said.get("episode"));
  if (PANELS.some(({ key }) => key === said.get("tab"))) {
    view.tab = said.get("tab");
  }
  if (!entry) {
    const kind = VIEWS.some(([key]) => key === said.get("view")) ? said.get("view") : "start";
    const [first, second] = (said.get("pair") || "").split(":").map(Number);
    if (said.has("pair")) {
      Object.assign(pairLook, { first, second });
    }
    sought.text = said.get("words") || sought.text;
    showView(kind);
    return;
  }
  const [run, ...rest] = (said.get("beside") || "").split(":");
  const beside = said.has("beside") ? find(run, rest.join(":")) || null : undefined;
  openEpisode(entry, { beside, step: said.has("step") ? Number(said.get("step")) || 0 : undefined }).then(() => rows.mark(entry));
}

function recallLinks(said) {
  const links = {};
  for (const [key] of LINKED) {
    const value = said.get("only-" + key);
    if (value === null || (key === "subject" && !counting.subjects[value] && counting.ready)) {
      continue;
    }
    try {
      links[key] = key === "only" ? JSON.parse(value) : value;
    } catch {
      continue; // an address that somebody has shortened
    }
  }
  if (Object.keys(links).length) {
    filter.links = soundLinks(links);
    drawList();
  }
}

function switchTheme() {
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const now = document.documentElement.dataset.theme || (dark ? "dark" : "light");
  document.documentElement.dataset.theme = now === "dark" ? "light" : "dark";
  kept("theme", document.documentElement.dataset.theme);
}

function acts() {
  return {
    ...rows, search: () => byId("search").focus(), list: () => byId("rows").focus(),
    enter: () => (view.open ? byId("detail").focus() : rows.first()),
    step: (by) => view.open && select(view.step + by), tab: (number) => showTab((PANELS[number - 1] || {}).key),
    beside: () => byId("beside") && byId("beside").focus(), view: showView,
    note: annotate, theme: switchTheme, help: () => byId("help").showModal(),
  };
}

async function main() {
  bindKeys(acts());
  const theme = kept("theme");
  if (theme === "dark" || theme === "light") {
    document.documentElement.dataset.theme = theme;
  }
  byId("theme").addEventListener("click", switchTheme);
  byId("help-button").addEventListener("click", () => byId("help").showModal());
  byId("views").replaceChildren(...VIEWS.map(([key, title]) => el("a", { href: "#view=" + key, "data-view": key }, title)));
  try {
    Object.assign(view, await loadListing());
  } catch (error) {
    byId("detail").replaceChildren(el("p", { class: "warning" }, String(error.message)));
    return;
  }
  byId("runs").textContent = view.runs.map((run) => run.name).join(", ");
  document.title = "earsim view: " + byId("runs").textContent;
  counting.loaded = loadCounting();
  try {
    await readNotes();
  } catch (error) {
    noted.problem = String(error.message);
  }
  bindFilters();
  bindSaved();
  makeFilters();
  drawList();
  recall();
  addEventListener("hashchange", recall);
  addEventListener("beforeprint", () => view.panes.forEach((each) => each.print(true)));
  addEventListener("afterprint", () => view.panes.forEach((each) => each.print(false)));
  byId("rows").focus();
  await counting.loaded;
  drawList();
  redraw();
  if (served) {
    follow();
  }
}

// Pages of counts are drawn again when there are new ones; an episode that is read stays.
function redraw() {
  const pages = { start: startPage, failures: failuresPage, notes: notesPage };
  if (pages[view.kind]) {
    const at = byId("detail").scrollTop;
    byId("detail").replaceChildren(...pages[view.kind]());
    byId("detail").scrollTop = at;
  }
}

main();
