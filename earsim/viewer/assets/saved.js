// What is kept in this browser: the theme, and filters under a name.

// What was kept under a key, or keeps it; nothing where a browser keeps nothing.
function kept(key, value) {
  try {
    if (value !== undefined) {
      localStorage.setItem("earsim-view-" + key, value);
    }
    return localStorage.getItem("earsim-view-" + key);
  } catch {
    return null;
  }
}

const FILTER_KEYS = ["search", "sort", "descending", "differ", "links", ...CHOICES.map(([key]) => key)];

function savedFilters() {
  try {
    const found = JSON.parse(kept("filters") || "[]");
    return Array.isArray(found) ? found.filter((each) => Array.isArray(each) && typeof each[0] === "string" && each[1]) : [];
  } catch {
    return []; // something else wrote there
  }
}

function bindSaved() {
  const found = savedFilters();
  const name = el("input", { type: "text", placeholder: "Name of this filter", "aria-label": "Name of this filter", maxlength: 60 });
  const keep = el("button", { type: "button" }, "Save filter");
  keep.addEventListener("click", () => {
    if (name.value.trim()) {
      const now = Object.fromEntries(FILTER_KEYS.map((key) => [key, filter[key]]));
      kept("filters", JSON.stringify([...found.filter(([title]) => title !== name.value.trim()), [name.value.trim(), now]]));
      bindSaved();
    }
  });
  byId("saved").replaceChildren(el("div", { class: "pair" }, name, keep), el("div", { class: "pair" },
    found.map(([title, values]) => {
      const use = el("button", { type: "button", class: "chip", title: "Use this filter" }, title);
      use.addEventListener("click", () => useFilter(values));
      const forget = el("button", { type: "button", class: "chip", title: "Forget " + title, "aria-label": "Forget " + title }, "\u00d7");
      forget.addEventListener("click", () => { kept("filters", JSON.stringify(found.filter(([each]) => each !== title))); bindSaved(); });
      return el("span", { class: "kept" }, use, forget);
    })));
}

function useFilter(values) {
  FILTER_KEYS.forEach((key) => { filter[key] = values[key]; });
  Object.assign(filter, { search: String(filter.search || ""), links: soundLinks(filter.links || {}), sort: filter.sort || "n" });
  byId("search").value = filter.search;
  byId("descending").checked = Boolean(filter.descending);
  byId("differ").checked = Boolean(filter.differ);
  makeFilters();
  drawList();
}
