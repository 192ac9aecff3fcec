// Rows of unequal heights of which only those in sight exist, so tens of thousands scroll like ten.

const ROWS_PRINTED = 3000; // at most; of more those around what is in sight
const ROWS_MARGIN = 400; // pixels above and below what is in sight

// Sums of heights: the place of a row and the row at a place, each in some twenty steps.
function heightSums(count, each) {
  const sums = new Float64Array(count + 1);
  const heights = new Float64Array(count).fill(each);
  for (let k = 1; k <= count; k += 1) {
    sums[k] += each;
    const above = k + (k & -k);
    if (above <= count) {
      sums[above] += sums[k];
    }
  }
  function set(row, height) {
    const more = height - heights[row];
    heights[row] = height;
    for (let k = row + 1; more && k <= count; k += k & -k) {
      sums[k] += more;
    }
    return more;
  }
  function top(row) {
    let sum = 0;
    for (let k = row; k > 0; k -= k & -k) {
      sum += sums[k];
    }
    return sum;
  }
  function at(place) {
    let [row, left] = [0, place];
    for (let bit = 2 ** Math.floor(Math.log2(count || 1)); bit >= 1; bit /= 2) {
      if (row + bit <= count && sums[row + bit] <= left) {
        row += bit;
        left -= sums[row];
      }
    }
    return Math.min(row, Math.max(0, count - 1));
  }
  return { set, top, at, height: (row) => heights[row] };
}

// Fills `body`, a part of a table in the scrolling `box`, with rows that `make(k)` makes.
function virtualRows(box, body, count, columns, make) {
  const sums = heightSums(count, 64);
  const spacer = () => el("tr", { class: "spacer", "aria-hidden": "true" }, el("td", { colspan: columns }));
  const [above, below] = [spacer(), spacer()];
  const shown = new Map();
  let whole = false;
  body.replaceChildren(above, below);
  const offset = () => body.parentElement.tHead.offsetHeight;

  function place() {
    const seen = box.clientHeight || 700;
    const first = whole ? 0 : sums.at(Math.max(0, box.scrollTop - ROWS_MARGIN));
    const last = whole ? count - 1 : sums.at(box.scrollTop + seen + ROWS_MARGIN);
    for (const [k, row] of shown) {
      if (k < first || k > last) {
        row.remove();
        shown.delete(k);
      }
    }
    let next = below;
    for (let k = Math.min(last, count - 1); k >= first; k -= 1) {
      const row = shown.get(k) || make(k);
      if (!shown.has(k)) {
        body.insertBefore(row, next);
        shown.set(k, row);
      }
      next = row;
    }
    above.firstChild.style.height = sums.top(first) + "px";
    below.firstChild.style.height = sums.top(count) - sums.top(Math.min(last + 1, count)) + "px";
    above.hidden = first === 0;
    below.hidden = last >= count - 1;
  }

  // Rows that turn out higher than was thought move nothing that is being read.
  function measure() {
    const anchor = sums.at(Math.max(0, box.scrollTop - offset()));
    let moved = 0;
    let changed = false;
    for (const [k, row] of shown) {
      const more = row.offsetHeight ? sums.set(k, row.offsetHeight) : 0;
      changed = changed || Math.abs(more) > 0.5;
      moved += k < anchor ? more : 0;
    }
    if (moved) {
      box.scrollTop += moved;
    }
    return changed;
  }

  function draw() {
    for (let turn = 0; turn < 4; turn += 1) {
      place();
      if (!measure()) {
        break;
      }
    }
  }

  // How much of the box the window shows, if that is enough to read a row in.
  function inWindow() {
    const seen = innerHeight - box.getBoundingClientRect().top;
    return seen < 160 ? box.clientHeight : Math.min(seen, box.clientHeight);
  }

  // Brings a row into sight by scrolling the box alone: the page stays where the reader has it.
  function reveal(k) {
    draw();
    for (let turn = 0; turn < 3; turn += 1) {
      const top = sums.top(k);
      const least = top + sums.height(k) + offset() - inWindow();
      box.scrollTop = Math.max(Math.min(box.scrollTop, top), Math.min(least, top));
      draw();
    }
  }

  box.addEventListener("scroll", draw, { passive: true });
  new ResizeObserver(draw).observe(box);
  if (count) {
    draw();
  }
  // Makes the rows in sight anew.
  function again() {
    shown.forEach((row) => row.remove());
    shown.clear();
    draw();
  }

  // For print: every row, or those in sight again.
  function print(all) {
    whole = all && count <= ROWS_PRINTED;
    draw();
  }

  return { again, print, reveal: (k) => count && k >= 0 && reveal(k), row: (k) => shown.get(k), shown };
}
