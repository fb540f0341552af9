// Risk in a file of records: k, l, t, and what each column does to k.

import { h, put, say, number } from "./dom.js";
import { call } from "./api.js";
import { t } from "./words.js";
import { state } from "./state.js";

let file = "", qi = new Set(), sensitive = "", entity = "";

/** panel measures the file that is chosen. */
export function panel() {
  const box = h("div", { class: "answers" }), columns = h("div", { class: "columns" });
  const pick = h("select", { name: "file", onchange: (e) => { file = e.target.value; qi = new Set(); sensitive = entity = ""; show(); } }, state.files.map((f) => h("option", { value: f.file, selected: f.file === file }, f.name)));
  if (!state.files.length) return h("p", {}, t("nofile"));
  file ||= state.files[0].file;
  async function show() {
    put(columns);
    put(box);
    try {
      const c = await call("columns", { File: file });
      const choice = (now, set) => h("select", { onchange: (e) => set(e.target.value) }, ["", ...c.columns].map((x) => h("option", { value: x, selected: x === now }, x || "–")));
      put(columns,
        h("fieldset", {}, h("legend", {}, t("qi")), c.columns.map((x) => h("label", { class: "box" }, h("input", { type: "checkbox", name: "qi", value: x, checked: qi.has(x), onchange: (e) => { if (e.target.checked) qi.add(x); else qi.delete(x); } }), " ", x))),
        h("label", {}, h("span", {}, t("sens")), choice(sensitive, (v) => { sensitive = v; })), h("label", {}, h("span", {}, t("entity")), choice(entity, (v) => { entity = v; })),
        h("button", { class: "main", onclick: () => measure(c) }, t("measure")),
        h("div", { class: "scroll" }, h("table", {}, h("thead", {}, h("tr", {}, c.columns.map((x) => h("th", { scope: "col" }, x)))), h("tbody", {}, c.rows.slice(0, 8).map((r) => h("tr", {}, r.map((x) => h("td", {}, x))))))));
    } catch (e) { put(columns, h("p", { class: "bad" }, e.message)); }
  }
  async function measure() {
    const list = [...qi].join(",");
    if (!list) { say(t("qi"), true); return; }
    put(box, h("p", {}, t("running")));
    const ask = (measure, flags) => call("risk", { File: file, Measure: measure, Flags: Object.fromEntries(Object.entries(flags).filter(([, v]) => v).map(([k, v]) => [k, [v]])) });
    try {
      const k = await ask("k-anonymity", { qi: list, entity, worst: "5" });
      const parts = [figures(k, [["k", "k"], ["records", "records"], ["classes", "class"], ["uniques", "uniques"]]), classes(k)];
      if (sensitive) {
        for (const m of ["l-diversity", "t-closeness"]) {
          try { parts.push(h("h3", {}, m), figures(await ask(m, { qi: list, sensitive }), null)); } catch (e) { parts.push(h("p", { class: "bad" }, e.message)); }
        }
      }
      put(box, parts);
      if (qi.size > 1) {
        const rows = [];
        for (const x of qi) { const d = await ask("k-anonymity", { qi: [...qi].filter((y) => y !== x).join(","), entity }); rows.push([x, d.k ?? d.K, d.classes]); }
        box.append(h("h3", {}, t("whatif")), h("table", {}, h("thead", {}, h("tr", {}, ["", "k", t("class")].map((x) => h("th", { scope: "col" }, x)))), h("tbody", {}, rows.map((r) => h("tr", {}, h("th", { scope: "row" }, "− " + r[0]), h("td", { class: "num" }, r[1]), h("td", { class: "num" }, number(r[2])))))));
      }
    } catch (e) { put(box, h("p", { class: "bad" }, e.message)); }
  }
  show();
  return h("section", { class: "micro" }, h("label", {}, pick), columns, box);
}

/** figures are the plain numbers of a document. */
function figures(doc, keys) {
  const rows = keys ? keys.filter(([k]) => doc[k] !== undefined).map(([k, w]) => [t(w), doc[k]]) : Object.entries(doc).filter(([k, v]) => (typeof v === "number" || /^-?[\d./]+$/.test(v)) && !/seconds|version|schema/.test(k));
  return h("dl", { class: "figures" }, rows.map(([k, v]) => [h("dt", {}, k.replaceAll("_", " ")), h("dd", {}, number(v))]));
}

/** classes is the histogram of a document, if it has one. */
function classes(doc) {
  const list = doc.histogram || doc.class_sizes || [];
  if (!list.length) return "";
  const top = Math.max(...list.map((b) => b.records || b.count || 0), 1);
  return [h("h3", {}, t("classes")), h("table", { class: "bars" }, h("tbody", {}, list.slice(0, 30).map((b) => {
    const n = b.records || b.count || 0, meter = h("meter", { min: "0", max: String(top), value: n });
    return h("tr", {}, h("th", { scope: "row" }, b.size ?? [b.from, b.to].filter((x) => x !== undefined).join("–")), h("td", {}, meter), h("td", { class: "num" }, number(n)));
  })))];
}
