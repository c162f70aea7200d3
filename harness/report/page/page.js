"use strict";
(() => {
  // What is folded on a screen stands open on paper.
  let shut = [];
  addEventListener("beforeprint", () => {
    shut = [...document.querySelectorAll("details.folded:not([open])")];
    for (const one of shut) one.open = true;
  });
  addEventListener("afterprint", () => { for (const one of shut) one.open = false; });

  // A phone's screen has no room for contents that stay.
  if (innerWidth < 1100) document.querySelector("nav details").open = false;
})();
