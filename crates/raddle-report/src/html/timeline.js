// The execution, step by step, with a lane for each thread. It is a list box: one stop for the tab key, and keys walk the steps.

const MOST_ACCESSES = 4;
// With more threads, or on a narrow screen, lanes shrink to a rail and the text stands beside them.
const MOST_WIDE_LANES = 3;

function timelineView() {
  const lanes = story.threads.length;
  const list = make("div", {
    class: "steps",
    id: "steps",
    role: "listbox",
    tabindex: "0",
    "aria-label": "Steps of the execution",
    "aria-describedby": "keys",
  });
  const items = make("div", { class: "items", role: "presentation" });
  if (story.omitted > 0) {
    items.append(make("div", { class: "fold always" }, `${counted(story.omitted, "step")} not told: the execution is too long`));
  }
  let marked = null;
  // Heights change while rows are made: the current step stays in sight until the reader scrolls.
  let follows = true;
  const follow = () => follows && marked && reveal(list, marked, 64);
  const row = rowsOnDemand(items, follow);
  for (const name of ["wheel", "touchmove", "pointerdown"]) list.addEventListener(name, () => (follows = false), { passive: true });
  list.append(laneHeads(), items);
  list.addEventListener("click", (event) => {
    const clicked = event.target.closest(".step");
    if (clicked) select(Number(clicked.dataset.step));
    else if (event.target.closest(".fold")) showAll(true);
  });
  list.addEventListener("keydown", walkKeys);
  listeners.push((step) => {
    if (marked) {
      marked.classList.remove("current");
      marked.setAttribute("aria-selected", "false");
    }
    marked = row(step);
    marked.classList.add("current");
    marked.setAttribute("aria-selected", "true");
    list.setAttribute("aria-activedescendant", marked.id);
    follows = true;
    follow();
    requestAnimationFrame(follow);
  });
  const refresh = () => list.classList.toggle("all", state.all);
  showing.push(refresh);
  refresh();
  const names = "panel timeline" + (lanes > MOST_WIDE_LANES ? " rail" : lanes === 1 ? " single" : "");
  return make("div", { class: names, "--lanes": lanes, "--digits": String(steps.length).length }, make("h3", {}, lanes > 1 ? "Timeline" : "Steps"), list);
}

const GROUP = 50;

// Rows are made in groups: that of a step when it is asked for, the others when there is time. A long story opens at once.
function rowsOnDemand(items, filled) {
  const rows = new Array(steps.length);
  const groups = [];
  for (let first = 0; first < steps.length; first += GROUP) {
    const part = steps.slice(first, first + GROUP);
    const element = make("div", { class: "group pending", role: "presentation", "--rows": part.filter(visible).length });
    groups.push({ element, first, filled: false });
    items.append(element);
  }
  const fillGroup = (group) => {
    if (group.filled) return;
    group.filled = true;
    const part = steps.slice(group.first, group.first + GROUP);
    group.element.append(...part.flatMap((step) => (rows[step.number - 1] = stepRow(step)) && [foldBefore(step), rows[step.number - 1]].filter(Boolean)));
    group.element.classList.remove("pending");
  };
  whenThereIsTime(groups, fillGroup, filled);
  return (step) => {
    fillGroup(groups[Math.floor((step.number - 1) / GROUP)]);
    return rows[step.number - 1];
  };
}

// The line in place of a run of folded steps, before the first of them.
function foldBefore(step) {
  const before = steps[step.number - 2];
  if (step.needed || (before && !before.needed)) return null;
  let end = step.number;
  while (end < steps.length && !steps[end].needed) end += 1;
  return make("div", { class: "fold", title: "Show all steps" }, `⋯ ${counted(end - step.number + 1, "step")} folded`);
}

function laneHeads() {
  const head = (thread, number) =>
    make("div", { class: "lane-head", "--hue": hue(number) }, disc(number), make("span", {}, thread[0]));
  return make("div", { class: "lane-heads", "aria-hidden": "true" }, make("span", {}), story.threads.map(head));
}

function stepRow(step) {
  const last = step.number === steps.length;
  const names = ["step"];
  if (!step.needed) names.push("folded");
  if (step.switched) names.push("switched");
  if (step.turned) names.push("turned");
  if (last) names.push("bad");
  const switched = (step.switched || step.turned) && make("span", { class: "switch" }, `thread ${step.thread} goes on`);
  // A thread's own function stands above its lane.
  const own = story.threads[step.thread] && story.threads[step.thread][0] === step.function;
  const place = make("span", { class: "place" }, own ? "" : `${step.function} · `, placeText(step.file, step.line));
  const row = make(
    "div",
    {
      class: names.join(" "),
      id: `step-${step.number}`,
      role: "option",
      "aria-selected": "false",
      "--lane": step.thread,
      "--hue": hue(step.thread),
    },
    make("span", { class: "number" }, String(step.number)),
    make("span", { class: "dot", "aria-hidden": "true" }),
    make(
      "div",
      { class: "card" },
      switched,
      make("div", { class: "statement" }, make("code", {}, step.text || step.function), place),
      accessList(step, last),
    ),
  );
  row.dataset.step = step.number;
  return row;
}

function accessList(step, last) {
  // A step that is needed shows what is needed of it; the panel of the current step has all.
  const told = step.accesses.filter((access) => access.needed || !step.needed);
  const shown = told.slice(0, MOST_ACCESSES).map((access) => make("li", { class: access.shared ? "shared" : "" }, accessWords(access)));
  if (told.length > MOST_ACCESSES) shown.push(make("li", {}, `and ${told.length - MOST_ACCESSES} more`));
  const notes = step.notes.map((note) => make("li", { class: "note" }, note));
  const end = last && make("li", { class: "violation" }, `✗ ${story.violation}`);
  return shown.length + notes.length > 0 || end ? make("ul", { class: "accesses" }, notes, shown, end) : null;
}

function accessWords(access) {
  const origin = access.write || !access.shared ? null : access.from ? `from step ${access.from}` : access.initial ? "initially" : null;
  return [
    make("span", { class: "verb" }, access.write ? "writes " : "reads "),
    make("code", {}, `${access.name} = ${access.value}`),
    origin && make("span", { class: "origin" }, ` ${origin}`),
  ];
}

const PAGE = 10;

// The keys in the list. All of them work there; outside only those that scroll nothing.
function walkKeys(event) {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const actions = {
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    Home: firstStep,
    End: lastStep,
    PageDown: () => repeat(() => move(1)),
    PageUp: () => repeat(() => move(-1)),
  };
  if (actions[event.key]) {
    event.preventDefault();
    actions[event.key]();
  }
}

function repeat(action) {
  for (let i = 0; i < PAGE; i++) action();
}

function everywhereKeys(event) {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  // A picture scrolls with the arrows when it has the focus.
  if (event.key.startsWith("Arrow") && event.target instanceof Element && event.target.matches(".scrolls")) return;
  const actions = {
    ArrowRight: () => move(1),
    ArrowLeft: () => move(-1),
    j: () => move(1),
    k: () => move(-1),
    n: () => move(1, isSwitch),
    p: () => move(-1, isSwitch),
    a: () => showAll(!state.all),
  };
  if (actions[event.key]) {
    event.preventDefault();
    actions[event.key]();
  }
}
