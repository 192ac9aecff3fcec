// Where data come from: the server, or elements of this document, each read when it is needed.

const served = JSON.parse(byId("facts").textContent).served;
const token = takeToken();
const KEPT_EPISODES = 12;
const keptEpisodes = new Map();

// What lets this page write: told by the address it was opened by, and kept out of the ones it makes.
function takeToken() {
  const said = new URLSearchParams(location.hash.slice(1));
  const found = said.get("token");
  try {
    if (found !== null) {
      said.delete("token");
      history.replaceState(null, "", "#" + said);
      sessionStorage.setItem("earsim-view-token", found);
    }
    return served ? found || sessionStorage.getItem("earsim-view-token") : null;
  } catch {
    return served ? found : null;
  }
}

async function loadListing() {
  const listed = served ? await fetched("/listing") : JSON.parse(byId("listing").textContent);
  const entries = listed.rows.map((row, n) => {
    const entry = { n };
    listed.columns.forEach((column, i) => { entry[column] = row[i]; });
    return entry;
  });
  return { runs: listed.runs, entries };
}

// What the runs amount to, and every two of their subjects compared.
const loadOverview = () => (served ? fetched("/overview") : unpacked("overview"));

const loadComparisons = () => (served ? fetched("/comparisons") : unpacked("comparisons"));

// One pair by category.
async function loadComparison(first, second) {
  return served ? fetched("/comparison?" + new URLSearchParams({ first, second })) : (await unpacked("comparisons-" + first))[second - first - 1];
}

const loadNotes = () => (served ? fetched("/notes") : JSON.parse(byId("notes").textContent));

function postNote({ run, ...note }) {
  return fetched("/notes?" + new URLSearchParams({ run }), { method: "POST", headers: { Authorization: "Bearer " + token,
    "Content-Type": "application/json" }, body: JSON.stringify({ schema: "earsim.annotation/1", ...note }) });
}

// Finished and planned episodes of every run; only a server can tell what has come since.
const loadState = () => fetched("/state");

// The texts of all episodes of a run, in parts.
async function* textsOf(run) {
  let after = "";
  for (let part = 0; ; part += 1) {
    const id = "texts-" + run + "-" + part;
    const texts = served ? await fetched("/texts?" + new URLSearchParams({ run, after }))
      : byId(id) ? await unpacked(id) : [];
    if (!texts.length) {
      return;
    }
    yield texts;
    after = texts[texts.length - 1][0];
  }
}

async function loadEpisode(entry) {
  if (!keptEpisodes.has(entry.n)) {
    keptEpisodes.set(entry.n, served ? asked(entry) : unpacked("episode-" + entry.n));
    if (keptEpisodes.size > KEPT_EPISODES) {
      keptEpisodes.delete(keptEpisodes.keys().next().value);
    }
  }
  try {
    return await keptEpisodes.get(entry.n);
  } catch (error) {
    keptEpisodes.delete(entry.n); // the next time it may be there
    throw error;
  }
}

function asked(entry) {
  return fetched("/episode?" + new URLSearchParams({ run: entry.run, episode: entry.episode }));
}

async function fetched(path, options) {
  const answer = await fetch(path, options);
  if (!answer.ok) {
    throw new Error(await answer.text());
  }
  return answer.json();
}

async function unpacked(id) {
  const bytes = Uint8Array.from(atob(byId(id).textContent), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).json();
}
