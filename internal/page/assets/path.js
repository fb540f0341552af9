// The path to a safe release: six steps, each with what is done, what is open and what blocks it.

import { h, put, keeping } from "./dom.js";
import { t, language } from "./words.js";
import { state, run, stale } from "./state.js";
import { ruled, line, busy } from "./run.js";
import { question } from "./open.js";

/** STEPS: of each the part of the page where it is done, and its state: done, open or blocked, with a sentence. */
const STEPS = {
  open: ["open", () => (question() ? ["blocked", t("w_question")] : state.table ? ["done", state.table.name] : ["open", t("w_choose")])],
  understood: ["sheet", () => (state.table ? ["done", understood()] : ["", ""])],
  rules: ["table", () => {
    if (!state.table) return ["", ""];
    const n = state.marking?.sensitive ?? count(run()?.status, "u");
    return n ? ["done", ruled(state.policy) + ": " + n + " " + t("sensitive")] : ["blocked", t("w_norule")];
  }],
  protected: ["table", () => {
    const r = run(), d = r?.result;
    if (!state.table) return ["", ""];
    if (busy()) return ["open", t("running")];
    if (!r) return ["open", t("w_notyet")];
    if (stale()) return ["blocked", t("w_stale")];
    if (!d || d.audit !== "protected") return ["blocked", d ? t(d.audit) : r.why];
    return [r.complete ? "done" : "open", r.complete ? line(r) : t("w_limit") + " " + line(r)];
  }],
  attacked: ["intruder", () => {
    const a = state.attacks[state.chosen];
    if (!run() || stale()) return ["", ""];
    if (!a?.audit) return ["open", t("w_noattack")];
    if (a.audit.bad || a.insiders?.bad || a.attack?.bad) return ["blocked", [a.audit.bad, a.attack?.bad, a.insiders?.bad].filter(Boolean).join(" + ") + " " + t("disclosed")];
    return [a.attack ? (a.attack.open ? "open" : "done") : "open", a.attack ? (a.attack.open ? a.attack.open + " " + t("openfar") : t("w_safe")) : t("w_intervals")];
  }],
  release: ["out", () => {
    const s = state.session, mine = s?.approval?.run === state.chosen ? s.approval : null, saved = s?.log?.findLast((x) => x.what === "saved");
    if (!run() || stale() || run().result?.audit !== "protected") return ["", ""];
    if (mine) return [saved?.by === mine.by ? "done" : "open", t("approvedby") + " " + mine.by];
    return [s?.strict ? "blocked" : "open", t("w_notapproved")];
  }],
};

const count = (text, letter) => (text ? [...text].filter((x) => x === letter).length : 0);

/** understood says what the dimensions and their totals are, and what of the files is in no table. */
function understood() {
  const dims = state.table.dimensions.map((d) => {
    const root = d.parent.indexOf(-1);
    return d.name + ": " + (d.no_total || root < 0 ? t("w_nototal") : t("w_total").replace("#1", d.codes[root]));
  });
  return [...dims, ...state.table.aside || []].join("; ");
}

const box = h("ol", { class: "path", "data-part": "path" });
let go = null;

/** path is the list of steps; to leads to a part. */
export function path(to) { go = to; return box; }

const MARKS = { done: "✓", open: "○", blocked: "!" };

/** refresh shows how far the path was gone. */
export function refresh() {
  const all = Object.entries(STEPS).map(([name, [part, of]]) => [name, part, ...of()]), as = JSON.stringify([all, language()]);
  box.setAttribute("aria-label", t("path"));
  if (box.dataset.as === as) return;
  box.dataset.as = as;
  const next = all.find(([, , now]) => now === "blocked" || now === "open");
  keeping(() => put(box, all.map(([name, part, now, words], n) => h("li", { class: "step is-" + now, "aria-current": next?.[0] === name ? "step" : null },
    h("button", { "data-key": "step" + name, disabled: !now, title: words, onclick: () => go(part) },
      h("span", { class: "n", "aria-hidden": "true" }, MARKS[now] || n + 1), h("b", {}, name === "rules" ? t("rules") : t("step_" + name)), now ? h("span", { class: "hidden" }, " " + t("state_" + now) + ": ") : "", h("small", {}, words))))));
}
