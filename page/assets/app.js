// The page: what is open, which part of it is shown, and how the parts tell each other of changes.

import { h, put, say, number } from "./dom.js";
import { enter, call, upload, stay } from "./api.js";
import { t, because, language, firstLanguage } from "./words.js";
import { state, watch, changed, decide, undo, redo, canUndo, canRedo, forget, run } from "./state.js";
import { Pivot } from "./pivot.js";
import { Grid } from "./grid.js";
import * as rules from "./rules.js";
import * as runs from "./run.js";
import * as cell from "./cell.js";
import * as intruder from "./intruder.js";
import * as out from "./out.js";
import * as sheet from "./sheet.js";
import * as micro from "./micro.js";

const top = document.getElementById("top"), main = document.getElementById("main");
const TABS = ["open", "sheet", "table", "compare", "intruder", "out", "micro"];
let tab = "open", pivot, grid, selected = -1, looked = "", problem = null, stale = false;

const cellBox = h("aside", { class: "cellbox", "aria-label": "cell" });
const runBox = h("div", { class: "runbox" });

// The head of the page.

function drawTop() {
  const n = state.table;
  put(top,
    h("h1", {}, h("img", { src: globalThis.hitokuEngine ? hitokuEngine.icon : "icon.svg", alt: "", width: "20", height: "20" }), " hitoku", n ? h("small", {}, " " + n.name + ", " + number(String(n.cells)) + " " + t("cells")) : ""),
    h("nav", { role: "tablist", "aria-label": "hitoku", onkeydown: arrows }, TABS.map((x) => h("button", { role: "tab", id: "tab-" + x, "aria-selected": String(x === tab), tabindex: x === tab ? "0" : "-1", disabled: !usable(x), onclick: () => go(x) }, t(x)))),
    h("div", { class: "tools" },
      h("button", { title: "Ctrl+Z", "aria-label": t("undo"), disabled: !canUndo(), onclick: undo }, "↶"), h("button", { title: "Ctrl+Y", "aria-label": t("redo"), disabled: !canRedo(), onclick: redo }, "↷"),
      h("button", { "aria-label": t("light"), onclick: lights }, "◐"), h("button", { "aria-label": t("print"), onclick: () => print() }, t("print")),
      h("button", { id: "lang", lang: language() === "ja" ? "en" : "ja", onclick: () => { language(language() === "ja" ? "en" : "ja"); draw(); } }, t("lang"))));
}

const usable = (x) => x === "open" || (x === "sheet" || x === "micro" ? state.files.length > 0 : !!state.table);

function arrows(e) {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[e.key];
  if (!step) return;
  const list = TABS.filter(usable);
  go(list[(list.indexOf(tab) + step + list.length) % list.length]);
  document.getElementById("tab-" + tab).focus();
}

function go(x) {
  tab = x;
  draw();
}

function lights() {
  const dark = document.documentElement.dataset.light ? document.documentElement.dataset.light === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  document.documentElement.dataset.light = dark ? "light" : "dark";
}

function draw() {
  drawTop();
  document.title = (state.table ? state.table.name + " – " : "") + "hitoku";
  const views = { open: viewOpen, sheet: viewSheet, table: viewTable, compare: viewCompare, intruder: viewIntruder, out: () => out.panel(), micro: () => micro.panel() };
  put(main, views[tab]());
  if (tab === "table") grid.lay();
}

// Opening.

function viewOpen() {
  const input = h("input", { type: "file", multiple: true, id: "files", onchange: (e) => take([...e.target.files]) });
  return h("section", { class: "open", ondragover: (e) => e.preventDefault(), ondrop: (e) => { e.preventDefault(); take([...e.dataTransfer.files]); } },
    h("div", { class: "drop" }, state.version ? h("small", { id: "version" }, "hitoku " + state.version) : "", h("p", {}, t("drop")), h("label", { class: "button main", for: "files" }, t("choose")), input, h("p", {}, h("small", {}, t("local") + " " + t("hier")))),
    remedies(), state.files.length ? fileForm() : "");
}

async function take(list) {
  const fresh = [];
  for (const f of list) {
    try { fresh.push({ file: await upload(f), name: f.name }); } catch (e) { say(f.name + ": " + e.message, true); }
  }
  state.files.push(...fresh);
  draw();
  const tables = fresh.filter((f) => !tree(f.name));
  if (tables.length === 1) open([tables[0].file], {});
}

const tree = (name) => /\.(hrc|cdl|rda|toml)$/i.test(name) || /\..+\.csv$/i.test(name) && state.files.some((f) => name !== f.name && name.startsWith(f.name.replace(/\.[^.]*$/, "") + "."));

/** fileForm chooses which of the files are the table, and how they are read. */
function fileForm() {
  const chosen = new Set(state.files.filter((f) => !tree(f.name)).slice(-1).map((f) => f.file));
  const lines = h("textarea", { name: "flags", rows: "3", cols: "44", spellcheck: "false" });
  lines.value = Object.entries(state.flags).flatMap(([k, l]) => l.map((v) => "--" + k + "=" + v)).join("\n");
  return h("form", { class: "files", onsubmit: (e) => { e.preventDefault(); open([...chosen], parsed(lines.value)); } },
    h("fieldset", {}, h("legend", {}, t("table")), state.files.map((f) => h("label", { class: "box" }, h("input", { type: "checkbox", name: "table", checked: chosen.has(f.file), onchange: (e) => { if (e.target.checked) chosen.add(f.file); else chosen.delete(f.file); } }), " ", f.name))),
    h("label", {}, h("span", {}, t("flag")), lines),
    h("button", { class: "main", type: "submit" }, t("usetable")));
}

function parsed(text) {
  const flags = {};
  for (const line of text.split("\n")) {
    const m = /^\s*(?:--)?([a-z-]+)(?:=|\s+)(.*?)\s*$/.exec(line);
    if (m) (flags[m[1]] ||= []).push(m[2]);
  }
  return flags;
}

let opens = 0;

/** open reads a table and turns to it, unless the reader has turned elsewhere meanwhile or asked for another. */
async function open(files, flags) {
  const mine = ++opens, from = tab;
  const arrive = (x) => { if (tab === from) go(x); else if (tab === "micro") drawTop(); else draw(); }; // what is asked of records stays as it is
  try {
    // A tree that was chosen beside its table is named by its file.
    const all = structuredClone(flags);
    const opened = await call("open", { Files: files, Flags: all, Policy: state.policy });
    if (mine !== opens) return;
    state.table = opened;
    state.flags = all;
    state.opened = files;
    forget();
    problem = null;
    selected = -1;
    pivot = new Pivot(state.table);
    grid = new Grid(pivot, state.table.values[0], look, choose);
    put(cellBox);
    arrive("table");
    await mark();
    if (state.table.says?.length) say(state.table.says.join(" · "));
  } catch (e) {
    if (mine !== opens) return;
    state.opened = files;
    problem = { text: e.message, files, flags };
    arrive("open");
    say(e.message, true);
  }
}

/** remedies are the flags that a message names, to be tried by a click. */
function remedies() {
  if (!problem) return "";
  const found = new Map();
  const measures = /measures?, (.*); say with --response/.exec(problem.text);
  for (const m of measures ? measures[1].matchAll(/"([^"]+)"|([^,]+)(?:, |$)/g) : []) { const name = (m[1] || m[2]).trim(); found.set("--response " + name, ["response", name]); }
  for (const m of problem.text.matchAll(/\(sheet ([^,()]+), from/g)) found.set("--sheet " + m[1], ["sheet", m[1]]);
  const words = ["or", "and", "which", "to", "says", "reads", "beside"];
  if (!found.size) for (const m of problem.text.matchAll(/--([a-z-]+)[ =]([^\s,;]+)/g)) if (!words.includes(m[2])) found.set(m[0], [m[1], m[2].replace(/[.)]$/, "")]);
  const withFlag = ([name, value]) => { const f = structuredClone(problem.flags); (f[name] ||= []).push(value); open(problem.files, f); };
  return h("div", { class: "problem" }, h("p", { class: "bad" }, problem.text), [...found].map(([text, flag]) => h("button", { onclick: () => withFlag(flag) }, text)));
}

function viewSheet() {
  const file = looked || state.opened?.[0] || state.files[0].file;
  return h("div", {},
    h("label", { class: "pick" }, h("select", { onchange: (e) => { looked = e.target.value; draw(); } }, state.files.map((f) => h("option", { value: f.file, selected: f.file === file }, f.name)))),
    sheet.panel(file, state.flags, (flags) => open([file], flags)));
}

// The table.

/** look is how a cell is drawn: by colour and by mark. */
function look(i) {
  const r = run(), marks = r && !stale ? r : state.marking || r; // of rules that were changed since, their own
  const st = marks?.status?.[i] || "s", reason = marks?.reasons?.[i];
  const withheld = r?.withheld?.[i] === "1" && st !== "z", value = state.table.values[state.response || 0][i];
  let kind = "published", mark = "";
  if (st === "u") { kind = "sensitive"; mark = ({ frequency: "f", dominance: "d", "p-percent": "p", manual: "m", zero: "0", request: "r" })[reason] || "●"; }
  else if (st === "m") { kind = "before"; mark = "◇"; } else if (withheld) { kind = "secondary"; mark = "○"; } else if (st === "z") { kind = "must"; mark = "▪"; } else if (value === null) { kind = "missing"; mark = "?"; } else if (+value === 0) kind = "zero";
  if (state.exposed.has(i)) { kind += " exposed"; mark = "!"; }
  const w = state.witness?.values.get(i);
  if (w !== undefined) kind += " moved";
  return { class: "s-" + kind, mark, text: w === undefined ? undefined : number(w), title: t(kind.split(" ")[0]) + (reason ? ": " + because(reason) : "") };
}

function choose(i) {
  selected = i;
  if (state.witness && state.witness.at !== i) { state.witness = null; }
  cell.panel(cellBox, pivot, i);
  grid.refresh();
}

function viewTable() {
  const p = pivot;
  const dims = p.dims.map((d, k) => [k, d.name]);
  const turn = () => { grid.row = grid.column = 0; grid.lay(); draw(); };
  const pick = (label, now, list, f) => h("label", {}, h("span", {}, label), h("select", { onchange: (e) => { f(+e.target.value); turn(); } }, list.map(([k, n]) => h("option", { value: k, selected: k === now }, n))));
  const swap = (of, other) => (k) => { if (p[other] === k) p[other] = p[of]; p[of] = k; };
  const bar = h("div", { class: "bar1" },
    pick(t("rows"), p.down, dims, swap("down", "across")), p.dims.length > 1 ? pick(t("columns"), p.across, dims, swap("across", "down")) : "",
    p.dims.map((d, k) => (k === p.down || k === p.across ? "" : pick(d.name, p.at[k], d.codes.map((c, n) => [n, "\u2003".repeat(depth(d, n)) + c + (d.labels[n] && d.labels[n] !== c ? " " + d.labels[n] : "")]), (c) => { p.at[k] = c; }))),
    state.table.values.length > 1 ? pick(t("response"), state.response || 0, state.table.responses.map((x, n) => [n, x]), (n) => { state.response = n; grid.values = state.table.values[n]; }) : "",
    h("button", { onclick: () => { p.fold(p.down, true); if (p.across >= 0) p.fold(p.across, true); grid.lay(); } }, t("foldall")), h("button", { onclick: () => { p.fold(p.down, false); if (p.across >= 0) p.fold(p.across, false); grid.lay(); } }, t("unfoldall")),
    search());
  return h("div", { class: "table" },
    h("aside", { class: "left" }, h("button", { class: "main go", disabled: !!runs.busy(), onclick: () => runs.start() }, t("protect")),
      state.table.has.missing || state.table.has.statuses ? h("button", { class: "audit", disabled: !!runs.busy(), onclick: runs.published }, t("aspublished")) : "", runBox, rules.panel()),
    h("div", { class: "middle" }, bar, grid.box, legend()),
    cellBox);
}

const depth = (d, c) => { let n = 0; for (let p = d.parent[c]; p >= 0; p = d.parent[p]) n++; return d.flat ? 0 : n; };

function search() {
  const hits = h("datalist", { id: "hits" });
  return h("form", { role: "search", onsubmit: (e) => { e.preventDefault(); seek(e.target.elements.what.value); } }, h("input", { type: "search", name: "what", placeholder: t("search"), "aria-label": t("search"), list: "hits" }), hits);
}

/** seek goes to the next cell whose codes or labels have all the words. */
function seek(text) {
  const words = text.toLowerCase().split(/[\s/]+/).filter(Boolean);
  if (!words.length) return;
  const n = state.table.cells;
  for (let k = 1; k <= n; k++) {
    const i = (Math.max(selected, 0) + k) % n;
    const name = pivot.dims.map((d, j) => { const c = pivot.coord[j][i]; return d.codes[c] + " " + (d.labels[c] || ""); }).join(" ").toLowerCase();
    if (words.every((w) => name.includes(w))) { reach(i); return; }
  }
  say(t("none"), true);
}

/** reach shows a cell wherever it is. */
function reach(i) {
  if (i < 0) return;
  if (tab !== "table") go("table");
  grid.find(i);
  draw();
  choose(i);
}

function legend() {
  const kinds = [["sensitive", "f d p m"], ["secondary", "○"], ["before", "◇"], ["must", "▪"], ["zero", "0"], ["missing", "?"], ["published", ""], ["disclosed", "!"]];
  return h("p", { class: "legend" }, kinds.map(([k, m]) => h("span", { class: "s-" + (k === "disclosed" ? "published exposed" : k) }, m ? h("i", {}, m) : "", " ", t(k))));
}

function viewCompare() {
  return h("section", { class: "compare" }, runs.compared(), runs.progress(), run() ? [h("h3", {}, run().label), runs.curve(run().curve)] : "");
}

function viewIntruder() {
  const place = new Map();
  const name = (codes) => codes.join("\u0000");
  for (let i = 0; i < state.table.cells; i++) place.set(name(pivot.codes(i)), i);
  return intruder.panel({ go: reach, index: (codes, cell) => (codes ? place.get(name(codes)) ?? -1 : +cell) });
}

// Changes.

let marks = 0;

async function mark() {
  const mine = ++marks;
  try {
    const m = await call("mark", { Table: state.table.table, Policy: state.policy });
    if (mine !== marks) return;
    state.marking = m;
    say(m.sensitive + " " + t("sensitive") + (m.says?.length ? " · " + m.says.join(" · ") : ""));
  } catch (e) {
    if (mine === marks) say(e.message, true);
  }
  grid?.refresh();
}

const same = (a, b) => JSON.stringify(a, Object.keys(a).sort()) === JSON.stringify(b, Object.keys(b).sort());

watch(async (what) => {
  if (what === "progress") { put(runBox, runs.progress()); return; }
  if (what === "run") { put(runBox, runs.progress()); if (tab !== "open") draw(); return; }
  if (what === "witness" || what === "exposed") { grid?.refresh(); return; }
  if (what?.find !== undefined) { reach(what.find); return; }
  if (what === "decided" && state.table) {
    const r = run();
    state.witness = null;
    state.exposed = new Set(r?.exposed);
    // A run shows what its own rules made sensitive, as long as they are those of the form.
    stale = !!r && !same(r.policy, state.policy);
    if (tab !== "open") draw();
    if (!r || stale) await mark();
    grid?.refresh();
    if (selected >= 0 && tab === "table") cell.panel(cellBox, pivot, selected);
  }
});

// On paper the table stands whole, as far as it has a size for paper.
let paper = null;
addEventListener("beforeprint", () => {
  if (tab !== "table" || grid.rows.length * grid.columns.length > 20000) return;
  paper = h("table", { class: "paper" },
    h("thead", {}, h("tr", {}, h("th", {}, grid.corner.textContent), grid.columns.map((c) => h("th", { scope: "col" }, c.label || c.text)))),
    h("tbody", {}, grid.rows.map((r) => h("tr", {}, h("th", { scope: "row" }, "\u2003".repeat(r.depth) + r.text + (r.label && r.label !== r.text ? " " + r.label : "")), grid.columns.map((c) => {
      const i = pivot.cell(r.code, c.code);
      if (i < 0) return h("td", {});
      const l = look(i);
      return h("td", { class: "num " + l.class }, l.mark ? h("i", {}, l.mark + " ") : "", l.text ?? number(grid.values[i]));
    })))));
  main.append(paper);
});
addEventListener("afterprint", () => { paper?.remove(); paper = null; });

addEventListener("keydown", (e) => {
  if (e.target.matches?.("input, textarea, select")) return;
  if ((e.ctrlKey || e.metaKey) && e.key.toLowerCase() === "z") { e.preventDefault(); if (e.shiftKey) redo(); else undo(); }
  if ((e.ctrlKey || e.metaKey) && e.key.toLowerCase() === "y") { e.preventDefault(); redo(); }
  if (e.key === "/" && tab === "table") { e.preventDefault(); document.querySelector("input[type=search]")?.focus(); }
});

async function begin() {
  firstLanguage();
  if (!enter()) { draw(); say(t("nokey"), true); return; }
  draw();
  try {
    const s = await call("start");
    Object.assign(state, { files: s.files, version: s.version });
    draw();
    if (s.files.length) open([s.files[0].file], {});
    stay(() => { document.body.classList.add("gone"); say(t("lost2"), true); });
  } catch (e) { say(e.message, true); }
}

begin();
