// The page from its parts.

function fact(name, ...value) {
  return make("div", {}, make("dt", {}, name), make("dd", {}, ...value));
}

function factsView() {
  const numbers = data.statistics || {};
  const facts = [];
  if (data.proof) facts.push(fact("Proved by", data.proof.engine));
  else if (typeof numbers.step === "string") facts.push(fact("Found by", numbers.step));
  if (story) {
    const needed = steps.length - folded;
    facts.push(fact("Steps", needed < steps.length ? `${needed} needed of ${steps.length}` : String(steps.length)));
    if (story.threads.length > 1) facts.push(fact("Threads", String(story.threads.length)));
    if (story.threads.length > 1) {
      const fewer = story.switches < story.switches_as_found;
      facts.push(fact("Context switches", fewer ? `${story.switches}, down from ${story.switches_as_found}` : String(story.switches)));
    }
  }
  if (data.proof && data.proof.invariants.length > 0) facts.push(fact("Invariants", String(data.proof.invariants.length)));
  if (typeof numbers.cpu_seconds === "number") facts.push(fact("CPU time", seconds(numbers.cpu_seconds)));
  return make("dl", { class: "facts" }, facts);
}

function reasonView(reveals) {
  const { code, words: why, at, hint } = data.reason;
  const said = document.querySelector("header").textContent.includes(why.split("\n")[0]);
  const place = at && files[at[0]].lines ? make("button", { class: "link", type: "button", onclick: () => reveals && reveals(at[0], at[1]) }, placeText(at[0], at[1])) : at ? placeText(at[0], at[1]) : null;
  return section(
    "reason",
    "Why there is no verdict",
    null,
    make("p", { class: "reason" }, make("code", { class: "tag" }, code), " ", !said && why, place && make("span", { class: "place" }, " at ", place)),
    hint && make("p", { class: "hint" }, make("b", {}, "What to try. "), hint),
  );
}

function inputsView() {
  if (!story || story.inputs.length === 0) return null;
  const most = 200;
  const row = ([step, thread, [file, line], from, value]) =>
    make(
      "tr",
      {},
      make("td", {}, make("button", { class: "link", type: "button", onclick: () => select(step) }, `step ${step}`)),
      make("td", {}, make("code", {}, from)),
      make("td", {}, make("code", { class: "value" }, value)),
      make("td", {}, disc(thread), " ", placeText(file, line)),
    );
  const heads = ["Step", "Input", "Value", "Where"].map((name) => make("th", { scope: "col" }, name));
  const rows = story.inputs.slice(0, most).map(row);
  if (story.inputs.length > most) rows.push(make("tr", {}, make("td", { colspan: "4" }, `and ${counted(story.inputs.length - most, "other input")}`)));
  const table = make("table", { class: "inputs" }, make("thead", {}, make("tr", {}, heads)), make("tbody", {}, rows));
  return section("inputs", "Inputs", "The values that lead to the violation.", make("div", { class: "scrolls wide" }, table));
}

function controls() {
  const button = (label, sign, action) => make("button", { type: "button", title: label, "aria-label": label, onclick: action }, sign);
  const position = make("span", { class: "position", role: "status" });
  listeners.push((step) => position.replaceChildren(`step ${step.number} of ${steps.length}`));
  const toggle = make("input", { type: "checkbox", id: "all", onchange: () => showAll(toggle.checked) });
  const refresh = () => (toggle.checked = state.all);
  showing.push(refresh);
  refresh();
  const folding = folded > 0 && folded < steps.length && make("label", { class: "toggle", for: "all" }, toggle, ` show ${counted(folded, "folded step")}`);
  return make(
    "div",
    { class: "controls", role: "toolbar", "aria-label": "Walk the steps" },
    button("First step", "⇤", firstStep),
    button("Previous step", "←", () => move(-1)),
    position,
    button("Next step", "→", () => move(1)),
    button("Last step", "⇥", lastStep),
    folding,
    make("span", { class: "keys-help", id: "keys" }, make("kbd", {}, "←"), make("kbd", {}, "→"), " or ", make("kbd", {}, "j"), make("kbd", {}, "k"), " step, ", story.threads.length > 1 && [make("kbd", {}, "n"), make("kbd", {}, "p"), " switch of threads, "], make("kbd", {}, "Home"), make("kbd", {}, "End"), " in the list"),
  );
}

function storyView(source) {
  const threads = story.threads.length;
  const about = threads > 1 ? "The interleaving that violates the property, one lane for each thread." : "The execution that violates the property.";
  const grid = make("div", { class: "story-grid" }, source && source.view, timelineView(), make("div", { class: "side" }, stepView(), valuesView()));
  document.addEventListener("keydown", everywhereKeys);
  return section("story", "What happens", about, controls(), grid);
}

function provedView(source) {
  const invariants = data.proof ? data.proof.invariants : [];
  const item = ([[file, line], fn, expression]) =>
    make(
      "li",
      {},
      make("button", { class: "link place", type: "button", onclick: () => source && source.reveals(file, line) }, placeText(file, line) || fn),
      make("span", { class: "fn" }, ` in ${fn}`),
      cases(expression).map((one, at) => make("code", { title: expression }, at > 0 && "|| ", withoutNoise(one))),
    );
  const list = invariants.length > 0 && make("div", { class: "panel invariants" }, make("h3", {}, "Invariants"), make("ol", { class: "scrolls", tabindex: "0", "aria-label": "Invariants" }, invariants.map(item)));
  const about = data.proof ? `By ${data.proof.engine}: ${data.proof.words}.` + (list ? " The invariants hold whenever a thread is at their place; they stand above their line." : "") : null;
  const title = data.proof ? "Proof" : "Source";
  return section("proof", title, about, make("div", { class: "proof-grid" + (list ? "" : " alone") }, source && source.view, list));
}

function contents(sections) {
  const link = (one) => make("a", { href: `#${one.id}` }, one.querySelector("h2").textContent);
  return make("nav", { class: "contents", "aria-label": "Parts of the report" }, sections.map(link));
}

function page() {
  const source = sourceView();
  const sections = [
    data.reason && reasonView(source && source.reveals),
    story && steps.length > 0 ? storyView(source) : (source || data.proof) && provedView(source),
    inputsView(),
    story && orderView(),
    automataView(),
    statisticsView(),
  ].filter(Boolean);
  document.getElementById("facts").replaceChildren(factsView());
  document.getElementById("contents").replaceChildren(contents(sections));
  document.getElementById("main").replaceChildren(...sections);
  if (steps.length > 0) firstStep();
  if (data.reason && data.reason.at && source) source.reveals(data.reason.at[0], data.reason.at[1]);
}

page();
