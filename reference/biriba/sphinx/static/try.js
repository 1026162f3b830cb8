// The page to try the rules. It draws and asks; every answer comes from the interpreter behind /api.
"use strict";
(() => {
  const root = document.getElementById("biriba-try");
  if (!root) return;
  let about = null;

  const ask = async (question, told = {}) => {
    const response = await fetch(`/api/${question}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ rules: about && about.name, ...told }),
    });
    const answer = await response.json();
    if (!response.ok) throw new Error(answer.error || response.statusText);
    return answer;
  };

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
  const fail = (place, error) => place.replaceChildren(verdict(false, error.message));

  // ---------------------------------------------------------------- a meld

  const meldPanel = () => {
    const chosen = [];
    const text = el("input", { type: "text", "aria-label": "Cards", placeholder: "3H 4H JK 6H", autocomplete: "off", spellcheck: "false" });
    const shown = el("div", { class: "try-chosen", role: "group", "aria-label": "Chosen cards" });
    const result = el("div", { "aria-live": "polite" });
    const deck = el("div", { class: "try-deck", role: "group", "aria-label": "The pack" });
    const card = Object.fromEntries(about.cards.map((c) => [c.symbol, c]));
    const judge = async () => {
      if (!text.value.trim()) { result.replaceChildren(); return; }
      try {
        const answer = await ask("meld", { cards: text.value });
        const nothing = answer.melds.length ? [] : [verdict(false, "no meld", ...reasons(answer.reasons))];
        result.replaceChildren(...nothing, ...answer.melds.map((m) => {
          const facts = Object.entries(m.properties).map(([name, value]) => `${name}: ${value}`);
          const worth = m.lawful ? el("p", {}, [...facts, `value ${m.value}`, `bonus ${m.bonus}`].join(" · ")) : null;
          return verdict(m.lawful, m.lawful ? `a lawful ${m.template}` : `not a lawful ${m.template}`,
            el("p", { html: m.html }), el("p", {}, el("code", {}, m.text)), worth, ...reasons(m.reasons));
        }));
      } catch (error) { fail(result, error); }
    };
    const draw = () => {
      shown.replaceChildren(...chosen.map((symbol, i) =>
        el("button", { type: "button", html: card[symbol].html, "aria-label": `Remove ${card[symbol].name}`,
          onclick: () => { chosen.splice(i, 1); write(); } })));
      for (const button of deck.children) {
        const used = chosen.filter((symbol) => symbol === button.dataset.card).length;
        button.disabled = used >= card[button.dataset.card].copies;
      }
    };
    const write = () => { text.value = chosen.join(" "); draw(); judge(); };
    for (const c of about.cards) {
      deck.append(el("button", { type: "button", "data-card": c.symbol, html: c.html, "aria-label": `Add ${c.name}`,
        onclick: () => { chosen.push(c.symbol); write(); } }));
    }
    text.addEventListener("input", () => {
      chosen.splice(0, chosen.length, ...text.value.toUpperCase().split(/\s+/).filter((s) => card[s]));
      draw();
      judge();
    });
    return el("div", {},
      el("p", {}, "Choose cards, or write them: can they be a meld, and what is it worth?"),
      el("div", { class: "try-line" }, text, el("button", { type: "button", onclick: () => { chosen.length = 0; write(); } }, "Clear")),
      shown, result, deck);
  };

  // ---------------------------------------------------------------- a position

  const view = (place, position) => {
    const sheets = position.score.map((side) => el("table", {},
      el("caption", {}, `${side.side}: ${side.total}`),
      el("tbody", {}, ...side.lines.map((l) => el("tr", {}, el("td", {}, l.label, " ", clause(l.clause)), el("td", {}, String(l.points)))))));
    place.replaceChildren(
      el("p", {}, position.over ? "The deal is over." : `${position.turn} to ${position.phase}`),
      el("div", { html: position.zones }),
      el("details", {}, el("summary", {}, "The score if the deal ended now"), el("div", { class: "try-sheets" }, ...sheets)));
  };

  const dealPanel = () => {
    const history = [];
    const seed = el("input", { type: "text", value: "7", "aria-label": "Seed", size: "8" });
    const table = el("div", {});
    const result = el("div", { "aria-live": "polite" });
    const actions = el("div", { class: "try-actions", role: "group", "aria-label": "Legal actions" });
    const count = el("p", {});
    const action = el("input", { type: "text", "aria-label": "Action", placeholder: "discard 9H", autocomplete: "off", spellcheck: "false" });
    const text = el("textarea", { rows: "5", "aria-label": "Position", spellcheck: "false" });
    const show = (position) => {
      view(table, position);
      text.value = position.text;
      count.textContent = position.over ? "" : `${position.legal_count} legal actions:`;
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
      el("div", { class: "try-line" }, el("label", {}, "Seed ", seed), el("button", { type: "button", onclick: deal }, "Deal"),
        el("button", { type: "button", onclick: () => { if (history.length > 1) { history.pop(); show(now()); result.replaceChildren(); } } }, "Undo")),
      table, result,
      el("form", { class: "try-line", onsubmit: (event) => { event.preventDefault(); if (action.value.trim()) act(action.value); } },
        action, el("button", { type: "submit" }, "Play")),
      count, actions,
      el("details", {}, el("summary", {}, "The position as text"), text,
        el("div", { class: "try-line" }, el("button", { type: "button", onclick: take }, "Set up this position"))));
  };

  // ---------------------------------------------------------------- a record

  const recordPanel = () => {
    let steps = [];
    let at = 0;
    const text = el("textarea", { rows: "8", "aria-label": "Record", spellcheck: "false", placeholder: "record 1\nrules biriba …" });
    const table = el("div", {});
    const result = el("div", { "aria-live": "polite" });
    const range = el("input", { type: "range", min: "0", max: "0", value: "0", "aria-label": "Step" });
    const where = el("span", {});
    const show = async (i) => {
      if (!steps.length) return;
      at = Math.max(0, Math.min(i, steps.length - 1));
      range.value = String(at);
      where.textContent = `${at + 1} of ${steps.length}: ${steps[at].text}`;
      try { view(table, await ask("position", { position: steps[at].position })); } catch (error) { fail(result, error); }
    };
    const read = async () => {
      try {
        const answer = await ask("record", { text: text.value });
        steps = answer.steps;
        range.max = String(steps.length - 1);
        result.replaceChildren(answer.illegal
          ? verdict(false, `not legal: ${answer.illegal}`, ...reasons(answer.reasons))
          : verdict(true, "every action is legal"));
        await show(answer.illegal ? steps.length - 1 : 0);
      } catch (error) { fail(result, error); }
    };
    range.addEventListener("input", () => show(Number(range.value)));
    const step = (by, label) => el("button", { type: "button", "aria-label": label, onclick: () => show(at + by) }, by < 0 ? "←" : "→");
    return el("div", {},
      el("p", {}, "Paste a recorded deal or match, and go through it step by step."),
      text, el("div", { class: "try-line" }, el("button", { type: "button", onclick: read }, "Read")),
      result, el("div", { class: "try-line" }, step(-1, "Step back"), range, step(1, "Step on"), where), table);
  };

  // ---------------------------------------------------------------- the page

  const build = () => {
    const panels = { "A meld": meldPanel, "A deal": dealPanel, "A record": recordPanel };
    const tabs = el("div", { class: "try-tabs", role: "tablist" });
    const place = el("div", {});
    const open = (name) => {
      for (const tab of tabs.children) tab.setAttribute("aria-selected", String(tab.textContent === name));
      const panel = panels[name]();
      panel.setAttribute("role", "tabpanel");
      panel.setAttribute("aria-label", name);
      place.replaceChildren(panel);
    };
    for (const name of Object.keys(panels)) {
      tabs.append(el("button", { type: "button", role: "tab", onclick: () => open(name) }, name));
    }
    tabs.addEventListener("keydown", (event) => {
      const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!by) return;
      const all = [...tabs.children];
      all[(all.indexOf(document.activeElement) + by + all.length) % all.length].focus();
    });
    const choice = el("select", { "aria-label": "Rule set", onchange: async () => { about = await ask("rules", { rules: choice.value }); build(); } },
      ...about.all.map((name) => el("option", { value: name, selected: name === about.name }, name)));
    root.replaceChildren(el("div", { class: "try" },
      el("p", {}, about.all.length > 1 ? choice : null, ` ${about.title}, ${about.version}`), tabs, place));
    const wanted = { meld: "A meld", deal: "A deal", record: "A record" }[location.hash.slice(1)];
    open(wanted || "A meld");
  };

  ask("rules").then((answer) => { about = answer; build(); }, () => { root.classList.add("try-absent"); });
})();
