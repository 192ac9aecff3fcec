// A run in progress: the page asks whether episodes have come, and counts again if so.

const ASK_AGAIN_MS = 3000;
const ASK_SELDOM_MS = 15000;

function follow() {
  let before = JSON.stringify(view.runs.map((run, k) => view.entries.filter((entry) => entry.run === k).length));
  let annotated = "";
  async function ask() {
    let going = true;
    try {
      const state = await loadState();
      const now = JSON.stringify(state.map(([finished]) => finished));
      const written = JSON.stringify(state.map(([, , bytes]) => bytes));
      const [done, planned] = [0, 1].map((k) => state.reduce((sum, each) => sum + each[k], 0));
      going = done < planned;
      byId("live").textContent = going ? done + " of " + planned + " episodes" : "";
      if (written !== annotated) {
        annotated = written;
        takeNotes(await loadNotes());
        drawList();
        redraw();
      }
      if (now !== before) {
        before = now;
        await refresh();
      }
    } catch {
      byId("live").textContent = "the server is gone";
    }
    setTimeout(ask, going ? ASK_AGAIN_MS : ASK_SELDOM_MS);
  }
  ask();
}

async function refresh() {
  const listed = await loadListing();
  keptEpisodes.clear(); // they are kept by their place in the list
  const again = (entry) => entry && listed.entries.find((each) => each.run === entry.run && each.episode === entry.episode);
  Object.assign(view, listed, { open: again(view.open) || null, beside: again(view.beside) || null });
  keptComparisons = null;
  keptShared.clear();
  await loadCounting();
  makeFilters();
  drawList();
  redraw();
}
