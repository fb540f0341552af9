// Risk in a file of records: k, l, t, by class and by attribute, and what each column does to them.

import { h, put, keeping, say, number } from "./dom.js";
import { latest } from "./api.js";
import { t } from "./words.js";
import { state, changed } from "./state.js";
import { columns } from "./draw.js";
import * as release from "./release.js";

const chosen = { qi: new Set(), sensitive: new Set(), entity: "" };
const SHOWN = 20; // classes

/** key says what the part shows. */
export const key = () => [state.files.length, state.micro.at];

/** given takes a policy for a release that was dropped, and tells whether it is for the file that is shown. */
export function given(policy) {
  const fits = release.given(policy);
  if (fits) state.micro.part = "release";
  return fits;
}

/** panel measures the file that is chosen. */
export function panel() {
  const parts = h("div", { class: "bar1" }), shown = h("div", {});
  const box = h("div", { class: "answers", role: "status", "data-part": "answers" }), columns = h("div", { class: "columns", "data-part": "columns" });
  const read = latest(), count = latest();
  const now = state.micro;
  if (!state.files.some((f) => f.file === now.file)) now.file = (state.files.find((f) => !/\.toml$/i.test(f.name)) || state.files[0]).file;
  const forget = () => { chosen.qi.clear(); chosen.sensitive.clear(); chosen.entity = ""; };
  const pick = h("select", { name: "file", onchange: (e) => { now.file = e.target.value; changed("drafted"); forget(); show(); } }, state.files.map((f) => h("option", { value: f.file, selected: f.file === now.file }, f.name)));
  function show() {
    put(parts, [["measure", t("measurerisk")], ["release", t("makerelease")]].map(([x, words]) => h("button", { "data-key": "part" + x, "aria-pressed": String(now.part === x), onclick: () => { now.part = x; changed("drafted"); keeping(show); } }, words)));
    if (now.part === "release") { count.end(); put(shown, release.panel(now.file)); return; }
    put(shown, columns, box);
    measured();
  }
  async function measured() {
    count.end();
    put(columns);
    put(box);
    try {
      const c = await read("columns", { File: now.file });
      if (c) put(columns, form(c, () => measure(box, count)));
    } catch (e) { put(columns, h("p", { class: "bad" }, e.message)); }
  }
  show();
  return h("section", { class: "micro" }, h("label", {}, h("span", {}, t("file")), pick), parts, shown);
}

/** form chooses the columns. */
function form(c, measure) {
  const boxes = (name, set, legend) => h("fieldset", {}, h("legend", {}, legend), c.columns.map((x) => h("label", { class: "box" }, h("input", { type: "checkbox", name, value: x, checked: set.has(x), onchange: (e) => { if (e.target.checked) set.add(x); else set.delete(x); } }), " ", x)));
  return h("form", { onsubmit: (e) => { e.preventDefault(); measure(); } },
    h("div", { class: "beside" }, boxes("qi", chosen.qi, t("qi")), boxes("sensitive", chosen.sensitive, t("sens"))),
    h("label", {}, h("span", {}, t("entity")), h("select", { name: "entity", onchange: (e) => { chosen.entity = e.target.value; } }, ["", ...c.columns].map((x) => h("option", { value: x, selected: x === chosen.entity }, x || "–")))),
    h("button", { class: "main", type: "submit" }, t("measure")),
    h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": t("firstlines") }, h("table", {}, h("thead", {}, h("tr", {}, c.columns.map((x) => h("th", { scope: "col" }, x)))), h("tbody", {}, c.rows.slice(0, 8).map((r) => h("tr", {}, r.map((x) => h("td", {}, x))))))));
}

/** measure asks for one measure after the other and shows each as it comes, unless another is asked for meanwhile. */
async function measure(box, count) {
  const { file } = state.micro, qi = [...chosen.qi], entity = chosen.entity, sensitive = [...chosen.sensitive].filter((x) => !chosen.qi.has(x));
  if (!qi.length) { say(t("qi"), true); return; }
  const parts = h("div", {}), running = h("p", {}, t("running"));
  put(box, parts, running);
  const gone = Symbol("gone");
  const ask = async (measure, flags) => {
    const a = await count("risk", { File: file, Measure: measure, Flags: Object.fromEntries(Object.entries(flags).filter(([, v]) => v && v.length).map(([k, v]) => [k, [v]])) });
    if (!a) throw gone;
    return a;
  };
  const list = (x) => x.join(",");
  try {
    const all = await ask("k-anonymity", { qi: list(qi), entity, worst: String(SHOWN) });
    parts.append(figures(all), ...classes(all), ...worst(all, qi));
    const rows = [];
    for (const x of qi) {
      const alone = await ask("k-anonymity", { qi: x, entity }), without = qi.length > 1 ? await ask("k-anonymity", { qi: list(qi.filter((y) => y !== x)), entity }) : null;
      rows.push([x, alone.k, uniques(alone), without?.k, without?.classes, without ? uniques(without) : null]);
    }
    parts.append(h("h3", {}, t("byattribute")), table(["", t("alone") + ": k", t("alone") + ": " + t("uniques"), t("without") + ": k", t("without") + ": " + t("class"), t("without") + ": " + t("uniques")], rows, "whatif"));
    if (sensitive.length) {
      const l = await ask("l-diversity", { qi: list(qi), sensitive: list(sensitive) }), c = await ask("t-closeness", { qi: list(qi), sensitive: list(sensitive) });
      parts.append(h("h3", {}, t("bysensitive")), table(["", "l", t("entropy"), "α", "t"], l.attributes.map((a, n) => [a.attribute, a.distinct_l, fixed(a.entropy_l), fixed(a.alpha_float), fixed(c.attributes[n]?.t_float)]), "sensitives"));
    }
    running.remove();
    say(t("measured"));
  } catch (e) {
    if (e === gone) return;
    put(running, h("span", { class: "bad" }, e.message));
    say(e.message, true);
  }
}

const uniques = (d) => d.sample_uniques ?? d.uniques;
const fixed = (x) => (x === null || x === undefined ? x : String(+(+x).toFixed(4)));

/** figures are the plain numbers of a document. */
function figures(d) {
  const rows = [["k", d.k], [t("records"), d.records ?? d.rows], [t("persons"), d.entities], [t("class"), d.classes], [t("uniques"), uniques(d)], [t("risk"), d.k > 0 ? fixed(1 / d.k) : null], [t("averagerisk"), fixed(d.average_risk)], [t("expected"), fixed(d.expected_reidentifications)]];
  return h("dl", { class: "figures" }, rows.filter(([, v]) => v !== undefined && v !== null).map(([k, v]) => [h("dt", {}, k), h("dd", {}, number(v))]));
}

const ENDS = [2, 3, 4, 5, 6, 11, 21, 51, 101, 1001, 10001, Infinity];

/** classes is the distribution of a document's risk: how many records are in classes of each size, larger sizes taken together. */
function classes(d) {
  const list = d.histogram || [], of = (b) => b.records ?? b.entities, most = Math.max(...list.map((b) => b.size), 1);
  if (!list.length) return [];
  const bins = ENDS.slice(0, ENDS.findIndex((to) => to > most) + 1).map((to, k) => [k ? ENDS[k - 1] : 1, to]);
  const head = ([a, b]) => [b === a + 1 ? String(a) : b === Infinity ? "≥ " + number(a) : number(a) + "–" + number(b - 1), (b === a + 1 ? "" : "≤ ") + +(1 / a).toPrecision(2)];
  return [h("h3", {}, t("classes")), columns(d.entities === undefined ? t("records") : t("persons"), [t("size"), t("risk1")], bins.map(head),
    [{ class: "one", name: t("classes"), of: (g) => (g ? "one" : "unique"), numbers: bins.map(([a, b]) => list.filter((x) => x.size >= a && x.size < b).reduce((sum, x) => sum + of(x), 0)) }])];
}

/** worst are the classes of most risk. */
function worst(d, qi) {
  if (!d.worst?.length) return [];
  const rows = d.worst[0].tuple
    ? [[...qi, t("records"), t("risk1")], d.worst.map((c) => [...c.tuple, c.records, fixed(1 / c.frequency)])]
    : [[qi.join(", "), t("persons"), t("risk1")], d.worst.map((c) => [c.tuples.map((x, n) => (c.times[n] > 1 ? c.times[n] + " × " : "") + x.join(" / ")).join("; "), c.entities, fixed(1 / c.entities)])];
  return [h("h3", {}, t("byclass")), table(...rows, "worst")];
}

const table = (heads, rows, name) => h("table", { class: name }, h("thead", {}, h("tr", {}, heads.map((x) => h("th", { scope: "col" }, x)))),
  h("tbody", {}, rows.map((r) => h("tr", {}, r.map((x, n) => (n ? h("td", { class: "num" }, x === null || x === undefined ? "–" : number(x)) : h("th", { scope: "row" }, x)))))));
