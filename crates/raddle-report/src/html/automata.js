// The control-flow automata, laid out already. One is drawn when it is opened.

const LONGEST_LABEL = 34;

function automataView() {
  if (data.automata.length === 0) return null;
  const first = story && steps.length > 0 ? steps[steps.length - 1].function : "main";
  const views = data.automata.map((automaton) => automatonView(automaton, automaton.function === first));
  return section(
    "automata",
    "Control-flow automata",
    "What Raddle made of the functions. A location is a circle; an edge is what one thread does in one step." + (story ? " Edges of the current step's line stand out." : ""),
    views,
  );
}

function automatonView(automaton, open) {
  const summary = make("summary", {}, make("code", {}, automaton.function), make("span", { class: "size" }, ` ${counted(automaton.locations, "location")}, ${counted(automaton.edges, "edge")}`));
  const view = make("details", { class: "automaton" }, summary);
  let drawn = false;
  const fillIn = () => {
    if (drawn) return;
    drawn = true;
    const label = `Automaton of ${automaton.function}`;
    if (automaton.drawing) view.append(make("div", { class: "scrolls picture", tabindex: "0", role: "region", "aria-label": label }, automatonPicture(automaton)));
    else view.append(make("p", { class: "about" }, "Too large to draw; raddle show prints it."));
  };
  view.addEventListener("toggle", () => view.open && fillIn());
  if (open) {
    fillIn();
    view.open = true;
  }
  return view;
}

function automatonPicture(automaton) {
  const { width, height, locations, edges, entry, exit } = automaton.drawing;
  const id = `tip-${data.automata.indexOf(automaton)}`;
  const lines = edges.map((edge) => automatonEdge(edge, locations, id));
  const mark = (step) => {
    const here = step && step.function === automaton.function;
    edges.forEach((edge, index) => lines[index].classList.toggle("here", Boolean(here) && edge.line === step.line && edge.line > 0));
  };
  listeners.push(mark);
  mark(steps[state.current - 1]);
  const circles = locations.map(([x, y], location) => {
    const role = location === entry ? " entry" : location === exit ? " exit" : "";
    return draw(
      "g",
      { class: "location" + role },
      draw("title", {}, `location ${location}${location === entry ? ", the entry" : location === exit ? ", the exit" : ""}`),
      draw("circle", { cx: x, cy: y, r: 11 }),
      location === exit && draw("circle", { cx: x, cy: y, r: 8 }),
      draw("text", { x, y: y + 3.5, "text-anchor": "middle" }, String(location)),
    );
  });
  const tip = draw("marker", { id, viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 8, markerHeight: 8, orient: "auto", markerUnits: "userSpaceOnUse" }, draw("path", { class: "head program-order", d: "M0 0.5 L8 4 L0 7.5 z" }));
  return draw("svg", { width: width + 60, height: height + 24, viewBox: `-20 -12 ${width + 60} ${height + 24}`, role: "img", "aria-label": `Control-flow automaton of ${automaton.function}` }, draw("defs", {}, tip), lines, circles);
}

function automatonEdge(edge, locations, tip) {
  const radius = 12;
  const [x, y] = locations[edge.from];
  const self = edge.points.length === 0;
  const path = self
    ? `M${x + 8} ${y - 8} C${x + 40} ${y - 26} ${x + 40} ${y + 26} ${x + 9} ${y + 8}`
    : smooth(trimmed(edge.points, radius));
  const [labelX, labelY] = self ? [x + 40, y] : edge.label;
  return draw(
    "g",
    { class: "automaton-edge" },
    draw("title", {}, edge.text + (edge.line ? ` (line ${edge.line})` : "")),
    draw("path", { class: "edge program-order", d: path, "marker-end": `url(#${tip})` }),
    draw("text", { class: "automaton-label", x: labelX, y: labelY + 4, "text-anchor": self ? "start" : "middle" }, shortened(edge.text, LONGEST_LABEL)),
  );
}

// Ends at the rims of the circles.
function trimmed(points, radius) {
  const toward = ([x, y], [toX, toY]) => {
    const length = Math.hypot(toX - x, toY - y) || 1;
    return [x + ((toX - x) / length) * radius, y + ((toY - y) / length) * radius];
  };
  const last = points.length - 1;
  return [toward(points[0], points[1]), ...points.slice(1, last), toward(points[last], points[last - 1])];
}

// A curve through the points that does not swing: where the direction changes it is vertical.
function smooth(points) {
  const last = points.length - 1;
  const slope = (from, to) => (points[to][0] - points[from][0]) / (points[to][1] - points[from][1] || 1);
  const lean = (at) => {
    if (at === 0) return slope(0, 1);
    if (at === last) return slope(last - 1, last);
    const [before, after] = [slope(at - 1, at), slope(at, at + 1)];
    return before * after <= 0 ? 0 : Math.sign(before) * Math.min(Math.abs(before), Math.abs(after), Math.abs(before + after) / 2);
  };
  let path = `M${points[0][0]} ${points[0][1]}`;
  for (let i = 1; i <= last; i++) {
    const [[x1, y1], [x2, y2]] = [points[i - 1], points[i]];
    const third = (y2 - y1) / 3;
    path += ` C${x1 + lean(i - 1) * third} ${y1 + third} ${x2 - lean(i) * third} ${y2 - third} ${x2} ${y2}`;
  }
  return path;
}
