// Runs: one that searches, as a live curve, and those that have ended, side by side.

import { h, s, put, hold, say, number } from "./dom.js";
import { call, upload } from "./api.js";
import { t, field, language } from "./words.js";
import { state, decide, changed, run } from "./state.js";

let job = null, jobs = 0, ended = 0;
let latest = ""; // file of last year's table that was chosen here

/** begin makes a job that is under way, with what shows it: the same elements to its end, so that a click on Stop is never lost. */
function begin(words) {
  const j = { name: "j" + Math.floor(performance.timeOrigin) + "-" + ++jobs, curve: [], words, line: h("p", {}, words), drawn: h("div", {}, curve([])) };
  j.box = h("div", { class: "progress" }, j.line, j.drawn, h("button", { class: "stop", onclick: () => stop(j) }, t("stop")));
  return j;
}

/** told shows how far a job has come. */
function told(j, e) {
  if (e.search) { j.curve.push(e.search); put(j.drawn, curve(j.curve)); }
  if (e.auditing) j.words = t("auditing") + " " + e.auditing.done + " / " + e.auditing.total;
  const last = j.curve[j.curve.length - 1];
  j.line.textContent = j.words + (last ? ` ${last.seconds.toFixed(1)} s, ${t("bound")} ${short(last.lower)}` + (last.upper === null ? "" : `, ${t("cost")} ${short(last.upper)}`) : "");
}

/** done has a job run by a call, and keeps its run, unless the table has been closed meanwhile. */
async function done(kind, body, words, name, says) {
  if (job) return;
  const mine = job = begin(words), policy = structuredClone(state.policy);
  changed("run");
  try {
    const r = await call(kind, { Job: mine.name, Table: state.table.table, Policy: policy, ...body }, (e) => told(mine, e));
    if (job !== mine) return;
    Object.assign(r, { curve: mine.curve, policy, last: !!body.Last, label: name || label(policy) });
    state.runs.push(r);
    job = null;
    decide(() => { state.chosen = r.run; });
    changed("run");
    document.body.dataset.runs = ++ended;
    says(r);
  } catch (e) {
    if (job !== mine) return;
    job = null;
    changed("run");
    document.body.dataset.runs = ++ended;
    say(e.message, true);
  }
}

/** start searches for a pattern, beginning with that of a run if one is named. */
export const start = (from) => done("run", { Certificate: state.certificate, From: from || "" }, t("running"), "", (r) => say(r.why || line(r), !!r.why));

/** published takes the table for one that is published already. */
export const published = () => done("published", {}, t("auditing"), t("aspublished"), (r) => say(`${t(r.result.audit)}, ${r.result.suppressed} / ${r.result.cells} ${t("withheld")}`, r.result.audit !== "protected"));

/** lastYear takes the pattern of a table as it was published last time for one of this table. */
const lastYear = (f) => done("published", { Last: f.file }, t("auditing"), t("aslast") + " " + f.name, (r) => say(`${t(r.result.audit)}, ${r.result.suppressed} / ${r.result.cells} ${t("withheld")}`, r.result.audit !== "protected"));

/** stop ends a search; its best pattern stays. */
const stop = (j) => call("stop", { Job: j.name }).catch((e) => say(e.message, true));

/** abandon ends the job of a table that is closed; what it finds is dropped. */
export function abandon() {
  if (job) stop(job);
  job = null;
}

/** busy is the job that is under way, if any. */
export const busy = () => job;

/** progress shows it. */
export const progress = () => job?.box;

/** RULES: how the rules of a policy and what they ask for are written in short. */
const RULES = {
  below: (v) => "< " + v, "zeros-sensitive": () => "0", dominance: (v) => [].concat(v).map((x) => "n,k " + x).join(" "), "p-percent": (v) => [].concat(v).map((x) => "p " + x + " %").join(" "),
  pq: (v) => [].concat(v).map((x) => "pq " + x).join(" "), zero: (v) => "0 ± " + v, rules: (v) => [].concat(v).join(" "), width: (v) => "↔ " + v, lpl: (v) => "− " + v, upl: (v) => "+ " + v,
};

/** ruled says by what rules a run was made: only costs of runs with the same ones are compared. */
export function ruled(p) {
  return Object.entries(RULES).filter(([k]) => p[k] !== undefined).map(([k, f]) => f(p[k])).join(", ") || t("norule");
}

/** label says in short what is special about a policy besides its rules. */
function label(p) {
  const words = [p.cost || t("given")];
  for (const k of ["insiders", "canonical"]) if (p[k]) words.push(k);
  for (const k of ["defence", "margins", "prefer", "method", "effort"]) if (p[k]) words.push(k + " " + (k === "prefer" ? (state.files.find((f) => f.file === p[k]) || {}).name : p[k]));
  const hand = (p.publish || []).length + (p.withhold || []).length;
  if (hand) words.push(t("byhand") + " " + hand);
  return words.join(", ");
}

/** line sums up a run. */
export function line(r) {
  const d = r.result;
  if (!d) return r.why || "";
  return `${t(d.status)}, ${t("cost")} ${d.cost ?? "–"}, ${d.suppressed} / ${d.cells} ${t("withheld")}, ${t(d.audit)}`;
}

const short = (x) => number(String(Math.round(x)));

/** curve draws cost and bound over time. */
export function curve(points) {
  const W = 340, H = 120, P = 4;
  const svg = s("svg", { viewBox: `0 0 ${W} ${H}`, class: "curve", role: "img", "aria-label": t("cost") + ", " + t("bound") });
  if (!points.length) return svg;
  const end = Math.max(points[points.length - 1].seconds, 0.1);
  const top = Math.max(...points.map((p) => p.upper ?? p.lower), 1) * 1.25;
  const x = (v) => P + (W - 2 * P) * (v / end), y = (v) => H - P - (H - 2 * P) * (v / top);
  const path = (of) => {
    let d = "", before = null;
    for (const p of points) {
      const v = of(p);
      if (v === null) continue;
      d += before === null ? `M${x(p.seconds)} ${y(v)}` : `H${x(p.seconds)}V${y(v)}`;
      before = v;
    }
    return d && d + `H${x(end)}`;
  };
  svg.append(s("path", { d: `M${P} ${H - P}H${W - P}M${P} ${P}V${H - P}`, class: "axis" }), s("path", { d: path((p) => p.upper), class: "upper" }), s("path", { d: path((p) => p.lower), class: "lower" }),
    s("text", { x: P + 4, y: 12 }, short(top) + " " + t("cost")), s("text", { x: P + 4, y: H - 8 }, "0"), s("text", { x: W - P, y: H - 8, "text-anchor": "end" }, end.toFixed(1) + " s"),
    s("text", { x: W - P, y: 12, "text-anchor": "end", class: "upperword" }, t("cost")), s("text", { x: W - P, y: 25, "text-anchor": "end", class: "lowerword" }, t("bound")));
  return svg;
}

/** PRICED: fields of rules with values at which what they cost is computed, and the place of the value among the numbers of the rule; -1: it is the whole. */
const PRICED = { below: [[2, 3, 4, 5, 6, 8, 10, 15, 20], -1], "p-percent": [[5, 10, 15, 20, 30], 0], dominance: [[60, 70, 75, 80, 85, 90], 1], pq: [[5, 10, 15, 20, 30], 0] };

/** priceAt is what a field says with another value in its first rule. */
function priceAt(f, now, v) {
  const place = PRICED[f][1];
  if (place < 0) return v;
  const [first, ...others] = [].concat(now), numbers = String(first).split(",");
  numbers[place] = String(v);
  return [numbers.join(","), ...others];
}
let pricing = 0;

/** price offers what a threshold of the rules would cost at other values, computed one after the other beside what the page shows. */
function price() {
  const fields = Object.keys(PRICED).filter((f) => state.policy[f] !== undefined), box = h("div", { class: "price", role: "status" });
  return fields.length ? h("fieldset", { "data-key": "price" }, h("legend", {}, t("price")), fields.map((f) => h("button", { "data-key": "price" + f, onclick: () => priced(f, box) }, field(f))), box) : "";
}

async function priced(f, box) {
  const mine = ++pricing, table = state.table.table, policy = structuredClone(state.policy), points = [];
  const q = f === "pq" ? +String([].concat(policy[f])[0]).split(",")[1] : Infinity; // below which p has to be
  for (const v of PRICED[f][0].filter((x) => x < q)) {
    put(box, bars(points, f), h("p", {}, t("running")));
    try {
      const r = await call("run", { Job: "p" + Math.floor(performance.timeOrigin) + "-" + mine + "-" + v, Table: table, Trial: true, Policy: { ...policy, [f]: priceAt(f, policy[f], v), "time-limit": policy["time-limit"] || "10s" } });
      if (mine !== pricing || table !== state.table?.table) return;
      points.push({ v, cost: r.result?.cost ?? null, withheld: r.result?.suppressed ?? 0, proved: r.result?.status === "optimal", now: String(priceAt(f, policy[f], v)) === String(policy[f]) });
    } catch (e) { say(e.message, true); return; }
  }
  put(box, bars(points, f));
}

/** bars draws the cost of a pattern at each value of a field, to be chosen by a click. */
function bars(points, f) {
  const W = 60, H = 130, top = Math.max(...points.map((p) => +p.cost || 0), 1);
  return points.length ? h("div", { class: "bars" }, points.map((p) => h("button", { class: p.now ? "now" : "", "data-key": "at" + p.v, title: t("cost") + " " + number(p.cost) + ", " + p.withheld + " " + t("withheld") + ", " + t(p.proved ? "optimal" : "feasible"), onclick: () => decide(() => { state.policy[f] = priceAt(f, state.policy[f], p.v); }) },
    s("svg", { viewBox: `0 0 ${W} ${H}`, "aria-hidden": "true" }, s("rect", { x: 8, y: 18 + (H - 20) * (1 - (+p.cost || 0) / top), width: W - 16, height: Math.max(1, (H - 20) * (+p.cost || 0) / top), class: p.proved ? "proved" : "open" }), s("text", { x: W / 2, y: 13, "text-anchor": "middle" }, p.cost === null ? "–" : short(+p.cost))),
    h("b", {}, RULES[f](priceAt(f, state.policy[f], p.v))), h("small", {}, p.withheld + " " + t("withheld"))))) : "";
}

const part = { price: h("div", { "data-part": "price" }), last: h("div", { "data-part": "last" }), list: h("div", { "data-part": "runs" }), now: h("div", { "data-part": "run" }), curve: h("div", {}) };

/** panel is the part of all runs, which refresh fills. */
export function panel() {
  part.shown = null;
  return h("section", { class: "compare" }, part.last, part.list, part.now, part.curve, part.price);
}

/** older chooses last year's published table, to be laid beside this one or preferred. */
function older() {
  const others = state.files.filter((f) => !state.opened.includes(f.file)), chosen = () => others.find((f) => f.file === pick.value);
  const pick = h("select", { name: "last" }, others.map((f) => h("option", { value: f.file, selected: f.file === (latest || state.policy.prefer) }, f.name)));
  const take = async (e) => {
    const [f] = e.target.files;
    if (!f) return;
    try {
      latest = await upload(f);
      state.files.push({ file: latest, name: f.name });
      changed("files");
    } catch (x) { say(f.name + ": " + x.message, true); }
  };
  return h("fieldset", {}, h("legend", {}, t("prefer")), h("p", {}, h("label", {}, t("choosefile"), " ", h("input", { type: "file", id: "lastfile", onchange: take }))),
    others.length ? [h("label", {}, t("table"), " ", pick), " ",
      h("button", { "data-key": "beside", onclick: () => lastYear(chosen()) }, t("laybeside")), " ",
      h("button", { "data-key": "prefer", onclick: () => { decide(() => { state.policy.prefer = pick.value; }); start(); } }, t("runprefer"))] : "");
}

/** refresh lists the runs there are. */
export function refresh() {
  const as = JSON.stringify([state.chosen, state.runs.map((r) => r.run)]);
  hold(part.now, progress());
  const files = JSON.stringify([state.files.map((f) => f.file), state.opened]);
  if (part.files !== files || !part.shown) put(part.last, older());
  part.files = files;
  const asked = JSON.stringify([state.table.table, language(), Object.keys(PRICED).filter((f) => state.policy[f] !== undefined)]);
  if (part.asked !== asked) { part.asked = asked; pricing++; put(part.price, price()); }
  if (part.shown === as) return;
  part.shown = as;
  put(part.list, compared());
  put(part.curve, run() ? [h("h3", {}, ruled(run().policy) + ": " + run().label), curve(run().curve)] : "");
}

/** compared is the list of all runs. */
function compared() {
  if (!state.runs.length) return h("p", {}, t("first"));
  const base = state.runs.findLast((r) => r.last);
  return h("table", { class: "runs" },
    h("thead", {}, h("tr", {}, ["", t("status"), t("cost"), t("bound"), t("gap"), t("withheld"), t("secondary"), t("lost"), ...(base ? [t("againstlast")] : []), t("seconds"), t("verdict"), ""].map((x) => h("th", { scope: "col" }, x)))),
    [...Map.groupBy(state.runs, (r) => ruled(r.policy))].map(([rules, runs]) => h("tbody", {}, h("tr", { class: "group" }, h("th", { scope: "rowgroup", colspan: base ? 12 : 11 }, rules)), runs.map((r) => {
      const d = r.result || {};
      return h("tr", { class: r.run === state.chosen ? "chosen" : "" },
        h("th", { scope: "row" }, r.label), h("td", {}, t(d.status || "none")), num(d.cost), num(d.bound), h("td", { class: "num" }, d.gap === null || d.gap === undefined ? "–" : (100 * d.gap).toFixed(1) + " %"),
        num(d.suppressed), num(d.secondary), num(r.lost), base ? h("td", { class: "num" }, beside(r, base)) : "", h("td", { class: "num" }, d.seconds === undefined ? "–" : d.seconds.toFixed(1)), h("td", { class: d.audit }, t(d.audit || "–") + (r.proof ? ", " + t("proof") : "")),
        h("td", {}, h("button", { "data-key": "show" + r.run, "aria-pressed": String(r.run === state.chosen), onclick: () => decide(() => { state.chosen = r.run; state.policy = structuredClone(r.policy); }) }, r.run === state.chosen ? t("shown") : t("choosethis"))));
    }))));
}

/** beside counts the cells that a run withholds as last year, newly, and no more. */
function beside(r, base) {
  if (!r.withheld || r === base) return "–";
  const n = { 11: 0, "01": 0, 10: 0 };
  for (let i = 0; i < r.withheld.length; i++) { const k = base.withheld[i] + r.withheld[i]; if (k in n) n[k]++; }
  return `= ${n[11]}  + ${n["01"]}  − ${n[10]}`;
}

const num = (x) => h("td", { class: "num" }, x === null || x === undefined || x === "" ? "–" : number(x));

