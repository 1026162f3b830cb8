// The choice between two and four colours of suits: kept in the browser, a button beside the theme's own.
"use strict";
(() => {
  const KEY = "biriba-suits";
  const apply = (four) => {
    if (four) document.body.dataset.suits = "four";
    else delete document.body.dataset.suits;
  };
  const stored = () => {
    try { return localStorage.getItem(KEY) === "four"; } catch { return false; }
  };
  // What scrolls must be reached by the keyboard; what scrolls is known when all is laid out, and after a turn of the phone.
  const reachable = () => {
    for (const box of document.querySelectorAll(".table-wrapper, .biriba-scroll, .highlight pre")) {
      if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
    }
  };
  window.addEventListener("load", reachable);
  window.addEventListener("resize", reachable);
  document.addEventListener("DOMContentLoaded", () => {
    apply(stored());
    for (const place of document.querySelectorAll(".theme-toggle-container")) {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "biriba-suits";
      button.textContent = "♣♦";
      button.setAttribute("aria-label", "Four colours of suits");
      button.setAttribute("aria-pressed", String(stored()));
      button.addEventListener("click", () => {
        const four = document.body.dataset.suits !== "four";
        apply(four);
        try { localStorage.setItem(KEY, four ? "four" : "two"); } catch { /* the choice lasts for this page */ }
        for (const other of document.querySelectorAll(".biriba-suits")) other.setAttribute("aria-pressed", String(four));
      });
      place.prepend(button); // inside: the theme hides the place that does not fit the screen
    }
  });
})();
