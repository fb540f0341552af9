// What is open and decided, kept by the program as it changes: a reload, a second page of it and the next day go on from there.

import { say } from "./dom.js";
import { call } from "./api.js";
import { t } from "./words.js";
import { state, changed, history, recall, watch } from "./state.js";
import * as opening from "./open.js";

let known = 0, last = "", timer = 0, lines = [], taking = false, again = null;

/** begin is told how the page begins anew. */
export function begin(anew) {
  again = anew;
  watch(later);
  addEventListener("focus", look);
}

/** note adds a decision to what the session tells was done. */
export function note(line) { lines.push(line); later(); }

/** later keeps the session once things have come to rest. */
export function later() {
  clearTimeout(timer);
  if (!taking && (state.table || drafted())) timer = setTimeout(keep, 300);
}

/** drafted says that a release is begun. */
const drafted = () => Object.keys(state.micro.drafts).length > 0;

const micro = () => { const { file, part, drafts } = state.micro; return { file, part, drafts }; };

const page = () => ({
  micro: drafted() ? micro() : undefined,
  tables: state.opened, flags: state.flags, policy: state.policy, chosen: state.chosen, certificate: state.certificate, decisions: state.decisions, about: state.about, history: history(),
  runs: state.runs.map(({ run, label, last, curve, policy }) => ({ run, label, last, curve, policy })),
});

async function keep() {
  const now = page(), text = JSON.stringify(now);
  if (text === last && !lines.length) return;
  const mine = lines.splice(0);
  try {
    const s = await call("keep", { Page: now, Known: known, Lines: mine });
    if (s.page) { say(t("othertab")); await again(); return; }
    last = text;
    told(s);
  } catch (e) { say(e.message, true); }
}

/** told takes what the program says of the session. */
export function told(s) {
  known = s.revision;
  const before = JSON.stringify(state.session);
  state.session = { path: s.path, approval: s.approval, strict: s.strict, log: s.log, earlier: s.earlier, missing: s.missing };
  if (JSON.stringify(state.session) !== before) changed("session");
}

/** look asks whether another page of the same program has gone on meanwhile. */
async function look() {
  if (taking) return;
  try { const s = await call("session"); if (s.revision > known) await again(); } catch { /* said elsewhere */ }
}

/** resume opens what a session has. It tells whether there was anything. */
export async function resume(s) {
  taking = true;
  clearTimeout(timer);
  try {
    told(s);
    const p = s.page;
    if (!p || s.missing?.length) return !!s.missing?.length;
    for (const d of Object.values(p.micro?.drafts || {})) if (d.made && !s.releases.includes(d.made.release)) Object.assign(d, { made: null, ran: "" }); // another program had it
    Object.assign(state.micro, { file: "", part: "measure", drafts: {} }, p.micro, { at: state.micro.at + 1 });
    if (!p.tables?.length) { last = JSON.stringify(page()); return drafted(); }
    Object.assign(state, { policy: p.policy || {}, certificate: !!p.certificate, about: p.about || {} });
    if (!(await opening.open(p.tables, p.flags || {}))) return true;
    state.decisions = p.decisions || {};
    recall(p.history);
    state.runs = (p.runs || []).flatMap((x) => { const r = s.runs.find((y) => y.run === x.run); return r ? [{ ...r, ...x }] : []; });
    state.chosen = p.chosen || "";
    last = JSON.stringify(page());
    document.body.dataset.runs = state.runs.length;
    changed("decided");
    return true;
  } finally { taking = false; }
}
