// A file as it lies, with the layout understood drawn over it, to be corrected.

import { h, put, keeping, say } from "./dom.js";
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
  const f = drafts.get(file), ask = latest();
  const box = h("div", { class: "sheetbox", "data-part": "sheetbox" }), words = h("div", { class: "words" });
  const use = () => open(state.opened?.includes(file) ? state.opened : [file], f);
  const form = h("form", { class: "rules", onsubmit: (e) => { e.preventDefault(); read(); } },
    h("fieldset", {}, h("legend", {}, t("reading")),
      field("sheet", t("sheet")), field("range", t("range"), "A3:K40"), field("header-rows", t("headerrows"), "2"), field("label-columns", t("labelcolumns"), "2"),
      field("derived", t("derivedc"), "H"), field("no-total", t("nototal")), field("freq", t("freq")), field("tolerance", "±", "0.5"),
      h("button", { type: "submit" }, t("again")), h("button", { type: "button", class: "main", onclick: use }, t("usetable"))),
    h("p", {}, t("pickrange")), h("p", { class: "legend" }, KINDS.map((k) => h("span", { class: "p-" + k }, t("s_" + k)))));

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
      });
    } catch (e) { say(e.message, true); }
  }
  function option(o) {
    const m = /^--([a-z-]+)[ =](.*)$/.exec(o);
    if (m) { set(m[1], [m[2]]); read(); }
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
      class: "sheet",
      onpointerdown: (e) => { from = place(e); },
      onpointerup: (e) => { const to = place(e); if (from && to && (from[0] !== to[0] || from[1] !== to[1])) { set("range", [a1(Math.min(from[0], to[0]), Math.min(from[1], to[1])) + ":" + a1(Math.max(from[0], to[0]), Math.max(from[1], to[1]))]); if (s.sheet) set("sheet", [s.sheet]); read(); } from = null; },
    },
      h("caption", {}, s.sheet),
      h("thead", {}, h("tr", {}, h("th", {}), Array.from({ length: wide }, (_, c) => h("th", { scope: "col" }, h("button", { type: "button", class: "link", onclick: () => { const l = letters(c); set("derived", (f.derived || []).includes(l) ? f.derived.filter((x) => x !== l) : [...(f.derived || []), l]); read(); } }, letters(c)))))),
      h("tbody", {}, s.rows.map((row, r) => h("tr", {}, h("th", { scope: "row" }, r + 1), Array.from({ length: wide }, (_, c) => {
        const at = r * 1000 + c;
        if (covered.has(at)) return "";
        const p = kind.get(at), span = spans.get(at);
        return h("td", { class: p ? "p-" + p.what : "", title: p ? t("s_" + p.what) + (p.says ? ": " + p.says : "") : "", "data-r": r, "data-c": c, rowspan: span && span[0] > 1 ? span[0] : null, colspan: span && span[1] > 1 ? span[1] : null }, row[c] || "");
      })))));
    return [table, s.whole ? "" : h("p", {}, "…")];
  }
  read();
  return h("section", { class: "sheets" }, h("div", { class: "side" }, form, words), box);
}

const letters = (c) => (c >= 26 ? letters(Math.floor(c / 26) - 1) : "") + String.fromCharCode(65 + c % 26);
const a1 = (r, c) => letters(c) + (r + 1);
