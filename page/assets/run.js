// Runs: one that searches, as a live curve, and those that have ended, side by side.

import { h, s, say, number } from "./dom.js";
import { call } from "./api.js";
import { t } from "./words.js";
import { state, decide, changed } from "./state.js";

let job = null, jobs = 0;

/** start searches for a pattern, beginning with that of a run if one is named. */
export async function start(from) {
  if (job) return;
  job = { name: "j" + ++jobs, curve: [], words: t("running"), began: performance.now() };
  const mine = job, policy = structuredClone(state.policy);
  changed("run");
  try {
    const r = await call("run", { Job: job.name, Table: state.table.table, Policy: policy, Certificate: state.certificate, From: from || "" }, (e) => {
      if (e.search) mine.curve.push(e.search);
      if (e.auditing) mine.words = t("auditing") + " " + e.auditing.done + " / " + e.auditing.total;
      changed("progress");
    });
    r.curve = mine.curve;
    r.policy = policy;
    r.label = label(policy);
    state.runs.push(r);
    job = null;
    decide(() => { state.chosen = r.run; });
    changed("run");
    say(r.why || line(r), !!r.why);
  } catch (e) {
    job = null;
    changed("run");
    say(e.message, true);
  }
}

/** published takes the table for one that is published already. */
export async function published() {
  if (job) return;
  const policy = structuredClone(state.policy);
  job = { name: "j" + ++jobs, curve: [], words: t("auditing"), began: performance.now() };
  const mine = job;
  changed("run");
  try {
    const r = await call("published", { Job: job.name, Table: state.table.table, Policy: policy }, (e) => { if (e.auditing) { mine.words = t("auditing") + " " + e.auditing.done + " / " + e.auditing.total; changed("progress"); } });
    Object.assign(r, { curve: [], policy, label: t("aspublished") });
    state.runs.push(r);
    job = null;
    decide(() => { state.chosen = r.run; });
    changed("run");
    say(`${t(r.result.audit)}, ${r.result.suppressed} / ${r.result.cells} ${t("withheld")}`, r.result.audit !== "protected");
  } catch (e) {
    job = null;
    changed("run");
    say(e.message, true);
  }
}

/** stop ends the search; its best pattern stays. */
export const stop = () => job && call("stop", { Job: job.name });

/** busy is the job that is under way, if any. */
export const busy = () => job;

/** label says in short what is special about a policy. */
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

/** progress is the search that is under way. */
export function progress() {
  if (!job) return "";
  const last = job.curve[job.curve.length - 1];
  return h("div", { class: "progress" },
    h("p", {}, job.words, last ? ` ${last.seconds.toFixed(1)} s, ${t("bound")} ${short(last.lower)}` + (last.upper === null ? "" : `, ${t("cost")} ${short(last.upper)}`) : ""),
    curve(job.curve),
    h("button", { class: "stop", onclick: stop }, t("stop")));
}

const short = (x) => number(String(Math.round(x)));

/** curve draws cost and bound over time. */
export function curve(points) {
  const W = 340, H = 120, P = 4;
  const svg = s("svg", { viewBox: `0 0 ${W} ${H}`, class: "curve", role: "img", "aria-label": t("cost") + ", " + t("bound") });
  if (!points.length) return svg;
  const end = Math.max(points[points.length - 1].seconds, 0.1);
  const top = Math.max(...points.map((p) => p.upper ?? p.lower), 1) * 1.05;
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
    s("text", { x: P + 4, y: 14 }, short(top)), s("text", { x: W - P, y: H - 8, "text-anchor": "end" }, end.toFixed(1) + " s"));
  return svg;
}

/** compared is the list of all runs. */
export function compared() {
  if (!state.runs.length) return h("p", {}, t("first"));
  return h("table", { class: "runs" },
    h("thead", {}, h("tr", {}, ["", t("status"), t("cost"), t("bound"), t("gap"), t("withheld"), t("secondary"), t("lost"), t("seconds"), t("verdict"), ""].map((x) => h("th", { scope: "col" }, x)))),
    h("tbody", {}, state.runs.map((r) => {
      const d = r.result || {};
      return h("tr", { class: r.run === state.chosen ? "chosen" : "" },
        h("th", { scope: "row" }, r.label), h("td", {}, t(d.status || "none")), num(d.cost), num(d.bound), h("td", { class: "num" }, d.gap === null || d.gap === undefined ? "–" : (100 * d.gap).toFixed(1) + " %"),
        num(d.suppressed), num(d.secondary), num(r.lost), h("td", { class: "num" }, d.seconds === undefined ? "–" : d.seconds.toFixed(1)), h("td", { class: d.audit }, t(d.audit || "–") + (r.proof ? ", " + t("proof") : "")),
        h("td", {}, h("button", { disabled: r.run === state.chosen, onclick: () => decide(() => { state.chosen = r.run; state.policy = structuredClone(r.policy); }) }, r.run === state.chosen ? t("shown") : t("choosethis"))));
    })));
}

const num = (x) => h("td", { class: "num" }, x === null || x === undefined || x === "" ? "–" : number(x));

