// What is published, and what the office keeps.

import { h, put, say, save } from "./dom.js";
import { call, file } from "./api.js";
import { t, language } from "./words.js";
import { state, run, stale } from "./state.js";
import { later, told } from "./session.js";

let prepared = "", approver = "";
const kept = { box: h("div", { "data-part": "approval" }), log: h("div", { "data-part": "log" }) };
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
      const f = await file({ Run: r.run, Policy: state.policy, What: what, File: n || 0, Masked: !!masked, Symbol: symbol, Uniform: uniform, Lang: lang || language(), About: state.about });
      save(f.name, f.blob);
      say(f.name);
      told(await call("session"));
    } catch (e) { say(e.message, true); }
  };
  const field = (k, label) => h("label", {}, h("span", {}, label), h("input", { name: k, value: state.about[k] || "", oninput: (e) => { state.about[k] = e.target.value; later(); } }));
  kept.of = () => ({ Run: r.run, Policy: state.policy, Symbol: symbol, Uniform: uniform });
  kept.shown = "";
  refresh();
  return h("section", { class: "out" }, good ? kept.box : "",
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
      h("button", { disabled: !r.proof, onclick: get("certificate") }, t("savecert")), r.policy.defence === "random" ? h("button", { onclick: get("seed") }, t("saveseed")) : "", h("button", { onclick: get("session") }, t("savesession"))),
    repeat, kept.log);
}

// What the lines of the session are about.
const LINES = ["protected", "run", "decided", "approved", "saved"];

/** refresh shows who has approved and what was done. */
export function refresh() {
  const s = state.session || {}, a = s.approval?.run === state.chosen ? s.approval : null, as = JSON.stringify([a, s.log, s.strict, language()]);
  if (kept.shown === as) return;
  kept.shown = as;
  put(kept.box, approval(state.chosen, () => kept.of()));
  put(kept.log, s.log?.length ? h("details", {}, h("summary", {}, t("donelog") + " (" + s.log.length + ")" + (s.path ? ": " + s.path : "")),
    h("table", {}, h("tbody", {}, s.log.map((x) => h("tr", {}, h("td", {}, when(x.at)), h("td", {}, LINES.includes(x.what) ? t("l_" + x.what) : x.what), h("td", {}, x.of || ""), h("td", {}, x.says || ""), h("td", {}, x.by || "")))))) : "");
}

/** approval shows who has approved a run or release, and takes who does; of has what is approved. */
export function approval(id, of) {
  const s = state.session || {}, a = s.approval?.run === id ? s.approval : null;
  const name = (label, now, set) => h("label", {}, h("span", {}, label), h("input", { name: label, value: now, autocomplete: "off", oninput: (e) => set(e.target.value.trim()) }));
  const approve = async () => {
    try { told(await call("approve", { ...of(), Prepared: prepared, By: approver })); say(t("approvedby") + " " + approver); } catch (e) { say(e.message, true); }
  };
  return h("fieldset", { class: "approval" }, h("legend", {}, t("approval")),
    a ? [h("p", { class: "protected" }, t("approvedby") + " " + a.by + ", " + t("preparedby") + " " + a.prepared + ", " + when(a.at)), h("ul", {}, a.files.map((f) => h("li", {}, f.name + " ", h("small", {}, "SHA-256 " + f.sha256))))] : h("p", { class: s.strict ? "bad" : "says" }, t(s.strict ? "approvalneeded" : "notapproved")),
    name(t("preparedby"), prepared, (v) => { prepared = v; }), name(t("approvedby"), approver, (v) => { approver = v; }), h("button", { "data-key": "approve", onclick: approve }, t("approve")),
    a?.ledger ? [h("p", { class: "says" }, t("toledger")), h("pre", {}, a.ledger)] : "");
}

const when = (at) => new Date(at).toLocaleString(language());
