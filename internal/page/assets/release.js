// From a file of records to a release: what its columns are, the limits, the search, what those who decide are told, and what is saved.

import { h, put, keeping, awaiting, say, save, number } from "./dom.js";
import { call, latest, file } from "./api.js";
import { t, value, language } from "./words.js";
import { state, changed as tell, watch } from "./state.js";
import { columns } from "./draw.js";
import { fields, refusing } from "./field.js";
import { approval } from "./out.js";
import { told } from "./session.js";

const drafts = new Map(); // by file: what is proposed, as it was changed, and the release that was found
let taken = 0; // from a session, as often
let jobs = 0, job = "";
const place = { rows: h("div", {}), waiting: h("div", { "aria-live": "off" }), found: h("div", { class: "answers", role: "status", "data-part": "release" }) };
const proposed = latest();
const refused = refusing("form.release", "wrongrelease");

/** panel is the part for a file. */
export function panel(of) {
  const box = h("div", {});
  put(place.found);
  draw(box, of);
  return box;
}

/** same says that two policies are about columns of the same names. */
const same = (a, b) => JSON.stringify(a.columns.map((c) => c.name).sort()) === JSON.stringify(b.columns.map((c) => c.name).sort());

/** given takes a policy that was dropped: for the file that is shown, and for others, where their columns are its. It tells whether it was taken for a file that is drafted. */
export function given(policy) {
  state.micro.given = policy;
  let fits = false;
  for (const [of, d] of drafts) {
    if (!same(d.policy, policy)) continue;
    d.policy = structuredClone(policy);
    noted(d, of);
    fits ||= of === state.micro.file;
  }
  state.micro.at++;
  taken = state.micro.at;
  return fits || !drafts.has(state.micro.file);
}

/** noted has the session keep a draft. */
function noted(d, of) {
  state.micro.drafts[of] = { policy: d.policy, made: d.made, ran: d.ran };
  tell("drafted");
}

async function draw(box, of) {
  if (taken !== state.micro.at) { // another page has gone on
    taken = state.micro.at;
    drafts.clear();
  }
  if (!drafts.has(of)) {
    put(box, h("p", {}, t("running")));
    try {
      const x = await proposed("propose", { File: of });
      if (!x) return;
      const { given, drafts: kept } = state.micro, d = { ...x, of, made: null, ran: "", ...kept[of] };
      if (given && !kept[of] && same(x.policy, given)) d.policy = structuredClone(given);
      drafts.set(of, d);
    } catch (e) { put(box, h("p", { class: "bad" }, e.message)); return; }
  }
  const d = drafts.get(of);
  keeping(() => put(box, form(d, of), place.waiting, place.found));
  found(d);
}

/** says takes the texts of fields from an object and shows there what changes. */
const says = (d, what, named) => ({
  now: (name) => what[name], named, refused: (name, message) => refused(named(name), message),
  set: (name, v) => { if (v === "" || v === undefined || Number.isNaN(v)) delete what[name]; else what[name] = String(v); changed(d); },
});

function changed(d) { refused(); noted(d, d.of); found(d); }

const FIRST = ["k", "l", "t", "risk", "local", "values"];

function form(d, of) {
  const p = d.policy, limits = fields(says(d, p.says, (name) => name));
  const own = d.fields.filter((r) => FIRST.includes(r.name)), more = d.fields.filter((r) => !FIRST.includes(r.name));
  const confirmed = h("input", { type: "checkbox", name: "confirmed", checked: p.confirmed, onchange: (e) => { p.confirmed = e.target.checked; changed(d); } });
  return h("form", { class: "release", onsubmit: (e) => { e.preventDefault(); search(d, of); } },
    h("p", { class: "says" }, number(String(d.records)) + " " + t("records") + ". " + t("rolesare")),
    h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": t("columnsare") }, h("table", { class: "roles" }, h("thead", {}, h("tr", {}, [t("columnname"), t("role"), t("rolewhy"), t("steps")].map((x) => h("th", { scope: "col" }, x)))),
      h("tbody", {}, p.columns.map((c, n) => row(d, c, n))))),
    h("div", { class: "beside" }, h("fieldset", {}, h("legend", {}, t("limits")), own.map(limits.control), h("details", { "data-key": "morelimits" }, h("summary", {}, t("morerules")), more.map(limits.control)))),
    h("label", { class: "box" }, confirmed, " ", t("confirmed")),
    h("button", { class: "main", type: "submit", "data-key": "searchrelease" }, t("searchrelease")));
}

/** row is a column of the file: its role, why, and what the role has to say besides. */
function row(d, c, n) {
  const own = fields({ ...says(d, c.says, (name) => n + "." + name) }), steps = h("td", { class: "steps" });
  const show = () => keeping(() => put(steps, d.steps.filter((r) => r.of === c.role).map((r) => (r.name === "recode" ? own.select(r, () => [["", "–"], ...state.files.map((f) => [f.name, f.name])]) : own.control(r)))));
  const role = h("select", { name: n + ".role", "aria-label": c.name + ": " + t("role"), onchange: (e) => {
    c.role = e.target.value;
    for (const r of d.steps) if (r.of !== c.role) delete c.says[r.name]; // which the role has no use for
    show();
    changed(d);
  } }, d.roles.map((r) => h("option", { value: r, selected: r === c.role }, value(r))));
  show();
  return h("tr", {}, h("th", { scope: "row" }, c.name), h("td", {}, role), h("td", {}, h("input", { name: n + ".reason", "aria-label": c.name + ": " + t("rolewhy"), value: c.reason, onchange: (e) => { c.reason = e.target.value.trim(); changed(d); } })), steps);
}

async function search(d, of) {
  if (job) return;
  const mine = job = "m" + Math.floor(performance.timeOrigin) + "-" + ++jobs, ran = JSON.stringify(d.policy);
  refused();
  Object.assign(d, { made: null, ran: "" });
  found(d);
  const shown = awaiting(place.waiting, t("running"), t("stopsearch"), () => call("stop", { Job: mine }).catch((e) => say(e.message, true)), (done, total) => number(String(done)) + " / " + number(String(total)));
  try {
    const made = await call("release", { File: of, Policy: JSON.parse(ran), Job: mine }, (e) => shown.come(e.done, e.total));
    Object.assign(d, { made, ran });
    noted(d, of);
    say(made.why || made.boards[language()].says, !made.kept);
  } catch (e) {
    refused(e.field, e.message);
    say(e.message, true);
  } finally {
    job = "";
    shown.end();
    found(d);
  }
}

/** found shows what was found, and what of it may be saved: nothing once roles or limits are others. */
function found(d) {
  const m = d.made;
  if (!m) { put(place.found); return; }
  if (m.why) { put(place.found, h("p", { class: "bad" }, m.why)); return; }
  const b = m.boards[language()], stale = d.ran !== JSON.stringify(d.policy);
  keeping(() => put(place.found,
    stale ? h("p", { class: "bad", "data-part": "stale" }, t("rolechanged")) : "",
    h("div", { class: "verdict " + (b.kept ? "protected" : "bad") }, h("h3", {}, b.says), b.answer.map((x) => h("p", {}, x))),
    m.says?.length ? h("p", { class: "says" }, m.says.join(" · ")) : "",
    h("p", { class: "says" }, b.only),
    h("h3", {}, b.figure.title + " (" + b.figure.x + ")"), columns("%", [""], b.figure.groups.map((g) => [g]), b.figure.kinds.map((k, n) => ({ class: ["two", "one"][n], name: k.name, numbers: k.shares }))),
    b.parts.map((p) => [h("h3", {}, p.title), p.note ? h("p", { class: "says" }, p.note) : "", h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": p.title }, h("table", {}, p.head ? h("thead", {}, h("tr", {}, p.head.map((x) => (x ? h("th", { scope: "col" }, x) : h("td", {}))))) : "",
      h("tbody", {}, p.rows.map((r) => h("tr", {}, r.map((x, n) => (n ? h("td", { class: p.numbers?.includes(n) ? "num" : "" }, x) : h("th", { scope: "row" }, x))))))))]),
    h("h3", {}, b.open.title), h("ul", {}, b.open.items.map((x) => h("li", {}, x))),
    stale ? "" : saving(d, m)));
}

function saving(d, m) {
  const body = () => ({ Release: m.release, Rules: JSON.parse(d.ran) });
  const get = (what, words, off) => h("button", { "data-key": "save" + what, disabled: off, onclick: async () => {
    try {
      const f = await file({ ...body(), Rules: d.policy, What: what, Lang: language() });
      save(f.name, f.blob);
      say(f.name);
      told(await call("session"));
    } catch (e) { say(e.message, true); }
  } }, words);
  return h("div", { class: "out" }, m.kept ? approval(m.release, body) : "",
    h("fieldset", { class: "public" }, h("legend", {}, t("forpublic")), get("release", t("saverelease"), !m.kept), get("statement", t("savestatement"), !m.kept)),
    h("fieldset", { class: "office" }, h("legend", {}, t("foroffice")), get("board", t("saveboard")), get("policy", t("savepolicy")), get("seed", t("saveseed"), !m.kept)));
}

watch((what) => { // an approval
  if (what !== "session") return;
  const d = [...drafts.values()].find((x) => x.made?.release && place.found.querySelector("[data-key=saverelease]"));
  if (d) found(d);
});
