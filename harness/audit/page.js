"use strict";
(() => {
  const body = document.querySelector("#findings tbody");
  if (!body) return;
  const rows = [...body.rows];
  const texts = rows.map((row) => row.textContent.toLowerCase());
  const kind = document.getElementById("kind");
  const text = document.getElementById("text");
  const shown = document.getElementById("shown");
  const filter = () => {
    const words = text.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    rows.forEach((row, at) => {
      const wanted = (!kind.value || row.dataset.kind === kind.value)
        && words.every((word) => texts[at].includes(word));
      row.hidden = !wanted;
      count += wanted;
    });
    shown.textContent = count + " of " + rows.length + " shown";
  };
  let waiting = 0;
  text.addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(filter, 120); });
  kind.addEventListener("change", filter);
  const heads = [...document.querySelectorAll("#findings th")];
  heads.forEach((head, column) => head.querySelector("button").addEventListener("click", () => {
    const down = head.getAttribute("aria-sort") === "ascending";
    heads.forEach((other) => other.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    const key = (row) => column === 0 ? Number(row.dataset.position) : row.cells[column].textContent;
    const order = (a, b) => typeof a[0] === "number" ? a[0] - b[0] : a[0].localeCompare(b[0]);
    const sorted = rows.map((row) => [key(row), row]).sort(order);
    if (down) sorted.reverse();
    body.append(...sorted.map((pair) => pair[1]));
  }));
  document.querySelector(".tools").hidden = false;
  filter();
})();
