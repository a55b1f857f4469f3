// What the run did: its time by phase, the work of each engine, and the program in numbers.

// Parts of another phase.
const PARTS = new Set(["successor_seconds", "covering_seconds"]);

function words(key) {
  return key.replace(/_seconds$/, "").replace(/[_-]/g, " ");
}

function seconds(value) {
  if (value >= 100) return `${value.toFixed(0)} s`;
  if (value >= 0.1) return `${value.toFixed(2)} s`;
  return `${(value * 1000).toFixed(value >= 0.001 ? 1 : 2)} ms`;
}

function phases(turn) {
  const of = Object.entries(turn.statistics || {}).filter(([key, value]) => key.endsWith("_seconds") && !PARTS.has(key) && typeof value === "number");
  const known = of.map(([key, value]) => ({ name: words(key), value }));
  const rest = (turn.seconds || 0) - known.reduce((sum, { value }) => sum + value, 0);
  if (rest > 0) known.push({ name: known.length > 0 ? "other" : "run", value: rest });
  return known.filter(({ value }) => value > 0);
}

// Whole numbers, those in groups too.
function counters(statistics, prefix = "") {
  return Object.entries(statistics || {}).flatMap(([key, value]) => {
    if (value && typeof value === "object" && !Array.isArray(value)) return counters(value, `${prefix}${words(key)}: `);
    return Number.isInteger(value) && !key.endsWith("_seconds") ? [{ name: prefix + words(key), value }] : [];
  });
}

function statisticsView() {
  const numbers = data.statistics || {};
  const turns = Array.isArray(numbers.turns) ? numbers.turns : [];
  if (turns.length === 0 && typeof numbers.cpu_seconds !== "number") return null;
  const whole = [{ name: "reading the program", parts: [{ name: "front end", value: numbers.frontend_seconds || 0 }] }];
  turns.forEach((turn, index) => whole.push({ name: turnName(turn, index, turns), parts: phases(turn) }));
  return section(
    "statistics",
    "Statistics",
    null,
    chart("Time by phase", whole.filter(({ parts }) => parts.some(({ value }) => value > 0))),
    turns.length > 1 && compared(turns),
    turns.map((turn, index) => workView(turn, turnName(turn, index, turns), turns.length === 1 || index === turns.length - 1)),
    traitsView(numbers.traits),
  );
}

function turnName(turn, index, turns) {
  const name = typeof turn.step === "string" ? turn.step : "run";
  const outcome = turn.outcome ? ` → ${turn.outcome}` : "";
  return (turns.length > 1 ? `${index + 1}. ` : "") + name + outcome;
}

// Bars of time; every part is named beside with its number, so that colours only connect the two.
function chart(title, rows) {
  const longest = Math.max(...rows.map(({ parts }) => parts.reduce((sum, { value }) => sum + value, 0)), 1e-9);
  const row = ({ name, parts }) => {
    const sum = parts.reduce((total, { value }) => total + value, 0);
    const piece = ({ name: part, value }, index) =>
      make("span", { class: "piece", "--share": `${(100 * value) / longest}%`, "--hue": `var(--thread-${index % 8})`, title: `${part}: ${seconds(value)}` });
    const key = ({ name: part, value }, index) =>
      make("li", { "--hue": `var(--thread-${index % 8})` }, make("span", { class: "swatch", "aria-hidden": "true" }), `${part} `, make("b", {}, seconds(value)));
    return make(
      "div",
      { class: "chart-row" },
      make("div", { class: "chart-name" }, name, make("b", {}, seconds(sum))),
      make("div", { class: "bar", "aria-hidden": "true" }, parts.map(piece)),
      parts.length > 1 && make("ul", { class: "keys" }, parts.map(key)),
    );
  };
  return make("div", { class: "chart" }, make("h3", {}, title), rows.map(row));
}

// The work of several runs side by side.
function compared(turns) {
  const charts = ["iterations", "conflicts", "states"].map((key) => {
    const rows = turns.map((turn, index) => ({ name: turnName(turn, index, turns), value: (turn.statistics || {})[key] })).filter(({ value }) => typeof value === "number");
    return rows.length > 1 && make("div", { class: "chart" }, make("h3", {}, `${key[0].toUpperCase()}${key.slice(1)} by run`), bars(rows, (value, most) => value / most));
  });
  return charts.some(Boolean) && charts;
}

function workView(turn, name, open) {
  const rows = counters(turn.statistics).filter(({ value }) => value !== 0);
  if (rows.length === 0) return null;
  // Numbers differ by orders of magnitude: the bars are logarithmic.
  const table = bars(rows, (value, most) => Math.log1p(Math.max(0, value)) / Math.log1p(most));
  return make("details", { class: "work", open }, make("summary", {}, `Work of ${name}`), make("p", { class: "about" }, "Bars on a logarithmic scale."), table);
}

function bars(rows, share) {
  const most = Math.max(...rows.map(({ value }) => value), 1);
  const row = ({ name, value }) =>
    make(
      "tr",
      {},
      make("th", { scope: "row" }, name),
      make("td", { class: "figure" }, value.toLocaleString("en")),
      make("td", { class: "bar-cell", "aria-hidden": "true" }, make("span", { class: "piece", "--share": `${100 * share(value, most)}%` })),
    );
  return make("table", { class: "bars" }, make("tbody", {}, rows.map(row)));
}

function traitsView(traits) {
  const entries = Object.entries(traits || {}).filter(([, value]) => value !== 0 && value !== false && typeof value !== "object");
  if (entries.length === 0) return null;
  const item = ([key, value]) => make("div", {}, make("dt", {}, words(key)), make("dd", {}, value === true ? "yes" : String(value)));
  return make("details", { class: "work" }, make("summary", {}, "The program in numbers"), make("dl", { class: "traits" }, entries.map(item)));
}
