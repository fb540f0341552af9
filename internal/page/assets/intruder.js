// What an intruder gets out of the table that would be published.

import { h, s, put, say, number } from "./dom.js";
import { call, latest } from "./api.js";
import { t } from "./words.js";
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

const interval = (a, b) => "[" + (a === null || a === "" ? "−∞" : number(a)) + ", " + (b === null || b === "" ? "∞" : number(b)) + "]";

const bad = (c) => c.disclosed || !c.protected && !c.unsettled;

const judged = (c) => c.disclosed ? "disclosed" : c.protected ? "protected" : c.unsettled ? "open2" : "unprotected";

function intervals(a, find) {
  return [
    h("p", { class: a.verdict }, t(a.verdict) + ": " + a.cells.length + " " + t("withheld") + ", " + a.cells.filter(bad).length + " " + t("disclosed") + (a.cells.some((c) => c.unsettled) ? ", " + a.cells.filter((c) => c.unsettled).length + " " + t("open2") : "")),
    histogram(a.cells.map((c) => relative(c.value, c.lower, c.upper)), t("interval")),
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
    histogram(a.cells.map((c) => c.feasible[1] === null ? NaN : c.feasible[1] - c.feasible[0]), t("feasibleI"), a.cells.map((c) => c.effective ? c.effective[1] - c.effective[0] : NaN), t("effective")),
    list(["", t("feasibleI"), t("effective"), ...found.map(() => t("found")), t("verdict")], narrowest(a.cells, (c) => c.effective || c.feasible), (c) => [c, interval(...c.feasible), c.effective ? interval(...c.effective) : "∅", ...found.map((f) => f(c)), safety(a, c)], find),
  ];
}

function insiders(a, find) {
  return [
    h("p", { class: a.verdict }, t(a.verdict) + ": " + a.singletons + " " + t("solo") + ", " + a.findings.length),
    list([t("solo"), t("cell"), t("interval"), t("verdict")], a.findings, (f) => [f.coalition.join(" + "), { cell: f.cell, codes: f.codes }, interval(f.lower, f.upper), f.disclosed ? t("disclosed") : t("unprotected")], find),
  ];
}

const relative = (v, lo, hi) => lo === null || hi === null ? NaN : 100 * (hi - lo) / Math.max(1, Math.abs(v));

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
function histogram(first, name, second, name2) {
  const all = first.concat(second || []).filter((x) => !Number.isNaN(x));
  if (!all.length) return "";
  const W = 420, H = 130, N = 20, top = Math.max(...all) || 1;
  const bins = (list) => { const b = Array(N + 1).fill(0); for (const x of list) b[Number.isNaN(x) ? N : Math.min(N - 1, Math.floor(N * x / top))]++; return b; };
  const a = bins(first), b = second ? bins(second) : null, high = Math.max(...a, ...(b || [0]), 1), w = (W - 20) / (N + 1);
  const svg = s("svg", { viewBox: `0 0 ${W} ${H}`, class: "histogram", role: "img", "aria-label": name + (name2 ? ", " + name2 : "") });
  const draw = (list, cls, shift, part) => list.forEach((n, k) => { if (n) svg.append(s("rect", { x: 10 + k * w + shift, y: H - 20 - (H - 40) * n / high, width: w * part - 1, height: (H - 40) * n / high, class: cls })); });
  draw(a, "one", 0, b ? 0.5 : 1);
  if (b) draw(b, "two", w / 2, 0.5);
  svg.append(s("text", { x: 10, y: H - 6 }, "0"), s("text", { x: 10 + N * w, y: H - 6, "text-anchor": "end" }, number(String(Math.round(top)))), s("text", { x: W - 2, y: H - 6, "text-anchor": "end" }, "∞"),
    s("text", { x: 14, y: 12, class: "one" }, "■ " + name), name2 ? s("text", { x: W / 2, y: 12, class: "two" }, "■ " + name2) : "");
  return svg;
}
