// One cell: what is known of it, why it is withheld, and what may be decided by hand.

import { h, s, put, keeping, say, number } from "./dom.js";
import { latest } from "./api.js";
import { t, because as sensitiveBy } from "./words.js";
import { state, decide, changed, run } from "./state.js";
import { start } from "./run.js";
import { note } from "./session.js";

const ask = latest(), whys = latest();
let signed = ""; // who decides
let shown = null; // { run, box, pivot, i, rest, hand }

/** clear empties a box; what was asked for it is not shown any more. */
export function clear(box) {
  ask.end();
  whys.end();
  shown = null;
  put(box);
}

/** panel shows cell i in a box. */
export async function panel(box, pivot, i) {
  const r = run();
  clear(box);
  shown = { run: r?.run, pivot, i, rest: h("div", {}, r ? "" : plain(i)), hand: h("div", { class: "hand", "data-part": "hand" }) };
  put(shown.hand, hand(pivot, i));
  put(box, h("div", {}, h("h2", {}, pivot.name(i)), h("p", { class: "value" }, number(state.table.values[0][i]) || "–", state.table.addresses?.[i] ? h("small", {}, " " + state.table.addresses[i]) : "")), shown.rest, shown.hand);
  if (!r) return;
  const { rest } = shown;
  try {
    const c = await ask("cell", { Run: r.run, Cell: i });
    if (c) put(rest, facts(c), c.interval ? told(c) : "", sums(c), actions(pivot, c, r));
  } catch (e) { say(e.message, true); }
}

/** follow shows a cell anew where another run is shown, else what may be decided. */
export function follow(box, pivot, i) {
  if (shown?.run !== run()?.run || shown?.i !== i) panel(box, pivot, i); else refresh();
}

/** refresh shows what the rules say of the cell now, and what may be decided. */
export function refresh() {
  if (!shown) return;
  if (!state.witness && shown.back) put(shown.back);
  if (!shown.run) put(shown.rest, plain(shown.i));
  put(shown.hand, hand(shown.pivot, shown.i));
}

const row = (name, v) => v === undefined || v === null || v === "" ? "" : [h("dt", {}, name), h("dd", {}, v)];

function plain(i) {
  const m = state.marking;
  return h("dl", {}, row(t("respondents"), state.table.freq?.[i] >= 0 ? number(state.table.freq[i]) : ""), row(t("rule"), m?.reasons?.[i] && sensitiveBy(m.reasons[i])));
}

function facts(c) {
  return h("dl", {},
    row(t("respondents"), c.freq === undefined ? "" : number(c.freq)),
    row(t("contributors"), c.max && c.max.filter(Boolean).map(number).join(", ")),
    row(t("rule"), c.reason && sensitiveBy(c.reason)), row(t("cost"), number(c.cost)),
    row(t("levels"), c.interval && levels(c.interval)),
    c.rules && c.rules.length ? h("dd", { class: "words" }, c.rules.join(" ")) : "");
}

const levels = (x) => [["−", x.lpl], ["+", x.upl], ["↔", x.spl]].filter(([, v]) => v && v !== "0").map(([n, v]) => n + number(v)).join("  ");

/** told is the interval as a bar, with the levels, and how it follows. */
function told(c) {
  const x = c.interval;
  const verdict = x.disclosed ? "disclosed" : x.protected ? "protected" : x.unsettled ? "unsettled" : "unprotected";
  return h("section", {}, h("h3", {}, t("interval")),
    h("p", { class: verdict }, "[" + (x.lower === null ? "−∞" : number(x.lower)) + ", " + (x.upper === null ? "∞" : number(x.upper)) + "] ", t(verdict)),
    bar(x),
    x.follows && x.follows.length ? [h("h4", {}, t("follows")), h("ul", { class: "follows" }, x.follows.map((f) => h("li", {}, f.text)))] : "",
    c.unsettled ? h("p", { class: "bad" }, c.unsettled) : "");
}

/** bar draws an interval around its value, and what the levels ask for. */
export function bar(x) {
  const W = 320, H = 44, v = parseFloat(x.value ?? "NaN"), lo = x.lower === null ? NaN : parseFloat(x.lower), hi = x.upper === null ? NaN : parseFloat(x.upper);
  const need = [v - parseFloat(x.lpl || 0), v + parseFloat(x.upl || 0)];
  const ends = [lo, hi, v, ...need].filter((n) => !Number.isNaN(n));
  const a = Math.min(...ends), b = Math.max(...ends), span = b - a || 1;
  const at = (n) => 12 + (W - 24) * (n - a) / span;
  const svg = s("svg", { viewBox: `0 0 ${W} ${H}`, class: "bar", role: "img", "aria-label": t("interval") });
  svg.append(s("rect", { x: Number.isNaN(lo) ? 0 : at(lo), y: 10, width: Math.max(2, (Number.isNaN(hi) ? W : at(hi)) - (Number.isNaN(lo) ? 0 : at(lo))), height: 14, class: x.protected ? "good" : x.unsettled ? "open" : "bad" }));
  if (!Number.isNaN(v)) svg.append(s("path", { d: `M${at(need[0])} 30V6M${at(need[1])} 30V6`, class: "need" }), s("circle", { cx: at(v), cy: 17, r: 4 }));
  svg.append(s("text", { x: 2, y: 41 }, x.lower === null ? "−∞" : number(x.lower)), s("text", { x: W - 2, y: 41, "text-anchor": "end" }, x.upper === null ? "∞" : number(x.upper)));
  return svg;
}

function sums(c) {
  if (!c.relations.length) return "";
  return h("details", {}, h("summary", {}, t("sums") + " (" + c.relations.length + ")"), h("ul", {}, c.relations.map((r) => h("li", {}, r.name + ": " + r.withheld + " / " + r.cells + " " + t("withheld")))));
}

/** actions are what can be asked about a withheld cell. */
function actions(pivot, c, r) {
  const back = shown.back = h("span", {});
  const show = (list) => {
    state.witness = list && { at: c.index, values: new Map(list.map((w) => [w.cell, w.value])) };
    keeping(() => put(back, list ? h("button", { "data-key": "true", onclick: () => show(null) }, t("true")) : ""));
    changed("witness");
  };
  const answer = h("div", { class: "why", role: "status" });
  const why = async () => {
    put(answer, h("p", {}, t("running")));
    try {
      const g = await whys("why", { Run: r.run, Cell: c.index });
      if (g) put(answer, g.guards.length ? [h("p", {}, t("guards")), h("ul", {}, g.guards.map((x, n) => h("li", {},
        h("button", { class: "link", onclick: () => changed({ find: g.cells[n] }) }, pivot.name(g.cells[n])), " [" + (x.lower === null ? "−∞" : number(x.lower)) + ", " + (x.upper === null ? "∞" : number(x.upper)) + "]",
        x.follows && x.follows.length ? h("div", { class: "follows" }, x.follows[0].text) : "")))] : g.complete ? h("p", {}, t("guardsnone")) : "", g.complete ? "" : h("p", { class: "open2" }, t("partly")));
    } catch (e) { put(answer); say(e.message, true); }
  };
  return h("div", { class: "actions", "data-part": "actions" },
    c.least && h("button", { "data-key": "least", onclick: () => show(c.least) }, t("least")), c.most && h("button", { "data-key": "most", onclick: () => show(c.most) }, t("most")),
    back,
    c.withheld && c.status === "s" && h("button", { "data-key": "why", onclick: why }, t("why")), answer);
}

/** hand are the decisions that may be made for a cell. */
function hand(pivot, i) {
  const name = pivot.path(i), p = state.policy;
  const given = (p.publish || []).includes(name) ? "publish" : (p.withhold || []).includes(name) ? "withhold" : "";
  const r = run(), out = r?.withheld?.[i] === "1", u = (r || state.marking)?.status?.[i] === "u";
  const order = (field) => {
    decide(() => { for (const f of ["publish", "withhold"]) state.policy[f] = (state.policy[f] || []).filter((x) => x !== name); if (field) state.policy[field].push(name); else delete state.decisions[name]; });
    note({ what: "decided", of: name, says: field || "takeback", by: signed });
  };
  const because = (k) => (e) => {
    if (k === "by") signed = e.target.value.trim();
    decide(() => { state.decisions = { ...state.decisions, [name]: { reason: "", by: signed, ...state.decisions[name], [k]: e.target.value.trim() } }; });
    note({ what: "decided", of: name, says: given + ": " + state.decisions[name].reason, by: state.decisions[name].by });
  };
  const d = state.decisions[name] || {};
  const reasons = () => [["reason", t("reason"), d.reason || ""], ["by", t("decidedby"), d.by || signed]].map(([k, label, v]) => h("label", {}, h("span", {}, label), h("input", { name: k, value: v, onchange: because(k) })));
  const again = h("button", { class: "main", onclick: () => start(r?.run) }, t("solveagain"));
  return [
    given ? [h("button", { onclick: () => order("") }, t("takeback")), reasons()] : [
      !u && h("button", { onclick: () => order("publish") }, out ? t("publishit") : t("must")),
      !u && !out && h("button", { onclick: () => order("withhold") }, t("withholdit"))],
    r && (given || (p.publish || []).length + (p.withhold || []).length > 0) ? again : ""];
}
