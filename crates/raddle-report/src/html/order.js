// The happens-before order as a Hasse diagram: time goes down, a lane for each thread. The layers and the edges are computed already; here they get their coordinates.

const BOX = { gap: 64, character: 7.3, line: 16, padding: 7, between: 34, top: 40 };
const MOST_LINES = 3;
const LONGEST_LINE = 34;
const KINDS = {
  "program-order": { label: "", words: "program order", about: "steps of one thread" },
  "read-from": { label: "rf", words: "read-from", about: "a read takes the value of a write" },
  "from-read": { label: "fr", words: "from-read", about: "a write replaces the value that a read took" },
  "write-order": { label: "ws", words: "write order", about: "a write comes after another one" },
  start: { label: "start", words: "start", about: "a thread is started" },
  implied: { label: "", words: "implied", about: "through steps that are not shown" },
};

function orderView() {
  const order = data.order;
  if (!order || order.lanes.length < 2) return null;
  const used = Object.keys(KINDS).filter((kind) => order.edges.some((edge) => edge.kinds.includes(kind)));
  const nodes = placed(order);
  const about = make("p", { class: "order-about", role: "status" });
  const say = (text) => about.replaceChildren(text);
  const hint = "Point at an event, or go there with the tab key, to see its accesses; select it to see the step.";
  const picture = make("div", { class: "scrolls picture", tabindex: "0", role: "region", "aria-label": "Happens-before order" }, orderPicture(order, nodes, used, say, hint));
  say(hint);
  const sentence =
    "The order that accesses to shared memory give to the steps of this execution. An edge that follows from others is left out." +
    (order.left_out > 0 ? ` ${counted(order.events.length, "event")} of ${order.events.length + order.left_out} are shown: the last ones that are ordered with another thread's.` : "");
  const against = order.edges.some((edge) => edge.against);
  return section(
    "order",
    "Happens-before",
    sentence,
    legend(used),
    against && make("p", { class: "about" }, "A bent edge that goes up: the memory model let a read take a value that an earlier step had replaced."),
    picture,
    about,
  );
}

function legend(used) {
  const sample = (kind) =>
    draw("svg", { width: 34, height: 10, "aria-hidden": "true" }, draw("line", { class: `edge ${kind}`, x1: 1, y1: 5, x2: 33, y2: 5 }));
  const item = (kind) => make("li", {}, sample(kind), make("b", {}, KINDS[kind].words), KINDS[kind].label && KINDS[kind].label !== KINDS[kind].words && make("span", { class: "short" }, ` ${KINDS[kind].label}`), make("span", { class: "meaning" }, ` ${KINDS[kind].about}`));
  return make("ul", { class: "legend", "aria-label": "Kinds of edges" }, used.map(item));
}

// Boxes with coordinates; a layer is as high as its highest box.
function placed(order) {
  const nodes = order.events.map((event) => {
    const step = steps[event.step - 1];
    const lines = step.accesses.filter((access) => access.shared && access.needed).map((access) => `${access.write ? "W" : "R"} ${access.name} = ${access.value}`);
    if (lines.length === 0) lines.push(step.notes[0] || step.text);
    const shown = lines.length > MOST_LINES ? [...lines.slice(0, MOST_LINES - 1), `and ${lines.length - MOST_LINES + 1} more`] : lines;
    return { step, lines: shown, layer: event.layer, lane: event.lane, height: shown.length * BOX.line + 2 * BOX.padding };
  });
  const longest = Math.max(...nodes.flatMap((node) => node.lines.map((line) => Math.min(LONGEST_LINE, [...line].length))));
  BOX.width = Math.max(150, Math.round(52 + longest * BOX.character));
  const heights = [];
  for (const node of nodes) heights[node.layer] = Math.max(heights[node.layer] || 0, node.height);
  const tops = [];
  heights.reduce((top, height, layer) => ((tops[layer] = top), top + height + BOX.between), BOX.top);
  for (const node of nodes) {
    node.x = node.lane * (BOX.width + BOX.gap) + BOX.gap / 2;
    node.y = tops[node.layer];
  }
  return nodes;
}

function orderPicture(order, nodes, used, say, hint) {
  const width = order.lanes.length * (BOX.width + BOX.gap);
  const height = Math.max(...nodes.map((node) => node.y + node.height)) + 12;
  const edges = order.edges.map((edge) => orderEdge(edge, nodes));
  const boxes = nodes.map((node, index) => orderBox(node, index, order, edges, say, hint));
  listeners.push((step) => nodes.forEach((node, index) => boxes[index].classList.toggle("current", node.step === step)));
  const heads = order.lanes.map((thread, lane) => {
    const x = lane * (BOX.width + BOX.gap) + BOX.gap / 2 + BOX.width / 2;
    return draw("text", { class: "lane-name", x, y: 18, "text-anchor": "middle", "--hue": hue(thread) }, `thread ${thread} · ${story.threads[thread] ? story.threads[thread][0] : ""}`);
  });
  const guides = order.lanes.map((_, lane) => {
    const x = lane * (BOX.width + BOX.gap) + BOX.gap / 2 + BOX.width / 2;
    return draw("line", { class: "guide", x1: x, x2: x, y1: 28, y2: height });
  });
  return draw(
    "svg",
    { width, height, viewBox: `0 0 ${width} ${height}`, role: "group", "aria-label": "Hasse diagram of the happens-before order" },
    draw("defs", {}, used.map((kind) => arrow(`arrow-${kind}`, kind))),
    guides,
    heads,
    edges,
    boxes,
  );
}

function arrow(id, kind) {
  const attributes = { id, viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 8, markerHeight: 8, orient: "auto", markerUnits: "userSpaceOnUse" };
  return draw("marker", attributes, draw("path", { class: `head ${kind}`, d: "M0 0.5 L8 4 L0 7.5 z" }));
}

function orderEdge(edge, nodes) {
  const [from, to] = [nodes[edge.from], nodes[edge.to]];
  const kind = edge.kinds[0];
  const aside = Math.sign(to.lane - from.lane) * BOX.width * 0.24;
  const middle = (node) => node.x + BOX.width / 2;
  const down = to.y > from.y;
  const [x1, y1] = [middle(from) + aside, down ? from.y + from.height : from.y];
  const [x2, y2] = [middle(to) - aside, down ? to.y : to.y + to.height];
  const bend = (down ? 1 : -1) * Math.max(16, Math.abs(y2 - y1) * 0.45);
  const path = aside === 0 ? `M${x1} ${y1} L${x2} ${y2 - 1}` : `M${x1} ${y1} C${x1} ${y1 + bend} ${x2} ${y2 - bend} ${x2} ${y2}`;
  const label = edge.kinds.map((one) => KINDS[one].label).filter(Boolean).join(" ");
  const group = draw(
    "g",
    { class: "edge-group" },
    draw("path", { class: `edge ${kind}`, d: path, "marker-end": `url(#arrow-${kind})` }),
    label && aside !== 0 && draw("text", { class: `edge-label ${kind}`, x: between(x1, x1, x2, x2), y: between(y1, y1 + bend, y2 - bend, y2) + 4, "text-anchor": "middle" }, label),
  );
  group.ends = [edge.from, edge.to];
  return group;
}

// A coordinate of a curve, nearer to its start: ends are where edges meet.
function between(a, b, c, d, at = 0.36) {
  const rest = 1 - at;
  return rest ** 3 * a + 3 * rest ** 2 * at * b + 3 * rest * at ** 2 * c + at ** 3 * d;
}

function orderBox(node, index, order, edges, say, hint) {
  const { step } = node;
  const words = orderWords(index, order);
  const label = (line, at) =>
    draw("text", { x: node.x + 42, y: node.y + BOX.padding + 12 + at * BOX.line }, shortened(line, LONGEST_LINE));
  const show = (on) => {
    box.classList.toggle("pointed", on);
    for (const edge of edges) edge.classList.toggle("pointed", on && edge.ends.includes(index));
    say(on ? words : hint);
  };
  const box = draw(
    "g",
    {
      class: "event" + (step.number === steps.length ? " bad" : ""),
      tabindex: "0",
      role: "button",
      "aria-label": words,
      "--hue": hue(step.thread),
      onpointerenter: () => show(true),
      onpointerleave: () => show(false),
      onfocus: () => show(true),
      onblur: () => show(false),
      onclick: () => select(step.number),
      onkeydown: (event) => {
        if (event.key === "Enter" || event.key === " ") {
          event.preventDefault();
          select(step.number);
        }
      },
    },
    draw("title", {}, words),
    draw("rect", { x: node.x, y: node.y, width: BOX.width, height: node.height, rx: 6 }),
    draw("rect", { class: "edge-of-thread", x: node.x, y: node.y, width: 4, height: node.height, rx: 2 }),
    draw("text", { class: "number", x: node.x + 34, y: node.y + BOX.padding + 12, "text-anchor": "end" }, String(step.number)),
    node.lines.map(label),
  );
  return box;
}

// "Step 4, thread 1, a.c:7: reads x = 0 (initial value). After step 2 (program order), before step 5 (from-read)."
function orderWords(index, order) {
  const { step } = { step: steps[order.events[index].step - 1] };
  const accesses = step.accesses.filter((access) => access.shared).map(accessText);
  const kinds = (edge) => edge.kinds.map((kind) => KINDS[kind].words).join(", ");
  const sides = [
    ["after", order.edges.filter((edge) => edge.to === index && !edge.against).map((edge) => [edge.from, kinds(edge)])],
    ["before", order.edges.filter((edge) => edge.from === index && !edge.against).map((edge) => [edge.to, kinds(edge)])],
  ];
  const relations = sides.filter(([, others]) => others.length > 0).map(([word, others]) => `${word} ${others.map(([other, kind]) => `step ${order.events[other].step} (${kind})`).join(" and ")}`);
  const what = accesses.length > 0 ? accesses.join("; ") : step.notes.join("; ") || step.text;
  return `Step ${step.number}, thread ${step.thread}, ${placeText(step.file, step.line)}: ${what}. ${relations.join(", ")}`.trim();
}
