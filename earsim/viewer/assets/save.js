// Copies and files of what is shown; nothing leaves the machine.

function saveText(name, kind, text) {
  const url = URL.createObjectURL(new Blob([text], { type: kind }));
  const link = el("a", { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

// A file name without anything that a system would take for more than letters.
function fileName(text, ending) {
  return text.replace(/[^A-Za-z0-9._-]+/g, "-").replace(/^[-.]+/, "").slice(0, 80) + ending;
}

function copyText(text, button) {
  const said = button.textContent;
  const tell = (word) => { button.textContent = word; setTimeout(() => { button.textContent = said; }, 1200); };
  if (!navigator.clipboard) {
    tell("not possible here");
    return;
  }
  navigator.clipboard.writeText(text).then(() => tell("copied"), () => tell("not allowed"));
}

function act(label, does, title) {
  const button = el("button", { type: "button", class: "act", title: title || null }, label);
  button.addEventListener("click", () => does(button));
  return button;
}

const PAINTED = ["fill", "stroke", "stroke-width", "stroke-dasharray", "font-size", "font-family", "font-weight"];

// A drawing with its colours in it, as a file of its own.
function saveDrawing(name, drawing) {
  const copy = drawing.cloneNode(true);
  const [from, to] = [drawing, copy].map((root) => [root, ...root.querySelectorAll("*")]);
  from.forEach((node, k) => {
    const style = getComputedStyle(node);
    to[k].removeAttribute("style");
    to[k].removeAttribute("class");
    PAINTED.forEach((part) => to[k].setAttribute(part, style.getPropertyValue(part)));
  });
  copy.setAttribute("xmlns", SVG_NAMESPACE);
  saveText(fileName(name, ".svg"), "image/svg+xml", new XMLSerializer().serializeToString(copy));
}

// A table as CSV; no cell can become a formula.
function tableText(table) {
  const cell = (text) => {
    const safe = /^[=+\-@\t\r]/.test(text) && Number.isNaN(Number(text)) ? "'" + text : text;
    return '"' + safe.replace(/"/g, '""') + '"';
  };
  return [...table.rows].map((row) => [...row.cells].map((each) =>
    cell(each.innerText.trim().replace(/\s+/g, " "))).join(",")).join("\n") + "\n";
}
