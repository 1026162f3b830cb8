// The page to try the rules. It draws and asks; every answer comes from the interpreter behind /api.
"use strict";
(() => {
  const root = document.getElementById("biriba-try");
  if (!root) return;
  let about = null;
  // Alone the page speaks the language that its address names; inside a site that of the site.
  const alone = document.body.classList.contains("try-page");
  const language = (alone && new URLSearchParams(location.search).get("lang")) || document.documentElement.lang;

  const ask = async (question, told = {}) => {
    const response = await fetch(`/api/${question}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ rules: about && about.name, language: language.split("-")[0], ...told }),
    });
    const answer = await response.json();
    if (!response.ok) throw new Error(answer.error || response.statusText);
    return answer;
  };
  // One of the page's own words, in the language of the page, its holes filled.
  const say = (words, holes = {}) => (about.words[words] || words).replace(/\{(\w+)\}/g, (_, name) => String(holes[name]));

  // An element with attributes and children; text is always text, never markup.
  const el = (tag, attributes = {}, ...children) => {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
      else if (name === "html") node.innerHTML = value; // pictures made by the server from the rules
      else if (value === true) node.setAttribute(name, "");
      else if (value !== false && value !== null) node.setAttribute(name, value);
    }
    node.append(...children.filter((child) => child !== null));
    return node;
  };

  const home = root.dataset.clauses || "";
  const clause = (id) => {
    const text = el("code", { title: about.clauses[id] || "" }, id);
    return home ? el("a", { href: `${home}${id}.html#${id}` }, text) : text;
  };
  const reasons = (list) => list.map((r) => el("p", {}, r.sentence, " ", clause(r.clause)));
  const verdict = (good, head, ...rest) =>
    el("div", { class: `try-verdict ${good ? "good" : "bad"}` },
      el("p", { class: good ? "try-good" : "try-bad" }, `${good ? "✓" : "✗"} ${head}`), ...rest);
  // What cannot be read is told in English: it speaks of the notation, which is the same in all languages.
  const fail = (place, error) => {
    const told = verdict(false, error.message);
    told.lang = "en";
    place.replaceChildren(told);
  };

  // ---------------------------------------------------------------- a meld

  const meldPanel = () => {
    const chosen = [];
    const text = el("input", { type: "text", "aria-label": say("Cards"), placeholder: "3H 4H JK 6H", autocomplete: "off", spellcheck: "false" });
    const shown = el("div", { class: "try-chosen", role: "group", "aria-label": say("Chosen cards") });
    const result = el("div", { "aria-live": "polite" });
    const deck = el("div", { class: "try-deck", role: "group", "aria-label": say("The pack") });
    const card = Object.fromEntries(about.cards.map((c) => [c.symbol, c]));
    const judge = async () => {
      if (!text.value.trim()) { result.replaceChildren(); return; }
      try {
        const answer = await ask("meld", { cards: text.value });
        const nothing = answer.melds.length ? [] : [verdict(false, say("no meld"), ...reasons(answer.reasons))];
        result.replaceChildren(...nothing, ...answer.melds.map((m) => {
          const facts = Object.entries(m.properties).map(([name, value]) => `${name}: ${value}`);
          const worth = m.lawful ? el("p", {}, [...facts, say("value {count}", { count: m.value }), say("bonus {count}", { count: m.bonus })].join(" · ")) : null;
          return verdict(m.lawful, `${say(m.lawful ? "lawful" : "not lawful")}: ${m.template}`,
            el("p", { html: m.html }), el("p", {}, el("code", {}, m.text)), worth, ...reasons(m.reasons));
        }));
      } catch (error) { fail(result, error); }
    };
    const draw = () => {
      shown.replaceChildren(...chosen.map((symbol, i) =>
        el("button", { type: "button", html: card[symbol].html, "aria-label": say("Remove {card}", { card: card[symbol].name }),
          onclick: () => { chosen.splice(i, 1); write(); } })));
      for (const button of deck.children) {
        const used = chosen.filter((symbol) => symbol === button.dataset.card).length;
        button.disabled = used >= card[button.dataset.card].copies;
      }
    };
    const write = () => { text.value = chosen.join(" "); draw(); judge(); };
    for (const c of about.cards) {
      deck.append(el("button", { type: "button", "data-card": c.symbol, html: c.html, "aria-label": say("Add {card}", { card: c.name }),
        onclick: () => { chosen.push(c.symbol); write(); } }));
    }
    text.addEventListener("input", () => {
      chosen.splice(0, chosen.length, ...text.value.toUpperCase().split(/\s+/).filter((s) => card[s]));
      draw();
      judge();
    });
    return el("div", {},
      el("p", {}, say("Choose cards, or write them: can they be a meld, and what is it worth?")),
      el("div", { class: "try-line" }, text, el("button", { type: "button", onclick: () => { chosen.length = 0; write(); } }, say("Clear"))),
      shown, result, deck);
  };

  // ---------------------------------------------------------------- a position

  const view = (place, position) => {
    const sheets = position.score.map((side) => el("table", {},
      el("caption", {}, `${side.side}: ${side.total}`),
      el("tbody", {}, ...side.lines.map((l) => el("tr", {}, el("td", {}, l.label, " ", clause(l.clause)), el("td", {}, String(l.points)))))));
    place.replaceChildren(
      el("p", {}, position.over ? say("The deal is over.") : say("{seat} to {phase}", { seat: position.turn, phase: position.phase })),
      el("div", { html: position.zones }),
      el("details", {}, el("summary", {}, say("The score if the deal ended now")), el("div", { class: "try-sheets" }, ...sheets)));
  };

  const dealPanel = () => {
    const history = [];
    const seed = el("input", { type: "text", value: "7", "aria-label": say("Seed"), size: "8" });
    const table = el("div", {});
    const result = el("div", { "aria-live": "polite" });
    const actions = el("div", { class: "try-actions", role: "group", "aria-label": say("Legal actions") });
    const count = el("p", {});
    const action = el("input", { type: "text", "aria-label": say("Action"), placeholder: "discard 9H", autocomplete: "off", spellcheck: "false" });
    const text = el("textarea", { rows: "5", "aria-label": say("Position"), spellcheck: "false" });
    const show = (position) => {
      view(table, position);
      text.value = position.text;
      count.textContent = position.over ? "" : say("Legal actions: {count}", { count: position.legal_count });
      actions.replaceChildren(...position.legal.map((a) => el("button", { type: "button", onclick: () => act(a) }, a)));
    };
    const now = () => history[history.length - 1];
    const go = (position) => { history.push(position); show(position); };
    const guarded = (run) => async () => { try { await run(); } catch (error) { fail(result, error); } };
    const act = (what) => guarded(async () => {
      const answer = await ask("act", { position: now().text, action: what });
      const head = `${now().turn}: ${what}`;
      result.replaceChildren(verdict(answer.legal, head, ...reasons(answer.reasons || [])));
      if (answer.legal) go(answer.position);
    })();
    const deal = guarded(async () => { history.length = 0; result.replaceChildren(); go(await ask("deal", { seed: seed.value })); });
    const take = guarded(async () => { history.length = 0; result.replaceChildren(); go(await ask("position", { position: text.value })); });
    deal();
    return el("div", {},
      el("div", { class: "try-line" }, el("label", {}, `${say("Seed")} `, seed), el("button", { type: "button", onclick: deal }, say("Deal")),
        el("button", { type: "button", onclick: () => { if (history.length > 1) { history.pop(); show(now()); result.replaceChildren(); } } }, say("Undo"))),
      table, result,
      el("form", { class: "try-line", onsubmit: (event) => { event.preventDefault(); if (action.value.trim()) act(action.value); } },
        action, el("button", { type: "submit" }, say("Play"))),
      count, actions,
      el("details", {}, el("summary", {}, say("The position as text")), text,
        el("div", { class: "try-line" }, el("button", { type: "button", onclick: take }, say("Set up this position")))));
  };

  // ---------------------------------------------------------------- a record

  const recordPanel = () => {
    let steps = [];
    let at = 0;
    const text = el("textarea", { rows: "8", "aria-label": say("Record"), spellcheck: "false", placeholder: "record 1\nrules biriba …" });
    const table = el("div", {});
    const result = el("div", { "aria-live": "polite" });
    const range = el("input", { type: "range", min: "0", max: "0", value: "0", "aria-label": say("Step") });
    const where = el("span", {});
    const show = async (i) => {
      if (!steps.length) return;
      at = Math.max(0, Math.min(i, steps.length - 1));
      range.value = String(at);
      where.textContent = say("{step} of {count}: {text}", { step: at + 1, count: steps.length, text: steps[at].text });
      try { view(table, await ask("position", { position: steps[at].position })); } catch (error) { fail(result, error); }
    };
    const read = async () => {
      try {
        const answer = await ask("record", { text: text.value });
        steps = answer.steps;
        range.max = String(steps.length - 1);
        result.replaceChildren(answer.illegal
          ? verdict(false, say("not legal: {action}", { action: answer.illegal }), ...reasons(answer.reasons))
          : verdict(true, say("every action is legal")));
        await show(answer.illegal ? steps.length - 1 : 0);
      } catch (error) { fail(result, error); }
    };
    range.addEventListener("input", () => show(Number(range.value)));
    const step = (by, label) => el("button", { type: "button", "aria-label": label, onclick: () => show(at + by) }, by < 0 ? "←" : "→");
    return el("div", {},
      el("p", {}, say("Paste a recorded deal or match, and go through it step by step.")),
      text, el("div", { class: "try-line" }, el("button", { type: "button", onclick: read }, say("Read"))),
      result, el("div", { class: "try-line" }, step(-1, say("Step back")), range, step(1, say("Step on")), where), table);
  };

  // ---------------------------------------------------------------- the page

  // A choice among names, each with what it is called.
  const choice = (label, named, chosen, change) => {
    const select = el("select", { "aria-label": label },
      ...Object.entries(named).map(([name, called]) => el("option", { value: name, selected: name === chosen }, called)));
    select.addEventListener("change", () => change(select.value));
    return select;
  };

  const build = () => {
    const panels = { meld: [say("A meld"), meldPanel], deal: [say("A deal"), dealPanel], record: [say("A record"), recordPanel] };
    const tabs = el("div", { class: "try-tabs", role: "tablist" });
    const place = el("div", { id: "try-panel", role: "tabpanel" });
    const open = (key) => {
      for (const tab of tabs.children) {
        const here = tab.dataset.panel === key;
        tab.setAttribute("aria-selected", String(here));
        tab.tabIndex = here ? 0 : -1;
      }
      place.setAttribute("aria-label", panels[key][0]);
      place.replaceChildren(panels[key][1]());
    };
    for (const [key, [name]] of Object.entries(panels)) {
      tabs.append(el("button", { type: "button", role: "tab", "data-panel": key, "aria-controls": "try-panel", onclick: () => open(key) }, name));
    }
    tabs.addEventListener("keydown", (event) => {
      const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!by) return;
      const all = [...tabs.children];
      const next = all[(all.indexOf(document.activeElement) + by + all.length) % all.length];
      open(next.dataset.panel);
      next.focus();
    });
    const rules = about.all.length > 1
      ? choice(say("Rule set"), Object.fromEntries(about.all.map((name) => [name, name])), about.name,
        async (name) => { about = await ask("rules", { rules: name }); build(); })
      : null;
    const languages = alone
      ? choice(say("Language"), about.languages, about.language,
        (code) => { location.search = `?${new URLSearchParams({ lang: code })}`; })
      : null;
    root.replaceChildren(el("div", { class: "try" },
      el("p", { class: "try-line" }, rules, languages, el("span", {}, `${about.title}, ${about.version}`)), tabs, place));
    if (alone) {
      document.documentElement.lang = about.language;
      document.title = document.querySelector("h1").textContent = say("Try the rules");
    }
    open(location.hash.slice(1) in panels ? location.hash.slice(1) : "meld");
  };

  ask("rules").then((answer) => { about = answer; build(); }, () => { root.classList.add("try-absent"); });
})();
