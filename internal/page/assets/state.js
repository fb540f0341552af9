// What the page has open, and what was decided: undone and done again step by step.

const past = [], future = [], watchers = new Set();

export const state = {
  files: [], // { file, name }
  table: null, // OpenTable
  flags: {}, // of reading
  policy: {},
  fields: [], // records of those of a policy: { name, kind, range, words, default, hint, help }
  marking: null,
  runs: [], // RunResult with label and curve
  chosen: "", // a run
  certificate: false,
  witness: null, // { cell: value }: another table shown in place
  exposed: new Set(), // cells that are disclosed or too narrow, as far as known
  response: 0, // the values that are shown
  decisions: {}, // by cell: why it was decided so by hand, and by whom
  attacks: {}, // by run: what an intruder was found to learn
  presets: [], // policies of the office: { name, policy }
  session: null, // SessionState: where it is kept, who has approved, what was done
  micro: { file: "", part: "measure", drafts: {}, given: null, at: 0 }, // of files of records: which is shown and how, releases by file as { policy, made, ran }, a policy that was dropped, and how often all this was taken from a session
  about: {}, // of the report: title, survey, period, author
  masked: false, // shown as published: without values of withheld cells, all of which look alike
};

/** watch calls f with what has changed. */
export const watch = (f) => watchers.add(f);

/** changed tells everybody. */
export const changed = (what) => watchers.forEach((f) => f(what));

const decided = () => JSON.stringify({ policy: state.policy, chosen: state.chosen, decisions: state.decisions });

/** decide makes a change that can be undone: of the policy, or which run is shown. */
export function decide(change) {
  const before = decided();
  change();
  clean(state.policy);
  if (decided() === before) return;
  past.push(before);
  future.length = 0;
  changed("decided");
}

function clean(p) {
  for (const [k, v] of Object.entries(p)) if (v === "" || v === false || v === 0 || (Array.isArray(v) && !v.length)) delete p[k];
}

function step(from, to) {
  if (!from.length) return;
  to.push(decided());
  Object.assign(state, JSON.parse(from.pop()));
  changed("decided");
}

export const undo = () => step(past, future);
export const redo = () => step(future, past);
export const canUndo = () => past.length > 0;
export const canRedo = () => future.length > 0;

/** history is what can be undone and done again; recall takes it from a session. */
export const history = () => ({ past, future });
export function recall(h) {
  past.splice(0, past.length, ...(h?.past || []));
  future.splice(0, future.length, ...(h?.future || []));
}

/** forget empties the past, for another table. */
export function forget() {
  past.length = future.length = 0;
  Object.assign(state, { runs: [], chosen: "", decisions: {}, attacks: {}, marking: null, witness: null, exposed: new Set(), response: 0 });
}

/** run is the one that is shown, if any. */
export const run = () => state.runs.find((r) => r.run === state.chosen);

// Keys in order, so that a rule that was taken back and set again is no change.
const sorted = (x) => JSON.stringify(x, (_, v) => (v && typeof v === "object" && !Array.isArray(v) ? Object.fromEntries(Object.entries(v).sort()) : v));

/** stale says that the rules or decisions are not those of the run that is shown. */
export function stale() {
  const r = run();
  return !!r && sorted(r.policy) !== sorted(state.policy);
}
