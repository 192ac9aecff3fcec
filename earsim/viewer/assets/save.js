// Copies and files of what is shown; nothing leaves the machine.

function saveText(name, kind, text) {
  saveBlob(name, new Blob([text], { type: kind }));
}

function saveBlob(name, blob) {
  const url = URL.createObjectURL(blob);
  const link = el("a", { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

// A file name without anything that a system would take for more than letters.
function fileName(text, ending) {
  return text.replace(/[^A-Za-z0-9._-]+/g, "-").replace(/^[-.]+/, "").slice(0, 80) + ending;
}

function copyText(text, button) {
  copied(button, () => navigator.clipboard.writeText(text));
}

// Copies, and says on the button for a moment what came of it.
function copied(button, copy) {
  const said = button.textContent;
  const tell = (word) => { button.textContent = word; setTimeout(() => { button.textContent = said; }, 1200); };
  if (!navigator.clipboard) {
    tell("not possible here");
    return;
  }
  copy().then(() => tell("copied"), () => tell("not allowed"));
}

function act(label, does, title) {
  const button = el("button", { type: "button", class: "act", title: title || null }, label);
  button.addEventListener("click", () => does(button));
  return button;
}

const PAINTED = ["fill", "stroke", "stroke-width", "stroke-dasharray", "font-size", "font-family", "font-weight"];

// A drawing as a file of its own, with its colours in it.
function drawingText(drawing) {
  const copy = drawing.cloneNode(true);
  const [from, to] = [drawing, copy].map((root) => [root, ...root.querySelectorAll("*")]);
  from.forEach((node, k) => {
    const style = getComputedStyle(node);
    to[k].removeAttribute("style");
    to[k].removeAttribute("class");
    PAINTED.forEach((part) => to[k].setAttribute(part, style.getPropertyValue(part)));
  });
  copy.setAttribute("xmlns", SVG_NAMESPACE);
  return new XMLSerializer().serializeToString(copy);
}

const SHARPNESS = 2; // pixels of a picture for each of the drawing

// A drawing as a picture of pixels, on the colour that it stands on.
async function picture(drawing) {
  const image = new Image();
  image.src = "data:image/svg+xml," + encodeURIComponent(drawingText(drawing));
  await image.decode();
  const { width, height } = drawing.viewBox.baseVal;
  const canvas = el("canvas", { width: Math.round(SHARPNESS * width), height: Math.round(SHARPNESS * height) });
  const brush = canvas.getContext("2d");
  brush.fillStyle = getComputedStyle(byId("list")).backgroundColor;
  brush.fillRect(0, 0, canvas.width, canvas.height);
  brush.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}

// What can be done with a drawing; `drawing()` is what is shown now.
function figureActs(name, drawing) {
  return [
    act("Copy figure", (button) => copied(button, () => navigator.clipboard.write([new ClipboardItem({ "image/png": picture(drawing()) })])), "As a picture"),
    act("PNG", async () => saveBlob(fileName(name, ".png"), await picture(drawing())), "Save as pixels"),
    act("SVG", () => saveText(fileName(name, ".svg"), "image/svg+xml", drawingText(drawing())), "Save as a drawing"),
  ];
}

function figure(name, drawing) {
  return el("div", { class: "figured" }, drawing, el("div", { class: "pair acts" }, figureActs(name, () => drawing)));
}

// A table with what can be done with it.
function tableBox(name, table, kind = "wide") {
  return el("div", { class: "tabled" }, el("div", { class: kind }, table), el("div", { class: "pair acts" },
    act("Copy table", (button) => copyText(tableText(table, "\t"), button), "Its cells, for a spreadsheet"),
    act("Save table", () => saveText(fileName(name, ".csv"), "text/csv", tableText(table)), "As CSV")));
}

// A table as CSV, or with tabs; no cell can become a formula.
function tableText(table, between = ",") {
  const cell = (text) => {
    const safe = /^[=+\-@\t\r]/.test(text) && Number.isNaN(Number(text)) ? "'" + text : text;
    return between === "\t" ? safe : '"' + safe.replace(/"/g, '""') + '"';
  };
  return [...table.rows].map((row) => [...row.cells].map((each) =>
    cell(each.innerText.trim().replace(/\s+/g, " "))).join(between)).join("\n") + "\n";
}

// An episode to be read elsewhere: what was asked, and every decision with its outcomes.
function transcript(entry, data) {
  const decisions = data.steps.map((step, k) => [step.commands === null ? k + "  (no command could be read)" : null,
    ...callsAt(data, k).filter((call) => step.commands === null && call.reply).map((call) => "   reply: " + call.reply),
    ...step.outcomes.map(({ agent, command, reason, message }) => k + "  " + agent + "> " + command + "\n   " + [reason === null ? "ok" : "refused, " + reason, message].filter(Boolean).join(": "))]);
  return [entry.scenario_id + " (" + entry.outcome + ", ended by " + entry.termination + ")", data.instruction, ...decisions.flat()].filter(Boolean).join("\n") + "\n";
}
