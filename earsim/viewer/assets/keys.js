// Keys, and the help that lists them.

function bindKeys(acts) {
  const bindings = [
    [["/"], "filter the list", acts.search],
    [["ArrowDown", "j"], "in the list: next episode", () => acts.move(1), true],
    [["ArrowUp", "k"], "in the list: previous episode", () => acts.move(-1), true],
    [["PageDown"], "in the list: a page down", () => acts.page(1), true],
    [["PageUp"], "in the list: a page up", () => acts.page(-1), true],
    [["Home"], "in the list: first episode", acts.first, true],
    [["End"], "in the list: last episode", acts.last, true],
    [["Enter"], "in the list: go to the episode", acts.enter, true],
    [["]"], "next episode", () => acts.move(1)],
    [["["], "previous episode", () => acts.move(-1)],
    [["ArrowRight", "l"], "next decision", () => acts.step(1)],
    [["ArrowLeft", "h"], "previous decision", () => acts.step(-1)],
    ...PANELS.slice(0, 9).map(({ label: title }, k) => [[String(k + 1)], title.toLowerCase(), () => acts.tab(k + 1)]),
    [["s"], "search in everything that was said", () => acts.view("search")],
    [["r"], "runs", () => acts.view("start")],
    [["c"], "compare", () => acts.view("compare")],
    [["f"], "failures", () => acts.view("failures")],
    [["n"], "annotate the decision", acts.note],
    [["m"], "floor plan large, or beside the timeline", () => view.open && switchMap()],
    [["b"], "choose an episode to set beside", acts.beside],
    [["t"], "dark or light", acts.theme],
    [["Escape"], "back to the list", acts.list],
    [["?"], "these keys", acts.help],
  ];
  byId("keys").replaceChildren(...bindings.flatMap(([keys, what]) =>
    [el("dt", null, keys.map((key) => el("kbd", null, key))), el("dd", null, what)]));
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || byId("help").open) {
      return;
    }
    const typing = event.target.closest("input:not([type=checkbox]), select, textarea");
    if (typing && event.key !== "Escape") {
      return;
    }
    const inList = byId("rows").contains(event.target);
    const found = bindings.find(([keys, , , listOnly]) => keys.includes(event.key) && (inList || !listOnly));
    if (found) {
      event.preventDefault();
      found[2]();
    }
  });
}
