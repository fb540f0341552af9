// Rules to choose from: the office's own policies and the usual ones, each with what it would mark in this table.

import { h, put, say } from "./dom.js";
import { call } from "./api.js";
import { t } from "./words.js";
import { state, decide } from "./state.js";
import { ruled } from "./run.js";

/** USUAL: rules by what a table has, with the levels that go with them. */
const USUAL = {
  freq: [{ below: 3 }, { below: 5, width: "8" }, { below: 10 }],
  max: [{ "p-percent": ["15"] }, { dominance: ["1,75"] }, { dominance: ["2,85"] }, { below: 3, "p-percent": ["10"] }],
};

let of = "", marks = new Map(), box = null;

/** panel offers the rules. What each marks is asked one after the other, once for each table. */
export function panel() {
  const list = offered();
  box = h("ul", {});
  if (of !== state.table.table) { of = state.table.table; marks = new Map(); ask(list, of); }
  show(list);
  return list.length ? h("details", { class: "presets", open: !Object.keys(state.policy).length }, h("summary", {}, t("presets")), box) : "";
}

const offered = () => [...(state.presets || []), ...(state.table.has.freq || state.table.counts ? USUAL.freq : []).map(usual), ...(state.table.has.max > 1 ? USUAL.max : []).map(usual)];
const usual = (policy) => ({ name: ruled(policy), policy, usual: true });

async function ask(list, mine) {
  for (const x of list) {
    if (of !== mine) return;
    try { marks.set(x.name, (await call("mark", { Table: mine, Policy: x.policy })).sensitive); } catch (e) { marks.set(x.name, e.message); }
    show(list);
  }
}

/** example says a rule in one sentence. */
function example(p) {
  const words = [];
  if (p.below) words.push(t("e_below").replace("#1", p.below));
  if (p["p-percent"]) words.push(t("e_p").replace("#1", p["p-percent"]));
  if (p.dominance) { const [n, k] = String(p.dominance).split(","); words.push(t(n === "1" ? "e_dominance1" : "e_dominance").replace("#1", n).replace("#2", k)); }
  return words.join(" ");
}

function show(list) {
  put(box, list.map((x) => {
    const n = marks.get(x.name);
    return h("li", {}, h("button", { "data-key": "preset" + x.name, onclick: () => { decide(() => { state.policy = { ...(x.usual ? keeping(state.policy) : {}), ...structuredClone(x.policy) }; }); say(x.name); } }, x.name),
      h("small", {}, " " + example(x.policy) + " ", n === undefined ? "…" : typeof n === "number" ? t("e_marks").replace("#1", n) : n));
  }));
}

const RULES = ["below", "zeros-sensitive", "width", "lpl", "upl", "dominance", "p-percent", "pq", "zero", "rules"];

/** keeping are the fields of a policy that usual rules leave. */
const keeping = (p) => Object.fromEntries(Object.entries(p).filter(([k]) => !RULES.includes(k)));
