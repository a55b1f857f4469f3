// Making elements. Text comes in as text nodes only: nothing here reads markup.

const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name.startsWith("--")) element.style.setProperty(name, value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value);
  }
  for (const child of children.flat(2)) {
    if (child !== null && child !== undefined && child !== false) element.append(child);
  }
  return element;
}

function make(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

function draw(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

function counted(number, one, many = one + "s") {
  return `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
}

function shortened(text, longest) {
  const characters = [...text];
  return characters.length > longest ? characters.slice(0, longest - 1).join("") + "…" : text;
}

// A section of the page with a heading; `about` says in a sentence what it shows.
function section(id, title, about, ...children) {
  const heading = make("h2", { id: id + "-title" }, title);
  const words = about && make("p", { class: "about" }, about);
  return make("section", { id, "aria-labelledby": id + "-title" }, heading, words, ...children);
}

// Scrolls a panel, and never the page, until the element is inside it.
function reveal(panel, element, margin = 48) {
  if (!element) return;
  const outer = panel.getBoundingClientRect();
  const inner = element.getBoundingClientRect();
  const room = Math.min(margin, Math.max(0, (outer.height - inner.height) / 2));
  if (inner.top < outer.top + room) panel.scrollTop -= outer.top + room - inner.top;
  else if (inner.bottom > outer.bottom - room) panel.scrollTop += inner.bottom - outer.bottom + room;
}

// So long, in milliseconds, things are made before the browser gets its turn.
const SLICE = 12;

// Does the first now and the others later, a slice at a time.
function whenThereIsTime(things, action, afterSlice = () => {}) {
  let next = 0;
  const slice = () => {
    const end = performance.now() + SLICE;
    while (next < things.length && performance.now() < end) action(things[next++]);
    afterSlice();
    if (next < things.length) setTimeout(slice);
  };
  if (things.length > 0) action(things[next++]);
  if (next < things.length) setTimeout(slice);
}

// Colours of threads go around; the number is always written beside.
function hue(thread) {
  return `var(--thread-${thread % 8})`;
}

// The number of a thread in a disc of its colour.
function disc(thread) {
  return make("span", { class: "disc", "--hue": hue(thread), title: `thread ${thread}` }, String(thread));
}
