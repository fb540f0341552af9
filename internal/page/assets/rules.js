// The rules of an office: each change marks the cells at once.

import { h } from "./dom.js";
import { t } from "./words.js";
import { state, decide } from "./state.js";
import { fields, refusing } from "./field.js";
import * as preset from "./preset.js";

/** refused shows an error at its field, if it has one that is shown; none takes it away. */
export const refused = refusing("form.rules", "wrong");

const form = fields({ now: (name) => state.policy[name], set, refused, nothing, offered });

/** refresh shows the policy as it is now. */
export const refresh = () => form.refresh();

/** SHOWN: the fields of a policy that the form has, in groups. What each is and may be, its record says. */
const SHOWN = {
  rules: ["below", "zeros-sensitive", "width", "lpl", "upl", "dominance", "p-percent", "pq", "zero", "rules"],
  costs: ["cost", "margins", "lower", "upper", "prefer"],
  method: ["method", "effort", "time-limit", "gap", "insiders", "defence"],
};

/** NEEDS: what a table must have for a field to be of use. */
const NEEDS = {
  below: (has) => has.freq || state.table.counts, "zeros-sensitive": (has) => has.freq || state.table.counts, insiders: (has) => has.freq,
  dominance: (has) => has.max > 0, "p-percent": (has) => has.max > 0, pq: (has) => has.max > 0,
};

/** FIRST: the fields that are seen at once; others unfold. */
const FIRST = ["below", "zeros-sensitive", "width", "dominance", "p-percent"];

/** negative reports whether the table has values below 0, of which readers must not be taken to know that there are none. */
const negative = () => state.table.values.some((v) => v.some((x) => typeof x === "number" ? x < 0 : String(x).startsWith("-")));

const folded = new Map(); // by group: whether it is open

/** panel is the form of the policy. */
export function panel() {
  const below = negative();
  form.forget();
  return h("form", { class: "rules", onsubmit: (e) => e.preventDefault() }, preset.panel(), Object.entries(SHOWN).map(([title, names]) => {
    const has = (name) => NEEDS[name]?.(state.table.has) ?? true;
    const seen = (name) => FIRST.includes(name) || name === "lower" && below;
    const more = names.filter((name) => has(name) && !seen(name)), first = names.filter((name) => has(name) && seen(name));
    const of = (list) => list.map((name) => control(state.fields.find((r) => r.name === name)));
    const rest = [of(more), title === "method" && h("label", { class: "box" }, h("input", { type: "checkbox", name: "certificate", checked: state.certificate, onchange: (e) => { state.certificate = e.target.checked; } }), " ", t("certificate"))];
    const unfolded = folded.get(title) ?? more.some((name) => state.policy[name] !== undefined);
    return h("fieldset", {}, first.length ? h("legend", {}, t(title)) : "", of(first), h("details", { "data-key": title, open: unfolded, ontoggle: (e) => folded.set(title, e.target.open) }, h("summary", {}, t(first.length ? "morerules" : title)), rest));
  }));
}

function set(name, v) { decide(() => { if (v === "" || v === undefined || Number.isNaN(v)) delete state.policy[name]; else state.policy[name] = v; }); }

/** control is a field; one for a file offers those that are open. */
const control = (r) => (r.name === "prefer" ? form.select(r, () => [["", "–"], ...state.files.map((f) => [f.file, f.name])]) : form.control(r));

/** nothing is what a field says that is not given. */
function nothing(r) { return r.name === "cost" ? t("given") : r.default || r.name === "margins" ? t("auto") : "–"; }

/** offered are the words that a field may be; one that waits for a number gets one, and those that need numbers for each dimension stand in files. */
function offered(r) {
  const numbers = { "power:": "power:0.5", "weight:": "weight:2" };
  return r.words.filter((v) => v !== r.default && (v !== "freq" || state.table.has.freq)).map((v) => numbers[v] || v).filter((v) => !v.endsWith(":"));
}
