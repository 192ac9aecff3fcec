// Elements out of parts. Text becomes text nodes only: nothing that is shown is ever parsed.

const byId = (id) => document.getElementById(id);

function el(tag, attributes, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

const SVG_NAMESPACE =
  new DOMParser().parseFromString("<svg></svg>", "text/html").querySelector("svg").namespaceURI;

// Of a drawing.
function svg(tag, attributes, ...children) {
  return filled(document.createElementNS(SVG_NAMESPACE, tag), attributes, children);
}

function filled(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value !== null && value !== undefined && value !== false) {
      node.setAttribute(name, value === true ? "" : String(value));
    }
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined)
    .map((child) => (child instanceof Node ? child : document.createTextNode(String(child)))));
  return node;
}

// A name that may be broken after its slashes and underscores.
function breakable(name) {
  return String(name).split(/(?<=[/_])/).flatMap((part, k) => (k ? [el("wbr"), part] : [part]));
}

const quiet = (text) => el("p", { class: "quiet" }, text);

// Outcomes and reasons are told by a word, never by colour alone.
function badge(kind, text) {
  return el("span", { class: "badge " + kind }, text);
}

const OUTCOMES = { success: "good", failure: "bad", no_measurement: "none" };

function outcomeBadge(outcome) {
  return badge(OUTCOMES[outcome] || "none", String(outcome).replace(/_/g, " "));
}
