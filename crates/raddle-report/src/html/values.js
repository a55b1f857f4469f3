// The current step in words, and the values after it: what changed is marked and says from what.

const MOST_VALUES = 80;

function stepView() {
  const title = make("h3", { id: "now-title" }, "Step");
  const body = make("div", { class: "now-body" });
  listeners.push((step) => {
    title.replaceChildren(`Step ${step.number}`, make("span", { class: "of" }, ` of ${steps.length}`));
    body.replaceChildren(
      make("p", { class: "who" }, disc(step.thread), ` thread ${step.thread} in `, make("code", {}, step.function), make("span", { class: "place" }, placeText(step.file, step.line))),
      make("pre", { class: "what" }, step.text || "—"),
      make(
        "ul",
        { class: "accesses" },
        step.notes.map((note) => make("li", { class: "note" }, note)),
        step.accesses.map((access) => make("li", { class: (access.shared ? "shared" : "") + (access.needed ? "" : " unneeded") }, fullWords(access))),
        step.number === steps.length && make("li", { class: "violation" }, `✗ ${story.violation}`),
      ),
      step.locks.length > 0 ? make("p", { class: "locks" }, "holds ", step.locks.flatMap((lock, at) => [at > 0 ? ", " : "", make("code", {}, lock)])) : "",
    );
  });
  return make("div", { class: "panel now", role: "region", "aria-live": "polite", "aria-labelledby": "now-title" }, title, body);
}

// As in the list, and the step of a value leads there.
function fullWords(access) {
  const words = accessWords(access);
  if (access.write || !access.from || !access.shared) return words;
  const button = make("button", { class: "link", type: "button", onclick: () => select(access.from) }, `from step ${access.from}`);
  return [words[0], words[1], " ", button];
}

function valuesView() {
  const all = [...histories.values()];
  const shared = all.filter((history) => history.shared && (history.needed || folded === steps.length));
  const locals = all.filter((history) => !history.shared);
  const body = make("tbody");
  const table = make(
    "table",
    { class: "values" },
    make("thead", {}, make("tr", {}, ...["Name", "Value", "Since"].map((name) => make("th", { scope: "col" }, name)))),
    body,
  );
  listeners.push((step) => {
    const own = locals.filter((history) => history.thread === step.thread && history.function === step.function);
    const rows = [...group("Shared memory", shared, step), ...group(`Locals of thread ${step.thread} in ${step.function}`, own, step)];
    body.replaceChildren(...rows);
  });
  const scroll = make("div", { class: "scrolls", tabindex: "0", role: "region", "aria-label": "Values" }, table);
  return make("div", { class: "panel watched" }, make("h3", {}, "Values after this step"), scroll);
}

function group(title, histories, step) {
  const known = histories.map((history) => ({ history, at: valueAt(history, step.number) })).filter(({ at }) => at >= 0);
  if (known.length === 0) return [];
  // Of very many, those that changed last.
  const since = ({ history, at }) => history.values[at].step;
  const shown = known.length > MOST_VALUES ? [...known].sort((a, b) => since(b) - since(a)).slice(0, MOST_VALUES) : known;
  const rows = shown.map(({ history, at }) => valueRow(history, at, step));
  const more = known.length - shown.length;
  if (more > 0) rows.push(make("tr", { class: "group" }, make("td", { colspan: "3" }, `and ${counted(more, "other name")}`)));
  return [make("tr", { class: "group" }, make("th", { colspan: "3", scope: "colgroup" }, title)), ...rows];
}

function valueRow(history, at, step) {
  const { value, step: since, write } = history.values[at];
  const changed = since === step.number && write;
  const before = changed && at > 0 && history.values[at - 1].value !== value ? history.values[at - 1].value : null;
  const touched = step.accesses.some((access) => access.name === history.name && access.shared === history.shared);
  return make(
    "tr",
    { class: changed ? "changed" : touched ? "touched" : "" },
    make("th", { scope: "row" }, make("code", {}, history.name)),
    make("td", {}, before !== null && make("s", {}, before), before !== null && " → ", make("code", {}, value)),
    make("td", {}, changed ? "now" : since > 0 ? make("button", { class: "link", type: "button", onclick: () => select(since) }, `step ${since}`) : "start"),
  );
}
