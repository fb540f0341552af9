// What an intruder gets out of the table that would be published.

import { h, s, put, say, number } from "./dom.js";
import { call, latest } from "./api.js";
import { t } from "./words.js";
import { ticks, columns } from "./draw.js";
import { state, changed, run } from "./state.js";

const kept = new Map(); // whole answers by run and question
let jobs = 0;

/** panel asks three questions of the run that is shown. Another question ends the one before. */
export function panel(find) {
  const r = run();
  if (!r || !r.withheld) return h("p", {}, t("first"));
  const box = h("div", { class: "answers", role: "status" }), asked = latest();
  let job = "", stopped = false;
  const halt = () => { if (job) call("stop", { Job: job }).catch((e) => say(e.message, true)); stopped = true; };
  const ask = (what, body, show) => async () => {
    halt();
    const mine = job = "i" + Math.floor(performance.timeOrigin) + "-" + ++jobs, key = r.run + what, progress = h("p", {}, t("running"));
    stopped = false;
    put(box, progress);
    try {
      const a = kept.get(key) || await asked(what, { Run: r.run, Job: mine, Limit: 60, ...body }, (x) => {
        if (x.auditing) progress.textContent = t("auditing") + " " + x.auditing.done + " / " + x.auditing.total;
        if (x.search) progress.textContent = t("running") + " " + (100 * x.search.lower).toFixed(0) + " %";
      });
      if (!a || mine !== job) return;
      if (!stopped) kept.set(key, a);
      put(box, show(a, find));
      if (!stopped) { (state.attacks[r.run] ||= {})[what] = found(what, a); changed("attacked"); }
    } catch (err) { if (mine === job) { put(box, h("p", { class: "bad" }, err.message)); say(err.message, true); } }
    if (mine === job) job = "";
  };
  const audited = (a) => {
    if (run() === r) { state.exposed = new Set(a.cells.filter(bad).map((c) => find.index(c.codes, c.cell))); changed("exposed"); }
    return intervals(a, find);
  };
  return h("section", { class: "intruder" },
    h("div", { class: "actions" },
      h("button", { onclick: ask("audit", {}, audited) }, t("audit")),
      h("button", { onclick: ask("attack", { Match: "any" }, attacked) }, t("attack")),
      h("button", { onclick: ask("insiders", { Coalition: 1 }, insiders) }, t("solo")),
      h("button", { onclick: halt }, t("stop"))),
    box);
}

/** found counts what an answer says is not safe, and what it left open. */
function found(what, a) {
  switch (what) {
    case "audit": return { bad: a.cells.filter(bad).length, open: a.cells.filter((c) => c.unsettled).length };
    case "attack": return { bad: a.cells.filter((c) => c.safe === false).length, open: a.cells.filter((c) => c.safe === null && !a.complete).length };
  }
  return { bad: a.findings.length };
}

const interval = (a, b) => "[" + (a === null || a === "" ? "−∞" : number(a)) + ", " + (b === null || b === "" ? "∞" : number(b)) + "]";

const bad = (c) => c.disclosed || !c.protected && !c.unsettled;

const judged = (c) => c.disclosed ? "disclosed" : c.protected ? "protected" : c.unsettled ? "open2" : "unprotected";

function intervals(a, find) {
  return [
    h("p", { class: a.verdict }, t(a.verdict) + ": " + a.cells.length + " " + t("withheld") + ", " + a.cells.filter(bad).length + " " + t("disclosed") + (a.cells.some((c) => c.unsettled) ? ", " + a.cells.filter((c) => c.unsettled).length + " " + t("open2") : "")),
    plot(narrowest(a.cells, (c) => [c.lower, c.upper]), find),
    list(["", t("value"), t("interval"), t("verdict")], narrowest(a.cells, (c) => [c.lower, c.upper]), (c) => [c, c.value, interval(c.lower, c.upper), t(judged(c))], find),
  ];
}

/** safety is the verdict of the matching attack on a cell; what it could not decide is open, which is neither safe nor unsafe. */
const safety = (a, c) => t(c.safe === true ? "protected" : c.safe === false ? "unprotected" : a.complete ? "nomatch" : "openfar");

function attacked(a, find) {
  const open = a.complete ? [] : a.cells.filter((c) => c.safe === null), tell = (x) => (x === null ? "?" : number(x));
  const found = open.length > 0 ? [(c) => c.found ? interval(...c.found) : "–"] : [];
  return [
    h("p", {}, t("candidates") + ": " + tell(a.candidates) + ", " + t("matching") + ": " + (a.counted ? "" : "≥ ") + tell(a.matching)),
    open.length ? h("p", { class: "open2" }, t("attackopen") + " " + open.length + " / " + a.cells.length + " " + t("attackof") + " " + tell(a.matching)) : "",
    histogram([t("feasibleI"), a.cells.map((c) => c.feasible[1] === null ? NaN : c.feasible[1] - c.feasible[0])], [t("effective"), a.cells.map((c) => c.effective ? c.effective[1] - c.effective[0] : NaN)]),
    list(["", t("feasibleI"), t("effective"), ...found.map(() => t("found")), t("verdict")], narrowest(a.cells, (c) => c.effective || c.feasible), (c) => [c, interval(...c.feasible), c.effective ? interval(...c.effective) : "∅", ...found.map((f) => f(c)), safety(a, c)], find),
  ];
}

function insiders(a, find) {
  return [
    h("p", { class: a.verdict }, t(a.verdict) + ": " + a.singletons + " " + t("solo") + ", " + a.findings.length),
    list([t("solo"), t("cell"), t("interval"), t("verdict")], a.findings, (f) => [f.coalition.join(" + "), { cell: f.cell, codes: f.codes }, interval(f.lower, f.upper), f.disclosed ? t("disclosed") : t("unprotected")], find),
  ];
}

const ROWS = 60; // intervals that are drawn at a time

/** plot draws the interval of each cell around its value, narrowest first, on one axis: of logarithms, where values are far apart. A click leads to the cell. */
function plot(cells, find) {
  const fit = cells.filter((c) => c.value !== null && c.value !== "" && c.value !== undefined), num = (x) => (x === null || x === undefined || x === "" ? NaN : +x);
  if (!fit.length) return "";
  const box = h("div", { class: "plot" }), more = h("button", { onclick: () => { shown += ROWS; draw(); } }, t("more"));
  let shown = ROWS;
  const draw = () => {
    const rows = fit.slice(0, shown), ends = rows.flatMap((c) => [num(c.lower), num(c.upper), num(c.value), num(c.value) - num(c.lpl || 0), num(c.value) + num(c.upl || 0)]).filter((x) => !Number.isNaN(x));
    const a = Math.min(...ends), b = Math.max(...ends), far = b - a > 1000, f = far ? (x) => Math.asinh(x / 2) : (x) => x;
    const L = 150, W = 720, H = 15, top = 26, span = f(b) - f(a) || 1, at = (x) => L + 8 + (W - L - 20) * (f(x) - f(a)) / span, end = top + rows.length * H;
    const svg = s("svg", { viewBox: `0 0 ${W} ${end + 6}`, class: "intervals", role: "img", "aria-label": t("interval") + ": " + rows.length + " / " + fit.length });
    for (const x of ticks(a, b, far)) svg.append(s("path", { class: "tick", d: `M${at(x)} ${top - 6}V${end}` }), s("text", { x: at(x), y: 14, "text-anchor": "middle" }, number(String(x))));
    rows.forEach((c, k) => {
      const y = top + k * H, v = num(c.value), lo = num(c.lower), hi = num(c.upper), from = Number.isNaN(lo) ? L : at(lo), to = Number.isNaN(hi) ? W : at(hi), name = c.codes ? c.codes.join(" / ") : String(c.cell);
      svg.append(s("g", { class: "row " + judged(c), onclick: () => find.go(find.index(c.codes, c.cell)) },
        s("title", {}, `${name}: ${number(c.value)} ${interval(c.lower, c.upper)} ${t(judged(c))}`), s("rect", { class: "hit", x: 0, y, width: W, height: H }),
        s("text", { x: L, y: y + 11, "text-anchor": "end" }, name.length > 24 ? name.slice(0, 23) + "…" : name), s("rect", { class: "range", x: from, y: y + 4, width: Math.max(2, to - from), height: H - 8 }),
        s("path", { class: "need", d: `M${at(v - num(c.lpl || 0))} ${y + 2}v${H - 4}M${at(v + num(c.upl || 0))} ${y + 2}v${H - 4}` }), s("circle", { cx: at(v), cy: y + H / 2, r: 2.6 })));
    });
    put(box, svg, fit.length > shown ? more : "");
  };
  draw();
  return [h("p", { class: "says" }, t("plotted")), box];
}

/** narrowest sorts cells by the width of their intervals, those without an end last. */
function narrowest(cells, ends) {
  const width = (c) => { const [a, b] = ends(c); return a === null || a === "" || b === null || b === "" ? Infinity : b - a; };
  return cells.map((c) => [width(c), c]).sort((x, y) => (x[0] === y[0] ? 0 : x[0] - y[0])).map(([, c]) => c);
}

const PAGE = 300; // rows that are shown at a time

/** list shows rows, those alone that have the words of the filter, and more of them at each click. */
function list(heads, rows, of, find) {
  const text = rows.map((r) => of(r).map((x) => (x && typeof x === "object" ? (x.codes ? x.codes.join(" ") : x.cell) : x)).join(" ").toLowerCase());
  const body = h("tbody", {}), caption = h("caption", {}), more = h("button", { class: "more", onclick: () => { shown += PAGE; fill(); } }, t("more"));
  let shown = PAGE, words = [];
  const fill = () => {
    const fit = rows.filter((_, k) => words.every((w) => text[k].includes(w)));
    put(body, fit.slice(0, shown).map((r) => h("tr", {}, of(r).map((x) => h("td", { class: typeof x === "string" && /^[\[\d−]/.test(x) ? "num" : "" }, x && typeof x === "object" ? link(x, find) : number(x))))));
    put(caption, Math.min(shown, fit.length) + " / " + fit.length);
    more.hidden = fit.length <= shown;
  };
  fill();
  const filter = h("input", { type: "search", name: "filter", placeholder: t("search"), "aria-label": t("search"), oninput: (e) => { words = e.target.value.toLowerCase().split(/[\s/]+/).filter(Boolean); shown = PAGE; fill(); } });
  return [rows.length > 10 ? filter : "", h("table", {}, h("thead", {}, h("tr", {}, heads.map((x) => h("th", { scope: "col" }, x)))), body, caption), more];
}

function link(c, find) {
  return h("button", { class: "link", onclick: () => find.go(find.index(c.codes, c.cell)) }, c.codes ? c.codes.join(" / ") : c.cell);
}

/** histogram draws one or two lists of widths, those that are not bounded apart. */
function histogram(...lists) {
  const all = lists.flatMap((l) => l[1]).filter((x) => !Number.isNaN(x)), N = 20, top = Math.max(...all) || 1;
  const bins = (list) => { const b = Array(N + 1).fill(0); for (const x of list) b[Number.isNaN(x) ? N : Math.min(N - 1, Math.floor(N * x / top))]++; return b; };
  const heads = [...Array(N).keys()].map((k) => [number(String(+(top * k / N).toPrecision(3)))]);
  return all.length ? columns(t("cells"), [t("width")], [...heads, ["∞"]], lists.map(([name, list], k) => ({ class: ["one", "two"][k], name, numbers: bins(list) }))) : "";
}
