// The rules of an office: each change marks the cells at once.

import { h, put } from "./dom.js";
import { t, field, value, language } from "./words.js";
import { state, decide } from "./state.js";
import * as preset from "./preset.js";

let shows = []; // of the fields: what has them show the policy

/** refresh shows the policy as it is now; a field that is being filled in is left alone. */
export const refresh = () => shows.forEach((f) => f());

/** following has a field show the policy. */
function following(e, f) {
  shows.push(() => { if (e !== document.activeElement || e.type === "checkbox" || e.tagName === "SELECT") f(e); });
  return e;
}

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
  shows = [];
  wrong = null;
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

let wrong = null;

/** refused shows an error at its field, if it has one that is shown; none takes it away. */
export function refused(name, message) {
  if (wrong) { wrong.field.removeAttribute("aria-invalid"); wrong.field.removeAttribute("aria-describedby"); wrong.note.remove(); wrong = null; }
  const field = name && document.querySelector(`form.rules [name="${name}"]`);
  if (!field) return;
  const note = h("small", { class: "bad", id: "wrong" }, message);
  field.setAttribute("aria-invalid", "true");
  field.setAttribute("aria-describedby", "wrong");
  field.closest("label").append(note);
  field.closest("details")?.setAttribute("open", "");
  wrong = { field, note };
}

function set(name, v) { decide(() => { if (v === "" || v === undefined || Number.isNaN(v)) delete state.policy[name]; else state.policy[name] = v; }); }

/** control is the label of a field with what shows and takes its value. */
function control(r) {
  const now = () => state.policy[r.name], help = { title: r.help[language()] };
  if (r.name === "prefer") return select(r, help, () => [["", "–"], ...state.files.map((f) => [f.file, f.name])]);
  switch (r.kind) {
    case "box": {
      const e = h("input", { type: "checkbox", name: r.name, checked: !!now(), onchange: (x) => set(r.name, x.target.checked || undefined) });
      return h("label", { class: "box", ...help }, following(e, () => { e.checked = !!now(); }), " ", field(r.name));
    }
    case "words":
      return select(r, help, () => [["", nothing(r)], ...offered(r).map((v) => [v, value(v)])]);
    case "list":
      return input(r, help, {}, (v) => (v || []).join(" "), (v) => (v ? v.split(/\s+/) : undefined));
    case "whole": case "number":
      return input(r, help, { type: "number", step: r.kind === "whole" ? "1" : "any", ...limits(r.range) }, (v) => v ?? "", (v) => (v === "" ? undefined : +v));
  }
  return input(r, help, {}, (v) => v ?? "", (v) => v);
}

/** limits are the ends of a range like [0, 1), of which 0 stands for nothing. */
function limits(range) {
  const most = parseFloat(range?.split(", ")[1]);
  return { min: "0", ...(Number.isNaN(most) ? {} : { max: String(most) }) };
}

/** nothing is what a field says that is not given. */
const nothing = (r) => (r.name === "cost" ? t("given") : r.default || r.name === "margins" ? t("auto") : "–");

/** offered are the words that a field may be; one that waits for a number gets one, and those that need numbers for each dimension stand in files. */
function offered(r) {
  const numbers = { "power:": "power:0.5", "weight:": "weight:2" };
  return r.words.filter((v) => v !== r.default && (v !== "freq" || state.table.has.freq)).map((v) => numbers[v] || v).filter((v) => !v.endsWith(":"));
}

function input(r, help, attrs, of, parse) {
  const e = h("input", { name: r.name, spellcheck: "false", placeholder: r.hint, value: of(state.policy[r.name]), onchange: () => { if (e.validity.badInput) refused(r.name, e.validationMessage); else set(r.name, parse(e.value.trim())); }, ...attrs });
  return h("label", help, h("span", {}, field(r.name)), following(e, () => { if (!e.validity.badInput) e.value = of(state.policy[r.name]); }));
}

function select(r, help, options) {
  const e = h("select", { name: r.name, onchange: (x) => set(r.name, x.target.value) }, options().map(([v, words]) => h("option", { value: v }, words)));
  const show = () => {
    const all = options(), now = String(state.policy[r.name] ?? "");
    if (now !== "" && !all.some(([v]) => v === now)) all.push([now, now]);
    if (all.length !== e.options.length) put(e, all.map(([v, words]) => h("option", { value: v }, words)));
    e.value = now;
  };
  show();
  return h("label", help, h("span", {}, field(r.name)), following(e, show));
}
