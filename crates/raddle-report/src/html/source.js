// The sources: lines of steps are marked with the threads that run them, the line of the current step stands out, and invariants stand above the line where they hold.

const KEYWORDS = new Set(
  ("auto break case char const continue default do double else enum extern float for goto if inline int long register " +
    "restrict return short signed sizeof static struct switch typedef union unsigned void volatile while _Atomic _Bool " +
    "_Thread_local bool true false NULL").split(" "),
);
const TOKEN = /(\/\/.*|\/\*.*?(?:\*\/|$)|^\s*#.*)|("(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?)|\b(\d[\w.]*)|([A-Za-z_]\w*)|\s+|[^\w\s"'/]+|./g;

// A line of C as text nodes and spans. `inside`: it begins within a comment. Returns the nodes and whether the next one does.
function coloured(line, inside) {
  const nodes = [];
  if (inside) {
    const end = line.indexOf("*/");
    if (end < 0) return [[make("span", { class: "comment" }, line)], true];
    nodes.push(make("span", { class: "comment" }, line.slice(0, end + 2)));
    line = line.slice(end + 2);
  }
  let open = false;
  for (const [text, remark, string, number, word] of line.matchAll(TOKEN)) {
    if (remark !== undefined) {
      open = isOpen(remark);
      nodes.push(make("span", { class: remark.startsWith("/") ? "comment" : "directive" }, text));
    } else if (string !== undefined) nodes.push(make("span", { class: "string" }, text));
    else if (number !== undefined) nodes.push(make("span", { class: "number" }, text));
    else if (word !== undefined && KEYWORDS.has(word)) nodes.push(make("span", { class: "keyword" }, text));
    else nodes.push(text);
  }
  return [nodes, open];
}

// Whether the line after begins within a comment.
function endsInside(line, inside) {
  if (!inside && !line.includes("/*")) return false;
  if (inside) {
    const end = line.indexOf("*/");
    return end < 0 || endsInside(line.slice(end + 2), false);
  }
  let open = false;
  for (const [, remark] of line.matchAll(TOKEN)) {
    if (remark !== undefined) open = isOpen(remark);
  }
  return open;
}

function isOpen(remark) {
  return remark.startsWith("/*") && !(remark.length > 3 && remark.endsWith("*/"));
}

// Which threads run which lines, by file and line.
function threadsOfLines() {
  const lines = new Map();
  for (const step of steps) {
    const key = `${step.file}:${step.line}`;
    if (!lines.has(key)) lines.set(key, { threads: new Set(), needed: new Set() });
    lines.get(key).threads.add(step.thread);
    if (step.needed) lines.get(key).needed.add(step.thread);
  }
  return lines;
}

function invariantsOfLines() {
  const lines = new Map();
  for (const [[file, line], fn, expression] of data.proof ? data.proof.invariants : []) {
    const key = `${file}:${line}`;
    if (!lines.has(key)) lines.set(key, []);
    lines.get(key).push({ fn, expression });
  }
  return lines;
}

// The first step of a line that comes after the current one, or else the first of all.
function selectLine(file, line) {
  const here = steps.filter((step) => step.file === file && step.line === line && (step.needed || state.all));
  const next = here.find((step) => step.number > state.current) || here[0];
  if (next) select(next.number);
}

function sourceView() {
  const executed = threadsOfLines();
  const invariants = invariantsOfLines();
  const panels = new Map();
  files.forEach((file, number) => file.lines && panels.set(number, filePanel(file, number, executed, invariants)));
  if (panels.size === 0) return null;
  const blocks = [...panels].flatMap(([number, panel]) => [panels.size > 1 && make("div", { class: "file-name" }, files[number].path), panel.block]);
  const body = make("div", { class: "code", tabindex: "0", role: "region", "aria-label": "Source" }, blocks);
  const row = (file, line) => panels.get(file) && panels.get(file).row(line);
  let marked = null;
  listeners.push((step) => {
    if (marked) marked.classList.remove("current");
    marked = row(step.file, step.line);
    if (!marked) return;
    marked.classList.add("current");
    marked.style.setProperty("--hue", hue(step.thread));
    reveal(body, marked, 90);
  });
  const reveals = (file, line) => reveal(body, row(file, line), 90);
  return { view: make("div", { class: "panel source" + (steps.length > 0 ? "" : " plain") }, make("h3", {}, "Source"), body), reveals };
}

const CHUNK = 100;

// The lines of a file, in chunks: one is made when a line of it is asked for, or when there is time. Preprocessed files have tens of thousands.
function filePanel(file, number, executed, invariants) {
  const rows = new Map();
  const block = make("div", { class: "file" });
  const chunks = [];
  let inside = false;
  for (let first = 0; first < file.lines.length; first += CHUNK) {
    const lines = file.lines.slice(first, first + CHUNK);
    const element = make("div", { class: "chunk pending", "--lines": lines.length });
    chunks.push({ element, first, lines, inside, filled: false });
    block.append(element);
    for (const line of lines) inside = endsInside(line, inside);
  }
  const fillChunk = (chunk) => {
    if (chunk.filled) return;
    chunk.filled = true;
    let within = chunk.inside;
    chunk.lines.forEach((line, index) => {
      const at = chunk.first + index + 1;
      const key = `${number}:${at}`;
      const [nodes, open] = coloured(line, within);
      within = open;
      rows.set(at, lineRow(number, at, nodes, executed.get(key)));
      chunk.element.append(...(invariants.get(key) || []).map((one) => invariantRow(one, line)), rows.get(at));
    });
    chunk.element.classList.remove("pending");
  };
  whenThereIsTime(chunks, fillChunk);
  const row = (line) => {
    const chunk = chunks[Math.floor((line - 1) / CHUNK)];
    if (chunk) fillChunk(chunk);
    return rows.get(line);
  };
  return { block, row };
}

// Longer ones are in the list in full.
const LONGEST_INVARIANT = 96;

// Splits an expression at an operator outside parentheses, and its operands again: `(a || b) || c` is a, b, c.
function operands(expression, operator) {
  let text = expression.trim();
  while (text.startsWith("(") && closing(text, 0) === text.length - 1) text = text.slice(1, -1).trim();
  const parts = [];
  let begin = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === "(") at = closing(text, at);
    else if (text.startsWith(operator, at)) {
      parts.push(text.slice(begin, at));
      at += operator.length - 1;
      begin = at + 1;
    }
  }
  return parts.length === 0 ? [text] : [...parts, text.slice(begin)].flatMap((part) => operands(part, operator));
}

// Where the parenthesis at a position is closed.
function closing(text, from) {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    if (text[at] === "(") depth += 1;
    else if (text[at] === ")" && --depth === 0) return at;
  }
  return text.length;
}

// The same expression without parentheses that say nothing, a line for each case.
function cases(expression) {
  const alternatives = operands(expression, "||").map((one) => operands(one, "&&"));
  const loose = (text, all) => (text.includes("?") && alternatives.flat().length > 1) || (all.length > 1 && operands(text, "||").length > 1);
  return alternatives.map((all) => all.map((one) => (loose(one, all) ? `(${one})` : one)).join(" && "));
}

// Casts and suffixes step back, so that the rest can be read.
function withoutNoise(text) {
  const parts = text.split(/(\((?:(?:unsigned|signed|int|long|short|char)(?: |(?=\))))+\)|(?<=\d)U?L{0,2}\b)/);
  return parts.map((part, index) => (index % 2 === 1 && part !== "" ? make("span", { class: "cast" }, part) : part));
}

function invariantRow({ fn, expression }, line) {
  const plain = cases(expression).join(" || ");
  const indent = line.match(/^\s*/)[0];
  return make(
    "div",
    { class: "invariant", title: `always holds here, in ${fn}: ${expression}` },
    make("span", { class: "line-number", "aria-hidden": "true" }, "⊢"),
    make("span", { class: "threads" }),
    make("code", {}, indent, make("span", { class: "holds" }, make("span", { class: "hidden" }, "Invariant: "), withoutNoise(shortened(plain, LONGEST_INVARIANT)))),
  );
}

function lineRow(file, line, nodes, run) {
  const bad = story && story.at[0] === file && story.at[1] === line;
  const stuck = data.reason && data.reason.at && data.reason.at[0] === file && data.reason.at[1] === line;
  const names = ["line"];
  if (run) names.push(run.needed.size > 0 ? "needed" : "run");
  if (bad) names.push("bad");
  if (stuck) names.push("stuck");
  const threads = run ? [...(run.needed.size > 0 ? run.needed : run.threads)].sort((a, b) => a - b) : [];
  const discs = threads.length > 3 ? [...threads.slice(0, 2).map(disc), "…"] : threads.map(disc);
  const attributes = { class: names.join(" ") };
  if (run) attributes.onclick = () => selectLine(file, line);
  return make(
    "div",
    attributes,
    make("span", { class: "line-number" }, bad ? "✗ " : stuck ? "? " : "", String(line)),
    make("span", { class: "threads" }, discs),
    make("code", {}, nodes.length > 0 ? nodes : "\n"),
  );
}
