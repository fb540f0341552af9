// The rules of an office: each change marks the cells at once.

import { h } from "./dom.js";
import { t } from "./words.js";
import { state, decide } from "./state.js";

/** panel is the form of the policy. */
export function panel() {
  const has = state.table.has, counts = has.freq || state.table.counts;
  return h("form", { class: "rules", onsubmit: (e) => e.preventDefault() },
    group(t("rules"),
      counts && number("below", t("below")), counts && box("zeros-sensitive", t("zeros")),
      text("width", t("width"), "8 / 15%"), text("lpl", t("lpl"), "15%"), text("upl", t("upl"), "15%"),
      has.max > 0 && list("dominance", t("dominance"), "2,85"), has.max > 0 && list("p-percent", t("ppercent"), "10"), has.max > 0 && list("pq", t("pq"), "10,100"),
      text("zero", t("zerorule"), ""), text("rules", t("more"), "P(10,1)|FREQ(3,30)")),
    group(t("costs"),
      select("cost", t("costs"), [["", t("given")], ["count", t("count")], ["value", t("byvalue")], has.freq && ["freq", t("freq")], ["power:0.5", "√"]]),
      select("margins", t("margins"), [["", t("auto")], ["withhold", t("withholdm")], ["publish", t("publishm")], ["weight:2", "× 2"]]),
      text("lower", t("lower"), "0"), text("upper", t("upper"), ""),
      select("prefer", t("prefer"), [["", "–"], ...state.files.map((f) => [f.file, f.name])])),
    group(t("method"),
      select("method", t("method"), [["", t("auto")], ["exact", t("exact")], ["modular", t("modular")]]),
      select("effort", t("effort"), [["", t("auto")], ["quick", t("quick")], ["proof", t("proved")]]),
      text("time-limit", t("limit"), "1m"), text("gap", t("gapf"), "0.01", parseFloat),
      has.freq && box("insiders", t("insiders")),
      select("defence", t("defence"), [["", "–"], ["simulatable", "simulatable"], ["quantised", "quantised"], ["random", "random"]]),
      h("label", { class: "box" }, h("input", { type: "checkbox", name: "certificate", checked: state.certificate, onchange: (e) => { state.certificate = e.target.checked; } }), " ", t("certificate"))));
}

const group = (title, ...fields) => h("fieldset", {}, h("legend", {}, title), fields);

function set(field, v) { decide(() => { if (v === "" || v === undefined || Number.isNaN(v)) delete state.policy[field]; else state.policy[field] = v; }); }

function text(field, label, hint, parse) {
  return h("label", {}, h("span", {}, label), h("input", { name: field, value: state.policy[field] ?? "", placeholder: hint, spellcheck: "false", onchange: (e) => set(field, parse ? parse(e.target.value) : e.target.value.trim()) }));
}

function number(field, label) {
  return h("label", {}, h("span", {}, label), h("input", { name: field, type: "number", min: "0", value: state.policy[field] ?? "", onchange: (e) => set(field, e.target.value === "" ? undefined : +e.target.value) }));
}

function list(field, label, hint) {
  return h("label", {}, h("span", {}, label), h("input", {
    name: field, value: (state.policy[field] || []).join(" "), placeholder: hint, spellcheck: "false",
    onchange: (e) => set(field, e.target.value.trim() ? e.target.value.trim().split(/\s+/) : undefined),
  }));
}

function box(field, label) {
  return h("label", { class: "box" }, h("input", { type: "checkbox", name: field, checked: !!state.policy[field], onchange: (e) => set(field, e.target.checked || undefined) }), " ", label);
}

function select(field, label, options) {
  const now = state.policy[field] ?? "", all = options.filter(Boolean);
  if (now !== "" && !all.some(([v]) => v === now)) all.push([now, now]);
  return h("label", {}, h("span", {}, label), h("select", { name: field, onchange: (e) => set(field, e.target.value) }, all.map(([v, words]) => h("option", { value: v, selected: v === now }, words))));
}
