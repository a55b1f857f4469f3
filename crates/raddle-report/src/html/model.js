// The data of the report, what follows from them, and the one thing that changes: the current step.

const data = JSON.parse(document.getElementById("data").textContent);
const files = data.files.map((file) => ({
  path: file.path,
  lines: file.text === null ? null : file.text.replace(/\r?\n$/, "").split(/\r?\n/),
}));
const story = data.story;
const steps = story ? story.steps.map(decodeStep) : [];

function decodeStep(step, index) {
  const [thread, fn] = step.t;
  const [file, line, column] = step.p;
  const lines = files[file] && files[file].lines;
  const written = step.s !== undefined ? step.s : (lines && lines[line - 1] ? lines[line - 1].trim() : "");
  return {
    number: index + 1,
    thread,
    function: story.functions[fn],
    file,
    line,
    column,
    text: written,
    needed: !step.folded,
    locks: step.locks || [],
    accesses: (step.a || []).map(([kind, name, value, from]) => ({
      write: kind[0] === "w" || kind[0] === "W",
      shared: kind[0] === "R" || kind[0] === "W",
      needed: kind.length === 1,
      name,
      value,
      from: Math.max(0, from),
      initial: from < 0,
    })),
    // The violation itself is told at the end.
    notes: (step.notes || []).filter((note) => index < story.steps.length - 1 || note !== story.violation),
    // Does another thread go on here, among all steps and among those that are needed?
    switched: false,
    turned: false,
  };
}

let lastThread = null;
let lastNeeded = null;
for (const step of steps) {
  step.switched = lastThread !== null && lastThread !== step.thread;
  lastThread = step.thread;
  if (!step.needed) continue;
  step.turned = lastNeeded !== null && lastNeeded !== step.thread;
  lastNeeded = step.thread;
}

function placeText(file, line) {
  if (!files[file] || !line) return "";
  if (files.length === 1) return `line ${line}`;
  return `${files[file].path.split("/").pop()}:${line}`;
}

// "reads x = 1 (from step 4)"
function accessText(access) {
  const verb = access.write ? "writes" : "reads";
  const origin = access.write || !access.shared ? "" : access.from ? ` (from step ${access.from})` : access.initial ? " (initial value)" : "";
  return `${verb} ${access.name} = ${access.value}${origin}`;
}

// What a value belongs to: shared memory has its name, a local variable its thread and function too.
function accessKey(step, access) {
  return access.shared ? access.name : `${step.thread}\n${step.function}\n${access.name}`;
}

// For every name its values in the order of the steps. A read tells a value where another one, or none, was known: what
// wrote it has another name, or is not told.
const histories = new Map();
for (const step of steps) {
  for (const access of step.accesses) {
    const key = accessKey(step, access);
    let history = histories.get(key);
    if (!history) {
      history = { name: access.name, shared: access.shared, thread: step.thread, function: step.function, values: [], needed: false };
      histories.set(key, history);
    }
    history.needed = history.needed || step.needed;
    if (access.write) history.values.push({ step: step.number, value: access.value, write: true });
    else if (history.values.length === 0 && access.initial) history.values.push({ step: 0, value: access.value, write: false });
    else if (history.values.length === 0 || history.values.at(-1).value !== access.value) history.values.push({ step: step.number, value: access.value, write: false });
  }
}

// The position of the last value at or before a step; -1: none is known.
function valueAt(history, number) {
  let low = 0;
  let high = history.values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (history.values[middle].step <= number) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

const folded = steps.filter((step) => !step.needed).length;
const state = { current: 0, all: folded === steps.length };
const listeners = [];

function visible(step) {
  return state.all || step.needed;
}

function isSwitch(step) {
  return state.all ? step.switched : step.turned;
}

// Makes a step the current one and tells everybody.
function select(number) {
  const step = steps[number - 1];
  if (!step) return;
  state.current = number;
  if (!visible(step)) showAll(true);
  for (const listener of listeners) listener(step);
}

const showing = [];
function showAll(all) {
  state.all = all;
  for (const listener of showing) listener();
  const step = steps[state.current - 1];
  if (step && !visible(step)) select(nearest(state.current));
}

function nearest(number) {
  for (let distance = 0; distance <= steps.length; distance++) {
    for (const other of [number - distance, number + distance]) {
      if (steps[other - 1] && visible(steps[other - 1])) return other;
    }
  }
  return number;
}

// The next visible step in a direction that fits; 0: none.
function neighbour(direction, fits = () => true) {
  for (let number = state.current + direction; number >= 1 && number <= steps.length; number += direction) {
    if (visible(steps[number - 1]) && fits(steps[number - 1])) return number;
  }
  return 0;
}

function move(direction, fits) {
  const number = neighbour(direction, fits);
  if (number) select(number);
}

function firstStep() {
  const step = steps.find(visible);
  if (step) select(step.number);
}

function lastStep() {
  const step = steps.findLast(visible);
  if (step) select(step.number);
}
