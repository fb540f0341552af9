// Opening: files that are chosen, which of them are the table, and how they are read.

import { h, put, keeping, say, turn } from "./dom.js";
import { call, latest, upload } from "./api.js";
import { t } from "./words.js";
import { state } from "./state.js";

const draft = { tables: null, lines: null }; // of the form, until a table is open
let problem = null, serial = 0, opening = null, count = 0;
const waiting = h("div", { "data-part": "waiting", "aria-live": "off" }); // for a file that comes or is read
let stops = 0;

/** awaited shows what takes long, once it does, with a way to stop it. It returns what is told how far that has come, and what ends the showing. */
function awaited(words, stop) {
  const line = h("span", {}, words), bar = h("progress", {}), box = h("p", { class: "awaited" }, line, " ", bar, " ", h("button", { "data-key": "stop" + ++stops, onclick: stop }, t("stopreading")));
  const late = setTimeout(() => waiting.append(box), 300);
  return {
    come: (done, total) => { bar.max = total; bar.value = done; line.textContent = words + " " + (done / 1e6).toFixed(0) + " / " + (total / 1e6).toFixed(0) + " MB"; },
    end: () => { clearTimeout(late); keeping(() => box.remove()); },
  };
}

const ask = latest();

/** begin is told what opening does: shown draws the part, opened(table) has one, refused() has a message to show. */
export function begin(what) { opening = what; }

/** key says what the part shows. */
export const key = () => [state.version, state.files.length, serial];

/** panel is the part. */
export function panel() {
  const input = h("input", { type: "file", multiple: true, id: "files", onchange: (e) => take([...e.target.files]) });
  return h("section", { class: "open", ondragover: (e) => e.preventDefault(), ondrop: (e) => { e.preventDefault(); take([...e.dataTransfer.files]); } },
    h("div", { class: "drop" }, state.version ? h("small", { id: "version" }, "hitoku " + state.version) : "", h("p", {}, t("drop")), input, h("label", { class: "button main", for: "files" }, t("choose")), h("p", {}, h("small", {}, t("local") + " " + t("hier")))),
    waiting, remedies(), state.files.length ? fileForm() : "");
}

async function take(list) {
  const fresh = [];
  for (const f of list) {
    const c = new AbortController(), shown = awaited(t("uploading") + " " + f.name, () => c.abort());
    try { fresh.push({ file: await upload(f, shown.come, c.signal), name: f.name }); } catch (e) { if (!c.signal.aborted) say(f.name + ": " + e.message, true); }
    shown.end();
  }
  add(fresh);
  const tables = fresh.filter((f) => !tree(f.name));
  if (tables.length) draft.tables = new Set(tables.slice(-1).map((f) => f.file));
  opening.shown();
  if (tables.length === 1) open([tables[0].file], {});
}

/** add lists files that are not yet. */
export function add(files) {
  for (const f of files) if (!state.files.some((x) => x.file === f.file)) state.files.push(f);
}

/** tree reports whether a file goes with a table. */
export const tree = (name) => /\.(hrc|cdl|rda|toml)$/i.test(name) || /\..+\.csv$/i.test(name) && state.files.some((f) => name !== f.name && name.startsWith(f.name.replace(/\.[^.]*$/, "") + "."));

/** fileForm chooses which of the files are the table, and how they are read: its fields write the flags, which can also be written by hand. */
function fileForm() {
  draft.tables ||= new Set(state.opened || state.files.filter((f) => !tree(f.name)).slice(-1).map((f) => f.file));
  const lines = h("textarea", { name: "flags", rows: "4", cols: "44", spellcheck: "false", oninput: () => { draft.lines = lines.value; } });
  lines.value = draft.lines ?? written(problem?.flags || state.flags);
  const linked = h("small", {}), fields = h("div", { class: "beside", "data-part": "fields" }), ask = latest();
  const change = (f) => { const flags = parsed(lines.value); f(flags); for (const k of Object.keys(flags)) if (!flags[k]?.length) delete flags[k]; draft.lines = lines.value = written(flags); };
  async function show() {
    linked.textContent = draft.tables.size > 1 ? t("linked") : "";
    const [first] = draft.tables;
    try {
      const x = first === undefined ? null : await ask("fields", { File: first, Flags: parsed(lines.value) });
      if (x || first === undefined) keeping(() => put(fields, x ? reading(x, parsed(lines.value), change) : ""));
    } catch { put(fields); } // what the flags lack is said when the table is opened
  }
  lines.addEventListener("change", show);
  show();
  return h("form", { class: "files", onsubmit: (e) => { e.preventDefault(); open([...draft.tables], parsed(lines.value)); } },
    h("fieldset", {}, h("legend", {}, t("table")), state.files.map((f) => h("label", { class: "box" }, h("input", { type: "checkbox", name: "table", value: f.file, checked: draft.tables.has(f.file), onchange: (e) => { if (e.target.checked) draft.tables.add(f.file); else draft.tables.delete(f.file); show(); } }), " ", f.name)), linked),
    fields,
    h("label", {}, h("span", {}, t("flag")), lines),
    h("button", { class: "main", type: "submit" }, t("usetable")));
}

const FIELDS = ["dimension", "response", "value", "freq", "cost", "status", "unread"];

/** reading are the fields for what the columns of a file are, its measures and its hierarchies. */
function reading(x, flags, change) {
  const roles = new Map(x.columns.map((c) => [c.name, c.is]));
  const told = () => change((f) => {
    const of = (role) => [...roles].filter(([, r]) => r === role).map(([name]) => name), responses = of("response");
    f.dims = [of("dimension").join(",")];
    f.response = responses.length ? [responses.join(",")] : [];
    f.column = ["value", "freq", "cost", "status"].flatMap((r) => of(r).filter((n) => n !== r).map((n) => r + "=" + n));
  });
  if (!flags.dims && x.columns.some((c) => c.is === "unread")) told(); // which the reader refuses unless it is told
  const select = (key, label, now, options, set) => h("label", {}, h("span", {}, label), h("select", { "data-key": key, onchange: (e) => set(e.target.value) }, options.map(([v, words]) => h("option", { value: v, selected: v === now }, words))));
  const of = (flag, dim) => (flags[flag] || []).find((v) => v.startsWith(dim + "="))?.slice(dim.length + 1) || "";
  const put1 = (flag, dim, v) => change((f) => { f[flag] = (f[flag] || []).filter((y) => !y.startsWith(dim + "=")).concat(v ? [dim + "=" + v] : []); });
  const trees = state.files.filter((f) => !draft.tables.has(f.file)), responses = new Set((flags.response || []).flatMap((v) => v.split(",")));
  const measure = (m) => h("label", { class: "box" }, h("input", { type: "checkbox", name: "measure", value: m, checked: responses.has(m), onchange: (e) => { if (e.target.checked) responses.add(m); else responses.delete(m); change((f) => { f.response = responses.size ? [x.measures.filter((y) => responses.has(y)).join(",")] : []; }); } }), " ", m);
  return [
    x.columns.length ? h("fieldset", {}, h("legend", {}, t("columnsare")), x.columns.map((c) => select("is-" + c.name, c.name, c.is, [...FIELDS.map((r) => [r, t("f_" + r)]), ...(FIELDS.includes(c.is) ? [] : [[c.is, c.is]])], (v) => { roles.set(c.name, v); told(); }))) : "",
    x.measures.length > 1 ? h("fieldset", {}, h("legend", {}, t("measures")), x.measures.map(measure), select("freq", t("freq"), (flags.freq || [""])[0], [["", "–"], ...x.measures.map((m) => [m, m])], (v) => change((f) => { f.freq = v ? [v] : []; }))) : "",
    x.dimensions.length ? h("fieldset", {}, h("legend", {}, t("hierarchies")), x.dimensions.map((d) => h("div", { class: "dim" },
      select("tree-" + d, d, of("hierarchy", d), [["", t("flat")], ...trees.map((f) => [f.name, f.name])], (v) => put1("hierarchy", d, v)),
      h("label", {}, h("span", {}, t("total")), h("input", { "data-key": "total-" + d, value: of("total", d), placeholder: "Total", onchange: (e) => put1("total", d, e.target.value.trim()) }))))) : "",
  ];
}

/** written are flags as lines of the form, which parsed reads. */
const written = (flags) => Object.entries(flags).flatMap(([k, l]) => l.map((v) => "--" + k + "=" + v)).join("\n");

function parsed(text) {
  const flags = {};
  for (const line of text.split("\n")) {
    const m = /^\s*(?:--)?([a-z-]+)(?:=|\s+)(.*?)\s*$/.exec(line);
    if (m) (flags[m[1]] ||= []).push(m[2]);
  }
  return flags;
}

/** asked reports whether a table was ever asked for. */
export const asked = () => count > 0;

/** open reads a table. Of several that were asked for, the last one counts. */
export async function open(files, flags) {
  count++;
  const all = structuredClone(flags), since = turn(), arrive = opening.asked();
  const job = "o" + Math.floor(performance.timeOrigin) + "-" + count;
  const shown = awaited(t("readingnow"), () => { call("stop", { Job: job }).catch(() => {}); ask.end(); say(t("readstopped")); });
  let table;
  try {
    table = await ask("open", { Files: files, Flags: all, Policy: state.policy, Job: job }, (e) => e.reading && shown.come(e.reading.done, e.reading.total));
  } catch (e) {
    state.opened = files;
    problem = { text: e.message, files, flags: all };
    serial++;
    Object.assign(draft, { tables: null, lines: null });
    arrive("open");
    say(e.message, true, since);
    return;
  } finally { shown.end(); }
  if (!table) return;
  Object.assign(draft, { tables: null, lines: null });
  Object.assign(state, { table, flags: all, opened: files });
  problem = null;
  serial++;
  opening.opened(table);
  arrive("table");
}

/** remedies are the flags that a message names, to be tried by a click. */
function remedies() {
  if (!problem) return "";
  const found = new Map();
  const measures = /measures?, (.*); say with --response/.exec(problem.text);
  for (const m of measures ? measures[1].matchAll(/"([^"]+)"|([^,]+)(?:, |$)/g) : []) { const name = (m[1] || m[2]).trim(); found.set("--response " + name, ["response", name]); }
  for (const m of problem.text.matchAll(/\(sheet ([^,()]+), from/g)) found.set("--sheet " + m[1], ["sheet", m[1]]);
  const words = ["or", "and", "which", "to", "says", "reads", "beside"];
  if (!found.size) for (const m of problem.text.matchAll(/--([a-z-]+)[ =]("[^"]*"|[^\s,;]+)/g)) if (!words.includes(m[2]) && !/^[A-Z]+(=|$)/.test(m[2])) found.set(m[0], [m[1], m[2].replace(/[.)]$/, "").replaceAll('"', "")]);
  if (problem.text.endsWith("--leave-aside")) found.set("--leave-aside", ["leave-aside", "true"]);
  const { files, flags } = problem;
  const withFlag = ([name, value]) => { const f = structuredClone(flags); (f[name] ||= []).push(value); open(files, f); };
  return h("div", { class: "problem", "data-part": "problem" }, h("p", { class: "bad" }, problem.text), [...found].map(([text, flag]) => h("button", { onclick: () => withFlag(flag) }, text)));
}
