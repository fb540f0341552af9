// Fields of a form, made of the records of options: their kinds, ranges and words.

import { h, put } from "./dom.js";
import { field, value, language } from "./words.js";

/** fields makes them for what now(name) has and set(name, value) takes; refused(name, message) is told of what a browser does not take, and of a field offered
    (record) has the words, nothing(record) what it says that is not given. named calls the elements. */
export function fields({ now, set, refused, offered = (r) => r.words, nothing = () => "–", named = (name) => name }) {
  let shows = []; // what has the fields show what there is now

  /** following has a field show it. One that is being filled in is left alone. */
  function following(e, f) {
    shows.push(() => { if (e !== document.activeElement || e.type === "checkbox" || e.tagName === "SELECT") f(e); });
    return e;
  }

  const help = (r) => ({ title: r.help[language()] });

  function input(r, attrs, of, parse) {
    const e = h("input", { name: named(r.name), spellcheck: "false", placeholder: r.hint, value: of(now(r.name)), onchange: () => { if (e.validity.badInput) refused(r.name, e.validationMessage); else set(r.name, parse(e.value.trim())); }, ...attrs });
    return h("label", help(r), h("span", {}, field(r.name)), following(e, () => { if (!e.validity.badInput) e.value = of(now(r.name)); }));
  }

  /** select is a field of a few words, which options lists with what they are called. */
  function select(r, options) {
    const e = h("select", { name: named(r.name), onchange: (x) => set(r.name, x.target.value) }, options().map(([v, words]) => h("option", { value: v }, words)));
    const show = () => {
      const all = options(), is = String(now(r.name) ?? "");
      if (is !== "" && !all.some(([v]) => v === is)) all.push([is, is]);
      if (all.length !== e.options.length) put(e, all.map(([v, words]) => h("option", { value: v }, words)));
      e.value = is;
    };
    show();
    return h("label", help(r), h("span", {}, field(r.name)), following(e, show));
  }

  /** control is the label of a field with what shows and takes its value. */
  function control(r) {
    switch (r.kind) {
      case "box": {
        const e = h("input", { type: "checkbox", name: named(r.name), checked: !!now(r.name), onchange: (x) => set(r.name, x.target.checked || undefined) });
        return h("label", { class: "box", ...help(r) }, following(e, () => { e.checked = !!now(r.name); }), " ", field(r.name));
      }
      case "words":
        return select(r, () => [["", nothing(r)], ...offered(r).map((v) => [v, value(v)])]);
      case "list":
        return input(r, {}, (v) => (v || []).join(" "), (v) => (v ? v.split(/\s+/) : undefined));
      case "whole": case "number":
        return input(r, { type: "number", step: r.kind === "whole" ? "1" : "any", ...limits(r.range) }, (v) => v ?? "", (v) => (v === "" ? undefined : +v));
    }
    return input(r, {}, (v) => v ?? "", (v) => v);
  }

  return { control, select, refresh: () => shows.forEach((f) => f()), forget: () => { shows = []; } };
}

/** limits are the ends of a range like [0, 1), of which 0 stands for nothing. */
function limits(range) {
  const most = parseFloat(range?.split(", ")[1]);
  return { min: "0", ...(Number.isNaN(most) ? {} : { max: String(most) }) };
}

/** refusing shows errors at the fields of a form: one at a time, with a name of its own. */
export function refusing(form, id) {
  let wrong = null;
  /** refused shows an error at its field, if it has one that is shown; none takes it away. */
  return (name, message) => {
    if (wrong) { wrong.field.removeAttribute("aria-invalid"); wrong.field.removeAttribute("aria-describedby"); wrong.note.remove(); wrong = null; }
    const at = name && document.querySelector(`${form} [name="${name}"]`);
    if (!at) return;
    const note = h("small", { class: "bad", id }, message);
    at.setAttribute("aria-invalid", "true");
    at.setAttribute("aria-describedby", id);
    at.closest("label").append(note);
    at.closest("details")?.setAttribute("open", "");
    wrong = { field: at, note };
  };
}
