// A file as it lies, with the layout understood drawn over it, to be corrected.

import { h, put, off, keeping, say } from "./dom.js";
import { latest } from "./api.js";
import { t } from "./words.js";
import { state } from "./state.js";

const KINDS = ["title", "unit", "header", "label", "value", "total", "withheld", "mark", "derived", "note", "source", "aside"];

const drafts = new Map(); // by file: flags of reading, as corrected here
let looked = "", of = null;

const current = () => (state.files.some((f) => f.file === looked) ? looked : state.opened?.[0] || state.files[0]?.file);

/** key says what the part shows: the files, and of the one that is looked at the flags with which it is open. */
export const key = () => [state.files.length, state.opened, state.flags];

/** panel is the part. open(files, flags) opens a table. */
export function panel(open) {
  if (of !== state.flags) { drafts.clear(); of = state.flags; } // a table was opened: its reading counts
  const place = h("div", {});
  const show = () => put(place, one(current(), open));
  const pick = h("select", { "aria-label": t("table"), onchange: (e) => { looked = e.target.value; show(); } }, state.files.map((f) => h("option", { value: f.file, selected: f.file === current() }, f.name)));
  show();
  return h("div", {}, h("label", { class: "pick" }, pick), place);
}

/** one shows one file. */
function one(file, open) {
  if (!drafts.has(file)) drafts.set(file, structuredClone(state.opened?.includes(file) ? state.flags : {}));
  const f = drafts.get(file), ask = latest(), corrected = latest();
  const box = h("div", { class: "sheetbox", "data-part": "sheetbox" }), words = h("div", { class: "words" });
  const past = []; // flags before corrections
  let picked = null; // { sheet, rows, from, to }
  const calls = h("div", { class: "calls", role: "toolbar", "aria-label": t("callthese"), "data-part": "calls", onkeydown: (e) => { if (e.key === "Escape") box.querySelector(".picked button")?.focus(); } });
  const use = () => open(state.opened?.includes(file) ? state.opened : [file], f);
  const form = h("form", { class: "rules", onsubmit: (e) => { e.preventDefault(); read(); } },
    h("fieldset", {}, h("legend", {}, t("reading")),
      field("sheet", t("sheet")), field("range", t("range"), "A3:K40"), field("header-rows", t("headerrows"), "2"), field("label-columns", t("labelcolumns"), "2"),
      field("derived", t("derivedc"), "H"), field("no-total", t("nototal")), field("freq", t("freq")), field("tolerance", "±", "0.5"),
      h("button", { type: "submit" }, t("again")), h("button", { type: "button", class: "main", onclick: use }, t("usetable"))),
    h("p", { class: "legend" }, KINDS.map((k) => h("span", { class: "p-" + k }, t("s_" + k)))));

  function field(name, label, hint) {
    return h("label", {}, h("span", {}, label), h("input", { name, value: (f[name] || []).join(" "), placeholder: hint, onchange: (e) => set(name, e.target.value.trim() ? (name === "derived" ? e.target.value.trim().split(/\s+/) : [e.target.value.trim()]) : null) }));
  }
  function set(name, v) {
    if (v) f[name] = v; else delete f[name];
    const input = form.querySelector(`[name="${name}"]`);
    if (input) input.value = (f[name] || []).join(" ");
  }
  async function read() {
    try {
      const r = await ask("sheet", { File: file, Flags: f });
      if (!r) return;
      keeping(() => {
        put(words, h("h3", {}, t("understood")), r.problem ? h("p", { class: "bad" }, r.problem) : h("ul", {}, (r.words || []).map((w) => h("li", {}, w))),
          (r.options || []).map((o) => h("button", { onclick: () => option(o) }, o)), r.layout ? h("details", {}, h("summary", {}, "TOML"), h("pre", {}, r.layout)) : "");
        put(box, r.sheets.map((s) => draw(s)));
        paint();
      });
    } catch (e) { say(e.message, true); }
  }
  function option(o) {
    const m = /^--([a-z-]+)[ =](.*)$/.exec(o);
    if (m) { set(m[1], [m[2].replaceAll('"', "")]); read(); }
  }
  /** offer shows what the rows or columns that are picked can be called. */
  function offer() {
    const take = h("button", { type: "button", "data-key": "back", onclick: () => { if (past.length) { restore(past.pop()); read(); } } }, t("backcorrection"));
    off(take, !past.length);
    if (!picked) { put(calls, h("span", {}, t("picklines")), take); return; }
    const name = picked.rows ? (n) => n + 1 : letters, { from, to } = picked;
    put(calls, h("span", {}, t(picked.rows ? "row" : "column") + " " + name(from) + (to > from ? "–" + name(to) : "")),
      (picked.rows ? ["header", "value", "total", "derived", "out"] : ["label", "fill", "nofill", "value", "total", "derived", "out"]).map((as) => h("button", { type: "button", "data-key": as, onclick: () => correct(as) }, t("c_" + as))), take);
  }
  const restore = (flags) => { for (const k of Object.keys(f)) delete f[k]; Object.assign(f, flags); for (const i of form.querySelectorAll("input")) i.value = (f[i.name] || []).join(" "); };
  async function correct(as) {
    const before = structuredClone(f), { sheet, rows, from, to } = picked;
    try {
      const c = await corrected("correct", { File: file, Flags: f, Sheet: sheet, Rows: rows, From: from, To: to, As: as });
      if (!c) return;
      past.push(before);
      restore(c.flags);
      keeping(offer);
      read();
    } catch (e) { say(e.message, true); }
  }
  /** pick marks rows or columns; those from a place to another where more is set. */
  function pick(sheet, rows, n, more) {
    const from = more && picked?.sheet === sheet && picked.rows === rows ? picked.origin : n;
    picked = { sheet, rows, origin: from, from: Math.min(from, n), to: Math.max(from, n) };
    offer();
    paint();
  }
  function paint() {
    for (const e of box.querySelectorAll(".picked")) e.classList.remove("picked");
    for (const b of box.querySelectorAll("button.line")) b.setAttribute("aria-pressed", "false");
    if (!picked) return;
    const table = [...box.querySelectorAll("table.sheet")].find((x) => x.dataset.sheet === picked.sheet), key = picked.rows ? "r" : "c";
    for (const e of table?.querySelectorAll(`[data-${key}]`) || []) {
      if (+e.dataset[key] < picked.from || +e.dataset[key] > picked.to) continue;
      e.classList.add("picked");
      e.querySelector("button.line")?.setAttribute("aria-pressed", "true");
    }
  }
  /** line is the button of a row or column: arrows lead to its neighbours, with Shift further ones are picked too, Enter to what they can be called. */
  function line(sheet, rows, n) {
    const go = (e) => {
      const to = { ArrowUp: rows && n - 1, ArrowDown: rows && n + 1, ArrowLeft: !rows && n - 1, ArrowRight: !rows && n + 1 }[e.key];
      if (to === undefined || to === false) return;
      e.preventDefault();
      const b = e.target.closest("table").querySelector(`th[data-${rows ? "r" : "c"}="${to}"] button`);
      if (!b) return;
      b.focus();
      pick(sheet, rows, to, e.shiftKey);
    };
    return h("button", { type: "button", class: "link line", "data-key": rows ? "r" + n : "c" + letters(n), tabindex: n ? "-1" : "0", "aria-pressed": "false", "aria-label": t(rows ? "row" : "column") + " " + (rows ? n + 1 : letters(n)), onkeydown: go,
      onclick: (e) => { pick(sheet, rows, n, e.shiftKey); if (!e.detail) calls.querySelector("button").focus(); } }, rows ? n + 1 : letters(n));
  }
  function draw(s) {
    const wide = Math.max(...s.rows.map((r) => r.length), 1);
    const kind = new Map();
    for (const p of s.parts) for (let r = p.at[0]; r <= p.at[2]; r++) for (let c = p.at[1]; c <= p.at[3]; c++) if (p.what !== "aside" || !kind.has(r * 1000 + c)) kind.set(r * 1000 + c, p);
    const covered = new Set(), spans = new Map();
    for (const [a, b, c, d] of s.merged || []) { spans.set(a * 1000 + b, [c - a + 1, d - b + 1]); for (let r = a; r <= c; r++) for (let k = b; k <= d; k++) if (r !== a || k !== b) covered.add(r * 1000 + k); }
    let from = null;
    const place = (e) => { const td = e.target.closest("td"); return td && td.dataset.r ? [+td.dataset.r, +td.dataset.c] : null; };
    const table = h("table", {
      class: "sheet", "data-sheet": s.sheet,
      onpointerdown: (e) => { from = place(e); },
      onpointerup: (e) => { const to = place(e); if (from && to && (from[0] !== to[0] || from[1] !== to[1])) { past.push(structuredClone(f)); set("range", [a1(Math.min(from[0], to[0]), Math.min(from[1], to[1])) + ":" + a1(Math.max(from[0], to[0]), Math.max(from[1], to[1]))]); if (s.sheet) set("sheet", [s.sheet]); set("layout", null); offer(); read(); } from = null; },
    },
      h("caption", {}, s.sheet),
      h("thead", {}, h("tr", {}, h("td", {}), Array.from({ length: wide }, (_, c) => h("th", { scope: "col", "data-c": c }, line(s.sheet, false, c))))),
      h("tbody", {}, s.rows.map((row, r) => h("tr", {}, h("th", { scope: "row", "data-r": r }, line(s.sheet, true, r)), Array.from({ length: wide }, (_, c) => {
        const at = r * 1000 + c;
        if (covered.has(at)) return "";
        const p = kind.get(at), span = spans.get(at);
        return h("td", { class: p ? "p-" + p.what : "", title: p ? t("s_" + p.what) + (p.says ? ": " + p.says : "") : "", "data-r": r, "data-c": c, rowspan: span && span[0] > 1 ? span[0] : null, colspan: span && span[1] > 1 ? span[1] : null }, row[c] || "");
      })))));
    return [table, s.whole ? "" : h("p", {}, "…")];
  }
  offer();
  read();
  return h("section", { class: "sheets" }, h("div", { class: "side" }, form, words), h("div", { class: "drawn" }, calls, box));
}

const letters = (c) => (c >= 26 ? letters(Math.floor(c / 26) - 1) : "") + String.fromCharCode(65 + c % 26);
const a1 = (r, c) => letters(c) + (r + 1);
