"use strict";
document.documentElement.classList.add("js");
// Tables are sorted by a click on a heading; a second click turns the order round. Rows without a value stay last.
for (const table of document.querySelectorAll("table.sortable")) {
  const headings = [...table.tHead.rows[0].cells];
  headings.forEach((heading, column) => {
    const button = document.createElement("button");
    button.append(...heading.childNodes);
    heading.append(button);
    button.addEventListener("click", () => {
      const numbers = !heading.classList.contains("l");
      const up = heading.hasAttribute("aria-sort") ? heading.getAttribute("aria-sort") !== "ascending" : !numbers;
      headings.forEach((h) => h.removeAttribute("aria-sort"));
      heading.setAttribute("aria-sort", up ? "ascending" : "descending");
      const body = table.tBodies[0];
      const keyed = [...body.rows].map((row) => {
        const cell = row.cells[column];
        const text = cell.dataset.v ?? cell.textContent;
        return { row, key: numbers ? (text === "" ? NaN : Number(text)) : text };
      });
      const order = (a, b) => (typeof a === "string" ? a.localeCompare(b) : a - b) * (up ? 1 : -1);
      keyed.sort((a, b) => Number.isNaN(a.key) - Number.isNaN(b.key) || order(a.key, b.key) || 0);
      body.append(...keyed.map((k) => k.row));
    });
  });
}
const form = document.querySelector("form.filter");
if (form) {
  const rows = [...document.querySelector("#tasks").tBodies[0].rows].map((row) => ({
    row, category: row.dataset.c, status: row.dataset.s.split(" "), text: row.textContent.toLowerCase() }));
  const count = document.querySelector("#count");
  const filter = () => {
    const category = form.elements.category.value, status = form.elements.status.value;
    const words = form.elements.text.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const r of rows) {
      const hit = (!category || r.category === category) && (!status || r.status.includes(status)) && words.every((w) => r.text.includes(w));
      r.row.hidden = !hit;
      shown += hit;
    }
    count.textContent = shown + " of " + rows.length + " tasks";
  };
  form.addEventListener("input", filter);
  form.addEventListener("submit", (e) => e.preventDefault());
  filter();
}
