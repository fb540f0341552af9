// The page: which part of it is shown, and how the parts tell each other of changes. A part stays on the page as long as what it shows does, so
// that nothing that was typed or chosen in it is lost, and no answer comes to a part that has gone.

import { h, put, off, keeping, say, seen, number } from "./dom.js";
import { enter, call, stay } from "./api.js";
import { t, language, firstLanguage } from "./words.js";
import { state, watch, undo, redo, canUndo, canRedo, forget, stale } from "./state.js";
import * as opening from "./open.js";
import * as session from "./session.js";
import * as sheet from "./sheet.js";
import * as view from "./view.js";
import * as runs from "./run.js";
import * as intruder from "./intruder.js";
import * as out from "./out.js";
import * as micro from "./micro.js";
import * as steps from "./path.js";

const top = document.getElementById("top"), main = document.getElementById("main"), banner = document.getElementById("changed");
let tab = "open";

/** PARTS: of each its elements, and what they show besides the language; other such things mean other elements. refresh shows small changes in them. */
const PARTS = {
  open: { key: opening.key, panel: opening.panel },
  sheet: { key: sheet.key, panel: () => sheet.panel(opening.open) },
  table: { key: () => [state.table.table], panel: view.panel, refresh: view.refresh, arrived: view.arrived },
  compare: { key: () => [state.table.table], panel: runs.panel, refresh: runs.refresh },
  intruder: { key: () => [state.table.table, state.chosen], panel: () => intruder.panel({ go: reach, index: view.places() }) },
  out: { key: () => [state.table.table, state.chosen, state.policy], panel: out.panel, refresh: out.refresh },
  micro: { key: micro.key, panel: micro.panel },
};
const TABS = Object.keys(PARTS);
const kept = new Map(); // by part: its elements, what they show and where they were scrolled to
let shown = null;

const usable = (x) => x === "open" || (x === "sheet" || x === "micro" ? state.files.length > 0 : !!state.table);

// The head of the page.

let head = null;

function drawHead() {
  const n = state.table;
  if (head?.language !== language()) keeping(() => makeHead());
  head.name.textContent = n ? " " + seen(n.name) + ", " + number(String(n.cells)) + " " + t("cells") : "";
  for (const x of TABS) {
    const b = head.tabs[x];
    b.setAttribute("aria-selected", String(x === tab));
    b.tabIndex = x === tab ? 0 : -1;
    b.disabled = !usable(x);
  }
  steps.refresh();
  off(head.undo, !canUndo());
  off(head.redo, !canRedo());
  main.setAttribute("aria-labelledby", "tab-" + tab);
  document.title = (n ? seen(n.name) + " – " : "") + "hitoku";
}

function makeHead() {
  head = { language: language(), name: h("small", {}), tabs: {} };
  for (const x of TABS) head.tabs[x] = h("button", { role: "tab", id: "tab-" + x, "aria-controls": "main", onclick: () => go(x) }, t(x));
  head.undo = h("button", { id: "undo", title: "Ctrl+Z", "aria-label": t("undo"), onclick: undo }, "↶");
  head.redo = h("button", { id: "redo", title: "Ctrl+Y", "aria-label": t("redo"), onclick: redo }, "↷");
  put(top,
    h("h1", {}, h("img", { src: globalThis.hitokuEngine ? hitokuEngine.icon : "icon.svg", alt: "", width: "20", height: "20" }), " hitoku", head.name),
    steps.path(go),
    h("nav", { role: "tablist", "aria-label": "hitoku", onkeydown: arrows }, Object.values(head.tabs)),
    h("div", { class: "tools" }, head.undo, head.redo,
      h("button", { id: "light", "aria-label": t("light"), onclick: lights }, "◐"), h("button", { id: "print", "aria-label": t("print"), onclick: () => print() }, t("print")),
      h("button", { id: "lang", lang: language() === "ja" ? "en" : "ja", onclick: () => { language(language() === "ja" ? "en" : "ja"); say(""); draw(); } }, t("lang"))));
}

function arrows(e) {
  const list = TABS.filter(usable), at = list.indexOf(tab);
  const to = { ArrowRight: list[(at + 1) % list.length], ArrowLeft: list[(at + list.length - 1) % list.length], Home: list[0], End: list[list.length - 1] }[e.key];
  if (!to) return;
  e.preventDefault();
  go(to);
  head.tabs[to].focus();
}

function lights() {
  const dark = document.documentElement.dataset.light ? document.documentElement.dataset.light === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  document.documentElement.dataset.light = dark ? "light" : "dark";
  draw();
}

function go(x) {
  tab = x;
  draw();
}

const SCROLLED = ".grid, .sheetbox, .left, .cellbox, .scroll";

/** drawBanner says above every part of a table that its rules are not those of the run that is shown. */
function drawBanner() {
  banner.hidden = !state.table || !stale() || tab === "open" || tab === "sheet" || tab === "micro";
  const words = banner.hidden ? "" : t("changed");
  if (banner.dataset.words === words) return;
  banner.dataset.words = words;
  put(banner, words, words && h("button", { "data-key": "again", onclick: () => runs.start() }, t("protect")));
}

/** draw shows the part that is chosen as things are now. */
function draw() {
  drawHead();
  drawBanner();
  const part = PARTS[tab], key = language() + JSON.stringify(part.key());
  let now = kept.get(tab);
  if (now?.key !== key) kept.set(tab, now = { key, element: part.panel(), scrolled: [] });
  if (main.firstChild !== now.element) {
    if (shown) shown.scrolled = [main.parentElement, ...shown.element.querySelectorAll(SCROLLED)].map((e) => [e, e.scrollTop, e.scrollLeft]);
    keeping(() => put(main, now.element));
    for (const [e, y, x] of now.scrolled) e.scrollTo(x, y);
    if (!now.scrolled.length) main.parentElement.scrollTo(0, 0);
    shown = now;
    part.arrived?.();
  }
  keeping(() => part.refresh?.());
}

/** reach shows a cell of the table. */
function reach(i) {
  if (i < 0) return;
  if (tab !== "table") go("table");
  view.reach(i);
}

// Changes.

opening.begin({
  shown: draw,
  again: () => begun(),
  sheet: () => go("sheet"),
  micro: () => go("micro"),
  given: (policy) => { const fits = micro.given(policy); if (fits && state.files.length) go("micro"); return fits; },
  /** asked remembers where the reader is who asks for a table: she is led to it, unless she has turned elsewhere meanwhile. */
  asked: () => { const from = tab; return (to) => { if (tab === from) go(to); else draw(); }; },
  opened: (table) => { runs.abandon(); forget(); view.opened(table); view.mark(); if (table.says?.length) say(table.says.join(" · ")); },
});

watch((what) => {
  if (what?.find !== undefined) { reach(what.find); return; }
  if (what === "witness" || what === "exposed") { view.repaint(); return; }
  if (what === "drafted") return;
  if (what === "marked" || what === "attacked") { steps.refresh(); return; }
  if (what === "decided" && state.table) view.decided();
  draw();
});

addEventListener("beforeprint", () => { if (tab === "table") view.printed(main); });
addEventListener("afterprint", () => view.printed(null));

addEventListener("keydown", (e) => {
  if (e.target.matches?.("input, textarea, select")) return;
  const k = e.key.toLowerCase(), held = e.ctrlKey || e.metaKey;
  if (held && k === "z") { e.preventDefault(); if (e.shiftKey) redo(); else undo(); }
  if (held && k === "y") { e.preventDefault(); redo(); }
  if (e.key === "/" && tab === "table") { e.preventDefault(); document.querySelector("input[type=search]")?.focus(); }
});

async function begin() {
  document.body.dataset.runs = document.body.dataset.calls = 0;
  firstLanguage();
  if (!enter()) { draw(); say(t("nokey"), true); return; }
  session.begin(begun);
  draw();
  try {
    await begun();
    stay(() => { document.body.classList.add("gone"); say(t("lost2"), true); });
  } catch (e) { say(e.message, true); }
}

/** begun shows what the program has: the session as it was left, else the first table. */
async function begun() {
  const s = await call("start");
  state.version = s.version;
  state.fields = s.policy;
  state.presets = s.presets;
  opening.add(s.files, true);
  const resumed = await session.resume(s.session);
  if (resumed && !state.table && state.micro.part === "release") tab = "micro";
  draw();
  const first = s.files.find((f) => !opening.tree(f.name));
  if (!resumed && first && !opening.asked()) opening.open([first.file], {});
}

// Files may be dropped anywhere.
addEventListener("dragover", (e) => { e.preventDefault(); document.body.classList.add("dropping"); });
addEventListener("dragleave", (e) => { if (!e.relatedTarget) document.body.classList.remove("dropping"); });
addEventListener("drop", (e) => { e.preventDefault(); document.body.classList.remove("dropping"); opening.take([...e.dataTransfer.files]); });

begin();
