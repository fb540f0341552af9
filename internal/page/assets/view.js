// The table: the grid with its rules to the left, and to the right the cell that is chosen.

import { h, put, hold, off, keeping, say, turn, number } from "./dom.js";
import { latest } from "./api.js";
import { t, because, language } from "./words.js";
import { state, run, stale, changed } from "./state.js";
import { Pivot } from "./pivot.js";
import { Grid } from "./grid.js";
import { Minimap } from "./minimap.js";
import { Tree } from "./tree.js";
import * as rules from "./rules.js";
import * as runs from "./run.js";
import * as cell from "./cell.js";

let spoken = "", pivot, grid, small, tree, selected = -1, old = false; // the rules are not those of the run

const cellBox = h("aside", { class: "cellbox", "data-part": "cell", onkeydown: (e) => { if (e.key === "Escape") grid.box.focus(); } });
const left = { go: null, audit: null, run: h("div", { class: "runbox", "data-part": "run" }), says: h("div", { class: "says" }), bar: h("div", { class: "bar1", "data-part": "bar" }), verdict: h("div", { class: "state", "data-part": "state" }), legend: h("p", { class: "legend" }) };
let barred = false; // the bar has what only a run has

/** opened takes another table. */
export function opened(table) {
  selected = -1;
  old = false;
  pivot = new Pivot(table);
  grid = new Grid(pivot, table.values[0], look, choose);
  small = new Minimap(grid, (i) => (state.exposed.has(i) ? "disclosed" : kinds[i]), inks);
  tree = new Tree(pivot, ["sensitive", "before", "secondary", "hidden"], (i) => kinds[i], (i) => { reach(i); grid.box.focus(); });
  counted = [];
  cell.clear(cellBox);
}

/** panel is the part; refresh has it show what has changed. */
export function panel() {
  const form = rules.panel();
  cellBox.setAttribute("aria-label", t("cell"));
  left.go = h("button", { class: "main go", onclick: () => runs.start() }, t("protect"));
  left.audit = state.table.has.missing || state.table.has.statuses ? h("button", { class: "audit", onclick: runs.published }, t("aspublished")) : "";
  grid.words();
  tree.words();
  turnBar();
  if (selected >= 0 && spoken !== language()) cell.panel(cellBox, pivot, selected);
  spoken = language();
  return h("div", { class: "table" },
    h("aside", { class: "left", "aria-label": t("rules"), "data-part": "left" }, left.go, left.audit, left.run, small.box, left.says, tree.box, form),
    h("div", { class: "middle" }, h("div", {}, left.verdict, left.bar), grid.box, left.legend),
    cellBox);
}

/** refresh shows runs, rules and marks as they are now. */
export function refresh() {
  off(left.go, runs.busy());
  if (left.audit) off(left.audit, runs.busy());
  hold(left.run, runs.progress());
  rules.refresh();
  grid.refresh();
  verdict();
  legend();
  const says = (stale() || !run() ? state.marking?.says : run().says) || state.marking?.says || [];
  put(left.says, says.map((x) => h("p", {}, x)));
  if (!!run() !== barred) { barred = !!run(); keeping(turnBar); }
}

/** arrived lays the grid once it is on the page. */
export const arrived = () => grid.lay();

/** look is how a cell is drawn: by colour and by mark. */
function look(i) {
  const r = run(), marks = r && !old ? r : state.marking || r; // of rules that were changed since, their own
  const st = marks?.status?.[i] || "s", reason = marks?.reasons?.[i];
  const withheld = r?.withheld?.[i] === "1" && st !== "z";
  if (state.masked && r && (withheld || st === "m")) return { class: "s-hidden", mark: "", text: "×", title: t("withheld") };
  const value = state.table.values[state.response][i];
  let kind = "published", mark = "";
  if (st === "u") { kind = "sensitive"; mark = ({ frequency: "f", dominance: "d", "p-percent": "p", measure: "l", manual: "m", zero: "0", request: "r" })[reason] || "●"; }
  else if (st === "m") { kind = "before"; mark = "◇"; } else if (withheld) { kind = "secondary"; mark = "○"; } else if (st === "z") { kind = "must"; mark = "▪"; } else if (value === null) { kind = "missing"; mark = "?"; } else if (+value === 0) kind = "zero";
  if (state.exposed.has(i)) { kind += " exposed"; mark = "!"; }
  const w = state.witness?.values.get(i);
  if (w !== undefined) kind += " moved";
  return { class: "s-" + kind, mark, text: w === undefined ? undefined : number(w), title: t(kind.split(" ")[0]) + (reason ? ": " + because(reason) : "") };
}

function choose(i) {
  selected = i;
  if (state.witness && state.witness.at !== i) state.witness = null;
  cell.panel(cellBox, pivot, i);
  grid.refresh();
}

/** turnBar offers the dimensions as rows, columns and slices, the values and the search. */
function turnBar() {
  const p = pivot, dims = p.dims.map((d, k) => [k, d.name]);
  const turned = () => { grid.row = grid.column = 0; grid.lay(); keeping(turnBar); };
  const pick = (key, label, now, list, f) => h("label", {}, h("span", {}, label), h("select", { "data-key": key, onchange: (e) => { f(+e.target.value); turned(); } }, list.map(([k, n]) => h("option", { value: k, selected: k === now }, n))));
  const swap = (of, other) => (k) => { if (p[other] === k) p[other] = p[of]; p[of] = k; };
  const fold = (deep) => { p.fold(p.down, deep); if (p.across >= 0) p.fold(p.across, deep); grid.lay(); };
  put(left.bar,
    pick("rows", t("rows"), p.down, dims, swap("down", "across")), p.dims.length > 1 ? pick("columns", t("columns"), p.across, dims, swap("across", "down")) : "",
    p.dims.map((d, k) => (k === p.down || k === p.across ? "" : pick("at" + k, d.name, p.at[k], d.codes.map((c, n) => [n, "\u2003".repeat(depth(d, n)) + c + (d.labels[n] && d.labels[n] !== c ? " " + d.labels[n] : "")]), (c) => { p.at[k] = c; }))),
    run() ? h("button", { "data-key": "masked", "aria-pressed": String(state.masked), onclick: () => { state.masked = !state.masked; grid.refresh(); keeping(turnBar); } }, t("aspublic")) : "",
    state.table.values.length > 1 ? pick("response", t("response"), state.response, state.table.responses.map((x, n) => [n, x]), (n) => { state.response = n; grid.values = state.table.values[n]; }) : "",
    h("button", { "data-key": "fold", onclick: () => fold(true) }, t("foldall")), h("button", { "data-key": "unfold", onclick: () => fold(false) }, t("unfoldall")),
    h("form", { role: "search", onsubmit: (e) => { e.preventDefault(); seek(e.target.elements.what.value); } }, h("input", { type: "search", name: "what", placeholder: t("search"), "aria-label": t("search") })));
}

const depth = (d, c) => { let n = 0; for (let p = d.parent[c]; p >= 0; p = d.parent[p]) n++; return d.flat ? 0 : n; };

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

/** reach shows a cell wherever it is; the part must be on the page. */
export function reach(i) {
  grid.find(i);
  keeping(turnBar);
  choose(i);
}

/** KINDS: what cells may be, with the marks of each. */
const KINDS = { sensitive: "f d p m", secondary: "○", before: "◇", must: "▪", zero: "0", missing: "?", published: "", hidden: "×", disclosed: "!" };
let counted = [], kinds = []; // what the counts of the legend are of, and the kind of each cell

/** legend tells what colours and marks mean, and how many cells of the table have each; all are counted anew only where something has changed them. */
function legend() {
  const of = [state.table, run(), old, state.marking, state.masked, state.exposed, state.witness, state.response, language(), document.documentElement.dataset.light];
  if (of.every((x, k) => x === counted[k])) return;
  counted = of;
  kinds = Array.from({ length: state.table.cells }, (_, i) => look(i).class.slice(2).split(" ")[0]);
  const n = { disclosed: state.exposed.size };
  for (const k of kinds) n[k] = (n[k] || 0) + 1;
  put(left.legend, Object.entries(KINDS).filter(([k]) => k !== "hidden" || n[k]).map(([k, m]) => h("span", { class: "s-" + (k === "disclosed" ? "published exposed" : k), "data-kind": k }, m ? h("i", {}, m) : "", " ", t(k === "hidden" ? "withheld" : k), " ", h("b", {}, number(String(n[k] || 0))))));
  small.rows = null;
  small.follow();
  tree.refresh();
}

/** inks are the colours of what the map shows, as the legend has them. */
function inks() {
  return new Map(["secondary", "hidden", "before", "sensitive", "disclosed"].flatMap((k) => { const e = left.legend.querySelector(`[data-kind="${k}"]`); return e ? [[k, k === "disclosed" ? getComputedStyle(e).outlineColor : getComputedStyle(e).color]] : []; }));
}

/** verdict is what one sees first: whether the table is safe, at what cost, and which cells are not. */
function verdict() {
  const r = run(), d = r?.result, dead = !r;
  if (stale()) { put(left.verdict); return; } // the page says so above every part
  const kind = dead ? "open" : !d ? "bad" : d.audit === "protected" ? (state.exposed.size ? "bad" : r.complete || r.last ? "good" : "open") : "bad";
  const fact = (name, v) => (v === undefined || v === null || v === "" || v === "–" ? "" : h("span", {}, t(name) + " ", h("b", {}, v)));
  const words = !r ? t(state.marking?.sensitive ? "w_notyet" : "w_norule") : !d ? r.why : state.exposed.size ? state.exposed.size + " " + t("disclosed") : t(d.audit);
  const seek = (by) => h("button", { "data-key": by > 0 ? "nextw" : "lastw", "aria-label": t(by > 0 ? "nextwithheld" : "lastwithheld"), title: t(by > 0 ? "nextwithheld" : "lastwithheld"), onclick: () => step(by) }, by > 0 ? "↓" : "↑");
  const as = JSON.stringify([kind, words, r?.run, state.masked]);
  if (left.verdict.dataset.as === as && left.verdict.firstChild) return;
  left.verdict.dataset.as = as;
  left.verdict.className = "state " + kind;
  keeping(() => put(left.verdict, h("strong", {}, h("span", { "aria-hidden": "true" }, { good: "✓ ", open: "○ ", bad: "! " }[kind]), words),
    dead || !d ? "" : [fact("status", t(d.status)), fact("cost", number(d.cost)), fact("gap", d.gap === null || d.gap === undefined ? "" : (100 * d.gap).toFixed(1) + " %"), fact("withheld", d.suppressed + " / " + d.cells)],
    r?.withheld ? [seek(-1), seek(1)] : ""));
}

/** step goes to the next or last withheld cell. */
function step(by) {
  const w = run()?.withheld, n = state.table.cells;
  if (!w?.includes("1")) return;
  for (let k = 1, i = Math.max(selected, 0); k <= n; k++) {
    i = (i + by + n) % n;
    if (w[i] === "1") { reach(i); return; }
  }
}

/** places finds cells by their codes, or by number where there are none. */
export function places() {
  const place = new Map(), name = (codes) => codes.join("\u0000");
  for (let i = 0; i < state.table.cells; i++) place.set(name(pivot.codes(i)), i);
  return (codes, i) => (codes ? place.get(name(codes)) ?? -1 : +i);
}

const marks = latest();

/** mark asks which cells the rules make sensitive. */
export async function mark() {
  const since = turn();
  try {
    const m = await marks("mark", { Table: state.table.table, Policy: state.policy });
    if (!m) return;
    state.marking = m;
    rules.refused();
    changed("marked");
    say(m.sensitive + " " + t("sensitive") + (m.says?.length ? " · " + m.says.join(" · ") : ""), false, since);
  } catch (e) { rules.refused(e.field, e.message); say(e.message, true, since); }
  repaint();
  keeping(() => cell.refresh());
}

/** decided follows a change of the rules, of what is decided by hand, or of the run that is shown. */
export function decided() {
  const r = run();
  state.witness = null;
  state.exposed = new Set(r?.exposed);
  // A run shows what its own rules made sensitive, as long as they are those of the form.
  old = stale();
  if (!r || old) mark();
  else marks.end();
  if (selected >= 0) keeping(() => cell.follow(cellBox, pivot, selected));
}

/** repaint shows other values or marks in the same cells. */
export function repaint() {
  grid.refresh();
  legend();
  verdict();
}

// On paper the table stands whole, as far as it has a size for paper.
let paper = null;

/** printed puts the whole table behind the one on the screen, and takes it away. */
export function printed(main) {
  if (!main) { paper?.remove(); paper = null; return; }
  if (grid.rows.length * grid.columns.length > 20000) return;
  paper = h("table", { class: "paper" }, h("caption", {}, t(state.masked && run() ? "paperpublic" : "paperoffice")),
    h("thead", {}, h("tr", {}, h("th", {}, grid.corner.textContent), grid.columns.map((c) => h("th", { scope: "col" }, c.label || c.text)))),
    h("tbody", {}, grid.rows.map((r) => h("tr", {}, h("th", { scope: "row" }, "\u2003".repeat(r.depth) + r.text + (r.label && r.label !== r.text ? " " + r.label : "")), grid.columns.map((c) => {
      const i = pivot.cell(r.code, c.code);
      if (i < 0) return h("td", {});
      const l = look(i);
      return h("td", { class: "num " + l.class }, l.mark ? h("i", {}, l.mark + " ") : "", l.text ?? number(grid.values[i]));
    })))));
  main.append(paper);
}
