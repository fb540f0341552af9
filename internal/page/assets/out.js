// What is published, and what the office keeps.

import { h, put, say, save } from "./dom.js";
import { call, file } from "./api.js";
import { t, language } from "./words.js";
import { state, run, stale } from "./state.js";

const about = {};
let symbol = "", uniform = false, lang = "";

/** panel offers the files of the run that is shown. */
export function panel() {
  const r = run();
  const repeat = h("div", { class: "repeat" });
  call("repeat", { Table: state.table.table, Policy: state.policy }).then((x) => put(repeat, h("h3", {}, t("repeat")), h("pre", {}, x.command), h("pre", {}, x.policy))).catch((e) => say(e.message, true));
  if (!r || !r.withheld) return h("section", { class: "out" }, h("p", {}, t("first")), repeat);
  if (stale()) return h("section", { class: "out" }, h("p", { class: "bad" }, t("notsaved")), repeat);
  const good = r.result.audit === "protected";
  const get = (what, n, masked) => async () => {
    try {
      const f = await file({ Run: r.run, Policy: state.policy, What: what, File: n || 0, Masked: !!masked, Symbol: symbol, Uniform: uniform, Lang: lang || language(), About: about });
      save(f.name, f.blob);
      say(f.name);
    } catch (e) { say(e.message, true); }
  };
  const field = (k, label) => h("label", {}, h("span", {}, label), h("input", { name: k, value: about[k] || "", oninput: (e) => { about[k] = e.target.value; } }));
  return h("section", { class: "out" },
    h("fieldset", { class: "public" }, h("legend", {}, t("forpublic")),
      h("label", {}, h("span", {}, t("symbol")), h("input", { name: "symbol", value: symbol, size: "6", oninput: (e) => { symbol = e.target.value; } })),
      h("label", { class: "box" }, h("input", { type: "checkbox", name: "uniform", checked: uniform, onchange: (e) => { uniform = e.target.checked; } }), " ", t("uniform")),
      state.table.files.map((f, n) => h("button", { class: "main", disabled: !good, onclick: get("table", n) }, t("savetable") + (state.table.files.length > 1 ? " " + f.name : ""))),
      h("button", { disabled: !good, onclick: get("report", 0, true) }, t("savereport2")), h("button", { disabled: !good, onclick: get("drawing", 0, true) }, t("savesvg2")),
      good ? "" : h("p", { class: "bad" }, t(r.result.audit))),
    h("fieldset", {}, h("legend", {}, t("aboutreport")),
      field("title", t("title")), field("survey", t("survey")), field("period", t("period")), field("author", t("author")),
      h("label", {}, h("span", {}, t("language")), h("select", { onchange: (e) => { lang = e.target.value; } }, h("option", { value: "en", selected: (lang || language()) === "en" }, "English"), h("option", { value: "ja", selected: (lang || language()) === "ja" }, "日本語")))),
    h("fieldset", { class: "office" }, h("legend", {}, t("foroffice")),
      h("button", { onclick: get("report") }, t("savereport")), h("button", { onclick: get("drawing") }, t("savesvg")),
      h("button", { onclick: get("statuses") }, t("savestatus")), h("button", { onclick: get("result") }, t("saveresult")), h("button", { onclick: get("policy") }, t("savepolicy")), state.flags.layout ? h("button", { onclick: get("layout") }, t("savelayout")) : "",
      h("button", { disabled: !r.proof, onclick: get("certificate") }, t("savecert")), r.policy.defence === "random" ? h("button", { onclick: get("seed") }, t("saveseed")) : ""),
    repeat);
}
