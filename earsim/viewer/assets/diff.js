// Lines that differ between two texts, with a line around them.

const MOST_COMPARED = 1500; // lines; of longer texts the middle is told as replaced

// Pairs of a sign and a line: `+` has come, `-` has gone, a blank is the same as before.
function changedLines(before, after) {
  const [old, now] = [before.split("\n"), after.split("\n")];
  let head = 0;
  while (head < old.length && head < now.length && old[head] === now[head]) {
    head += 1;
  }
  let tail = 0;
  while (tail < old.length - head && tail < now.length - head &&
    old[old.length - 1 - tail] === now[now.length - 1 - tail]) {
    tail += 1;
  }
  const middle = alignedLines(old.slice(head, old.length - tail), now.slice(head, now.length - tail));
  const whole = [...now.slice(0, head).map((line) => [" ", line]), ...middle,
    ...now.slice(now.length - tail).slice(0, tail).map((line) => [" ", line])];
  const near = (k) => whole.slice(Math.max(0, k - 1), k + 2).some(([sign]) => sign !== " ");
  return whole.filter(([, line], k) => near(k) && (line || whole[k][0] !== " "));
}

// Longest common subsequence of lines.
function alignedLines(old, now) {
  if (old.length > MOST_COMPARED || now.length > MOST_COMPARED) {
    return [...old.map((line) => ["-", line]), ...now.map((line) => ["+", line])];
  }
  const wide = now.length + 1;
  const best = new Uint16Array((old.length + 1) * wide);
  for (let i = old.length - 1; i >= 0; i -= 1) {
    for (let j = now.length - 1; j >= 0; j -= 1) {
      best[i * wide + j] = old[i] === now[j] ? best[(i + 1) * wide + j + 1] + 1
        : Math.max(best[(i + 1) * wide + j], best[i * wide + j + 1]);
    }
  }
  const found = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < now.length) {
    if (i < old.length && j < now.length && old[i] === now[j]) {
      found.push([" ", old[i]]);
      [i, j] = [i + 1, j + 1];
    } else if (j === now.length || (i < old.length && best[(i + 1) * wide + j] >= best[i * wide + j + 1])) {
      found.push(["-", old[i]]);
      i += 1;
    } else {
      found.push(["+", now[j]]);
      j += 1;
    }
  }
  return found;
}
