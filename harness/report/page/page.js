"use strict";
(() => {
  // What is folded on a screen stands open on paper.
  let shut = [];
  addEventListener("beforeprint", () => {
    shut = [...document.querySelectorAll("details.folded:not([open])")];
    for (const one of shut) one.open = true;
  });
  addEventListener("afterprint", () => { for (const one of shut) one.open = false; });

  // What a link leads to may lie in a folded part.
  const reveal = () => {
    let part = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const target = part;
    for (; part; part = part.parentElement) if (part.tagName === "DETAILS") part.open = true;
    if (target) target.scrollIntoView();
  };
  addEventListener("hashchange", reveal);
  if (location.hash) reveal();

  // A phone's screen has no room for contents that stay.
  if (innerWidth < 1100) document.querySelector("nav details").open = false;
})();
