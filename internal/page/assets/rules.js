// The rules of an office: each change marks the cells at once.

import { h, put } from "./dom.js";
import { t } from "./words.js";
import { state, decide } from "./state.js";

let shows = []; // of the fields: what has them show the policy

/** refresh shows the policy as it is now; a field that is being filled in is left alone. */
export const refresh = () => shows.forEach((f) => f());

/** following has a field show the policy. */
function following(e, f) {
  shows.push(() => { if (e !== document.activeElement || e.type === "checkbox" || e.tagName === "SELECT") f(e); });
  return e;
}

/** panel is the form of the policy. */
export function panel() {
  shows = [];
  const has = state.table.has, counts = has.freq || state.table.counts;
  return h("form", { class: "rules", onsubmit: (e) => e.preventDefault() },
    group(t("rules"),
      counts && number("below", t("below")), counts && box("zeros-sensitive", t("zeros")),
      text("width", t("width"), "8 / 15%"), text("lpl", t("lpl"), "15%"), text("upl", t("upl"), "15%"),
      has.max > 0 && list("dominance", t("dominance"), "2,85"), has.max > 0 && list("p-percent", t("ppercent"), "10"), has.max > 0 && list("pq", t("pq"), "10,100"),
      text("zero", t("zerorule"), ""), text("rules", t("more"), "P(10,1)|FREQ(3,30)")),
    group(t("costs"),
      select("cost", t("costs"), () => [["", t("given")], ["count", t("count")], ["value", t("byvalue")], ...(has.freq ? [["freq", t("freq")]] : []), ["power:0.5", "√"]]),
      select("margins", t("margins"), () => [["", t("auto")], ["withhold", t("withholdm")], ["publish", t("publishm")], ["weight:2", "× 2"]]),
      text("lower", t("lower"), "0"), text("upper", t("upper"), ""),
      select("prefer", t("prefer"), () => [["", "–"], ...state.files.map((f) => [f.file, f.name])])),
    group(t("method"),
      select("method", t("method"), () => [["", t("auto")], ["exact", t("exact")], ["modular", t("modular")]]),
      select("effort", t("effort"), () => [["", t("auto")], ["quick", t("quick")], ["proof", t("proved")]]),
      text("time-limit", t("limit"), "1m"), text("gap", t("gapf"), "0.01", parseFloat),
      has.freq && box("insiders", t("insiders")),
      select("defence", t("defence"), () => [["", "–"], ["simulatable", "simulatable"], ["quantised", "quantised"], ["random", "random"]]),
      h("label", { class: "box" }, h("input", { type: "checkbox", name: "certificate", checked: state.certificate, onchange: (e) => { state.certificate = e.target.checked; } }), " ", t("certificate"))));
}

const group = (title, ...fields) => h("fieldset", {}, h("legend", {}, title), fields);

function set(field, v) { decide(() => { if (v === "" || v === undefined || Number.isNaN(v)) delete state.policy[field]; else state.policy[field] = v; }); }

/** field shows and takes one value of the policy as text. */
function field(name, label, attrs, of, parse) {
  const e = h("input", { name, spellcheck: "false", value: of(state.policy[name]), onchange: (x) => set(name, parse(x.target.value.trim())), ...attrs });
  return h("label", {}, h("span", {}, label), following(e, () => { e.value = of(state.policy[name]); }));
}

const plain = (v) => v ?? "";

const text = (name, label, hint, parse) => field(name, label, { placeholder: hint }, plain, parse || ((v) => v));

const number = (name, label) => field(name, label, { type: "number", min: "0" }, plain, (v) => (v === "" ? undefined : +v));

const list = (name, label, hint) => field(name, label, { placeholder: hint }, (v) => (v || []).join(" "), (v) => (v ? v.split(/\s+/) : undefined));

function box(name, label) {
  const e = h("input", { type: "checkbox", name, checked: !!state.policy[name], onchange: (x) => set(name, x.target.checked || undefined) });
  return h("label", { class: "box" }, following(e, () => { e.checked = !!state.policy[name]; }), " ", label);
}

function select(name, label, options) {
  const e = h("select", { name, onchange: (x) => set(name, x.target.value) }, options().map(([v, words]) => h("option", { value: v }, words)));
  const show = () => {
    const all = options(), now = String(state.policy[name] ?? "");
    if (now !== "" && !all.some(([v]) => v === now)) all.push([now, now]);
    if (all.length !== e.options.length) put(e, all.map(([v, words]) => h("option", { value: v }, words)));
    e.value = now;
  };
  show();
  return h("label", {}, h("span", {}, label), following(e, show));
}
