// Shows the failed cases that all filters let through. Without scripts all of them are shown.
"use strict";
const filters = document.querySelector(".filters");
const cases = [...document.querySelectorAll(".case")];

function show() {
  const wanted = Object.fromEntries(
    [...filters.querySelectorAll("[data-filter]")].map((field) => [field.dataset.filter, field.value]));
  let shown = 0;
  for (const found of cases) {
    const fits = (!wanted.model || found.dataset.model === wanted.model)
      && (!wanted.kind || found.dataset.kind === wanted.kind)
      && (!wanted.check || found.dataset.check.split(" ").includes(wanted.check))
      && found.textContent.toLowerCase().includes(wanted.words.toLowerCase());
    found.hidden = !fits;
    shown += fits;
  }
  filters.querySelector("output").textContent = `${shown} of ${cases.length}`;
}

filters.addEventListener("input", show);
filters.addEventListener("submit", (event) => event.preventDefault());
show();
