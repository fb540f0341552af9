// Opening: files that are chosen, which of them are the table, and how they are read.

import { h, put, keeping, awaiting, say, turn } from "./dom.js";
import { latest, upload, call } from "./api.js";
import { t, language } from "./words.js";
import { state, decide } from "./state.js";

const draft = { tables: null, lines: null }; // of the form, until a table is open
let problem = null, serial = 0, opening = null, count = 0;
const waiting = h("div", { "data-part": "waiting", "aria-live": "off" }); // for a file that comes or is read

/** awaited shows what takes long here, in megabytes. */
const awaited = (words, stop) => awaiting(waiting, words, t("stopreading"), stop, (done, total) => (done / 1e6).toFixed(0) + " / " + (total / 1e6).toFixed(0) + " MB");

const ask = latest();

/** question reports whether a reader waits for an answer. */
export const question = () => !!problem;

/** begin is told what opening does: shown draws the part, opened(table) has one, refused() has a message to show. */
export function begin(what) { opening = what; }

/** key says what the part shows. */
export const key = () => [state.version, state.files.length, serial, state.session?.missing, state.session?.earlier];

/** panel is the part. */
export function panel() {
  const input = h("input", { type: "file", multiple: true, id: "files", onchange: (e) => take([...e.target.files]) });
  return h("section", { class: "open" }, lacking(),
    h("div", { class: "drop" }, state.version ? h("small", { id: "version" }, "hitoku " + state.version) : "", h("p", {}, t("drop")), input, h("label", { class: "button main", for: "files" }, t("choose")), h("p", {}, h("small", {}, t("local") + " " + t("hier")))),
    waiting, remedies(), state.files.length ? fileForm() : samples());
}

const SAMPLES = ["counts", "turnover", "persons"];

/** samples are shown where nothing is open yet. */
const samples = () => h("div", { class: "samples" }, h("p", {}, t("samples")), SAMPLES.map((name) => h("button", { "data-key": "sample" + name, onclick: async () => {
  try {
    const f = await call("sample", { Name: name });
    add([f]);
    opening.shown();
    if (name === "persons") opening.micro(); else open([f.file], {});
  } catch (e) { say(e.message, true); }
} }, h("b", {}, t("sample_" + name)), h("small", {}, t("about_" + name)))));

/** lacking says which files a session waits for, and that there is one of this table. */
function lacking() {
  const s = state.session;
  return [
    s?.missing?.length ? h("div", { class: "problem", "data-part": "missing" }, h("p", { class: "bad" }, t("missingfiles")), h("ul", {}, s.missing.map((f) => h("li", {}, f.name + " ", h("small", {}, "SHA-256 " + f.sha256))))) : "",
    s?.earlier ? h("p", { class: "earlier", "data-part": "earlier" }, t("earlier") + " " + new Date(s.earlier).toLocaleString(language()) + " ", h("button", { onclick: async () => { try { await call("resume"); await opening.again(); } catch (e) { say(e.message, true); } } }, t("resume"))) : "",
  ];
}

/** dropped takes files that are no tables for what they are; others are left. */
async function dropped(f) {
  if (!/\.(toml|json)$/i.test(f.name)) return true;
  const d = await call("dropped", { File: f.file });
  if (d.kind === "session") { await opening.again(); return false; }
  if (d.kind === "policy") { decide(() => { state.policy = d.policy; }); say(f.name + ": " + t("policytaken")); }
  if (d.kind === "release") {
    const fits = opening.given(d.release);
    say(f.name + ": " + t(fits ? "policytaken" : "policyother"), !fits);
  }
  if (d.kind === "layout" && state.opened) open(state.opened, { ...state.flags, layout: [f.name] });
  return d.kind === "table" || d.kind === "layout";
}

/** take takes files that were chosen or dropped anywhere. */
export async function take(list) {
  const fresh = [];
  for (const f of list) {
    const c = new AbortController(), shown = awaited(t("uploading") + " " + f.name, () => c.abort());
    try {
      const one = { file: await upload(f, shown.come, c.signal), name: f.name };
      if (state.session?.missing?.some((x) => x.name === f.name)) await opening.again();
      else if (await dropped(one)) fresh.push(one);
    } catch (e) { if (!c.signal.aborted) say(f.name + ": " + e.message, true); }
    shown.end();
  }
  if (!fresh.length) return;
  add(fresh);
  const tables = fresh.filter((f) => !tree(f.name));
  if (tables.length) draft.tables = new Set(tables.slice(-1).map((f) => f.file));
  opening.shown();
  if (tables.length === 1) open([tables[0].file], {});
}

/** add lists files that are not yet; all are those that there are, as the program has them. */
export function add(files, all) {
  if (all) state.files.length = 0;
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
      if (x || first === undefined) keeping(() => put(fields, x ? reading(x, parsed(lines.value), change, show) : ""));
    } catch { put(fields); } // what the flags lack is said when the table is opened
  }
  lines.addEventListener("change", show);
  show();
  return h("form", { class: "files", onsubmit: (e) => { e.preventDefault(); open([...draft.tables], parsed(lines.value), lines.value); } },
    h("fieldset", {}, h("legend", {}, t("table")), state.files.map((f) => h("label", { class: "box" }, h("input", { type: "checkbox", name: "table", value: f.file, checked: draft.tables.has(f.file), onchange: (e) => { if (e.target.checked) draft.tables.add(f.file); else draft.tables.delete(f.file); show(); } }), " ", f.name)), linked),
    fields,
    h("label", {}, h("span", {}, t("flag")), lines),
    h("button", { class: "main", type: "submit" }, t("usetable")));
}

/** FIELDS are what a column may be: those that every table has, and those of contributors, levels and bounds. */
const FIELDS = ["dimension", "response", "value", "freq", "cost", "status", "unread"], FURTHER = ["max1", "max2", "max3", "max4", "max5", "who1", "who2", "who3", "lpl", "upl", "spl", "lower", "upper", "absolute", "waived", "unwaived", "reason"];
const KNOWN = ["value", "freq", "cost", "status", ...FURTHER]; // columns of these names are read as what they are called

/** reading are the fields for what the columns of a file are, its measures and its hierarchies. */
function reading(x, flags, change, show) {
  const roles = new Map(x.columns.map((c) => [c.name, c.is]));
  const told = () => change((f) => {
    const of = (role) => [...roles].filter(([, r]) => r === role).map(([name]) => name), responses = of("response");
    f.dims = [of("dimension").join(",")];
    f.response = responses.length ? [responses.join(",")] : [];
    f.column = KNOWN.flatMap((r) => of(r).filter((n) => n !== r).map((n) => r + "=" + n));
  });
  if (!flags.dims && x.columns.some((c) => c.is === "unread")) told(); // which the reader refuses unless it is told
  const select = (key, label, now, options, set) => h("label", {}, h("span", {}, label), h("select", { "data-key": key, onchange: (e) => set(e.target.value) }, options.map(([v, words]) => h("option", { value: v, selected: v === now }, words))));
  const of = (flag, dim) => (flags[flag] || []).find((v) => v.startsWith(dim + "="))?.slice(dim.length + 1) || "";
  const put1 = (flag, dim, v) => change((f) => { f[flag] = (f[flag] || []).filter((y) => !y.startsWith(dim + "=")).concat(v ? [dim + "=" + v] : []); });
  const trees = state.files.filter((f) => !draft.tables.has(f.file)), responses = new Set((flags.response || []).flatMap((v) => v.split(",")));
  const measure = (m) => h("label", { class: "box" }, h("input", { type: "checkbox", name: "measure", value: m, checked: responses.has(m), onchange: (e) => { if (e.target.checked) responses.add(m); else responses.delete(m); change((f) => { f.response = responses.size ? [x.measures.filter((y) => responses.has(y)).join(",")] : []; }); } }), " ", m);
  return [
    x.columns.length ? h("fieldset", {}, h("legend", {}, t("columnsare")), x.columns.map((c) => select("is-" + c.name, c.name, c.is, [...FIELDS.filter((r) => r !== "unread" || c.is === r || !KNOWN.includes(c.name)).map((r) => [r, t("f_" + r)]), ...[...FURTHER, c.is].filter((r, k, all) => !FIELDS.includes(r) && all.indexOf(r) === k).map((r) => [r, r])], (v) => { roles.set(c.name, v); told(); show(); }))) : "",
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
    const m = /^\s*(?:--)?(\S[^=\s]*)(?:(?:=|\s+)(.*?))?\s*$/.exec(line);
    if (m) (flags[m[1]] ||= []).push(m[2] ?? "true"); // a flag that is no flag is refused, not lost
  }
  return flags;
}

/** asked reports whether a table was ever asked for. */
export const asked = () => count > 0;

/** open reads a table, and tells whether it could. Of several that were asked for, the last one counts. Where it is refused, the form keeps the flags as they were typed. */
export async function open(files, flags, typed = null) {
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
    Object.assign(draft, { tables: null, lines: typed });
    arrive("open");
    answers(problem).then(() => say(problem?.records ? files.map(named).join(", ") + ": " + t("recordsmaybe") : e.message, !problem?.records, since));
    return false;
  } finally { shown.end(); }
  if (!table) return false;
  Object.assign(draft, { tables: null, lines: null });
  Object.assign(state, { table, flags: all, opened: files });
  problem = null;
  serial++;
  opening.opened(table);
  arrive("table");
  return true;
}

const named = (file) => state.files.find((f) => f.file === file)?.name || "";

/** answers asks with what a table is read that was refused, and whether its lines can be records where nothing helps. */
async function answers(p) {
  try { p.remedies = await call("remedies", { Files: p.files, Flags: p.flags, Policy: state.policy }); } catch { p.remedies = []; }
  if (p.files.length === 1 && !Object.keys(p.flags).length && !p.remedies.some((x) => x.reads)) try { p.records = (await call("columns", { File: p.files[0] })).columns.length > 1; } catch { /* no lines of records */ }
  if (problem !== p) return;
  serial++;
  opening.shown();
}

/** SAID: how flags of reading are said in words. */
const SAID = { total: "r_total", "no-total": "r_nototal", hierarchy: "r_hierarchy", column: "r_column", sheet: "r_sheet", response: "r_response", dims: "r_dims", freq: "r_freq", "header-rows": "r_headerrows", "leave-aside": "r_leaveaside" };

/** sentence says what a flag means. */
function sentence({ flag, value }) {
  const [a, b] = value.includes("=") ? value.split(/=(.*)/s) : ["", value];
  return SAID[flag] ? t(SAID[flag]).replace("#1", a || t("eachdim")).replace("#2", b) : `--${flag} ${value}`;
}

/** remedies are answers to the question of a reader, each of which was tried. */
function remedies() {
  if (!problem) return "";
  const { files, flags } = problem, box = h("div", {});
  const use = (x) => { const f = structuredClone(flags); (f[x.flag] ||= []).push(x.value); open(files, f); };
  const offer = (all) => put(box, all.map((x) => h("button", { class: "answer" + (x.reads ? " main" : ""), title: `--${x.flag}=${x.value}`, onclick: () => use(x) }, sentence(x))));
  if (problem.remedies) offer(problem.remedies);
  return h("div", { class: "problem", "data-part": "problem" }, problem.records ? h("p", {}, t("recordsmaybe"), " ", h("button", { class: "main", "data-key": "torecords", onclick: () => { state.micro.file = files[0]; state.micro.at++; opening.micro(); } }, t("micro"))) : "", h("p", { class: problem.records ? "says" : "bad" }, problem.text), box, h("button", { class: "onsheet", onclick: () => opening.sheet() }, t("onsheet")));
}
