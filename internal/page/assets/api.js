// Calls to the engine: the server that this page came from, or a worker with the engine itself.

import { language, t } from "./words.js";

const engine = globalThis.hitokuEngine; // of the page that has its engine with it

let token = "";

/** enter takes the token out of the address, where it would stand in what is copied or kept. */
export function enter() {
  if (engine) return true;
  token = location.hash.slice(1) || sessionStorage.getItem("hitoku") || "";
  if (location.hash) history.replaceState(null, "", location.pathname);
  if (token) sessionStorage.setItem("hitoku", token);
  return token !== "";
}

/** heads are the headers of every request; what fails is told in the language of the page. */
const heads = (more) => ({ "X-Hitoku-Token": token, "Accept-Language": language(), ...more });

let under = 0; // calls under way

/** counted tells the page how many calls are under way. */
async function counted(answer) {
  document.body.dataset.calls = ++under;
  try { return await answer; } finally { document.body.dataset.calls = --under; }
}

/** call asks the engine and returns its answer. onEvent gets what it tells before; signal ends it. */
export const call = (name, body, onEvent, signal) => counted(ask(name, body, onEvent, signal));

/** latest makes calls of which a new one ends the one before, whose answer is then undefined. */
export function latest() {
  let at = 0, last;
  const next = async (name, body, onEvent) => {
    const mine = ++at;
    last?.abort();
    last = new AbortController();
    try {
      const a = await call(name, body, onEvent && ((e) => { if (mine === at) onEvent(e); }), last.signal);
      return mine === at ? a : undefined;
    } catch (e) {
      if (mine === at) throw e;
    }
  };
  /** end ends the one under way. */
  next.end = () => { at++; last?.abort(); };
  return next;
}

async function ask(name, body, onEvent, signal) {
  if (engine) return engine.call(name, body || {}, onEvent, exact, language());
  const r = await fetch("/api/" + name, {
    method: "POST", signal,
    headers: heads({ "Content-Type": "application/json", Accept: onEvent ? "text/event-stream" : "application/json" }),
    body: JSON.stringify(body || {}),
  });
  if (!onEvent || !r.ok) return plain(r);
  let found;
  for await (const e of events(r.body)) {
    if (e.kind === "event") onEvent(e.data);
    else if (e.kind === "error") throw fault(e.data);
    else found = e.data;
  }
  if (found === undefined) throw new Error("the server has gone");
  return found;
}

/** exact reads JSON; a number that JavaScript would round stays the text that it is. */
export const exact = (text) => JSON.parse(text, (_, v, at) => (typeof v === "number" && at && String(v) !== at.source && !/e/i.test(at.source) ? at.source : v));

/** fault is an error with the field of a form that it is about. */
const fault = (x) => Object.assign(new Error(x.error), { field: x.field });

async function plain(r) {
  const type = r.headers.get("Content-Type") || "";
  if (!r.ok) throw type.includes("json") ? fault(await r.json()) : new Error((await r.text()).trim());
  return type.includes("application/json") ? exact(await r.text()) : r;
}

/** events reads server-sent events. */
async function* events(stream) {
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const parts = (rest + value).split("\n\n");
    rest = parts.pop();
    for (const p of parts) {
      const kind = /^event: (.*)$/m.exec(p);
      const data = /^data: (.*)$/m.exec(p);
      if (kind && data) yield { kind: kind[1], data: exact(data[1]) };
    }
  }
}

/** file asks for a file and returns its name and content. */
export const file = (body) => counted(wanted(body));

async function wanted(body) {
  if (engine) return engine.file(body, language());
  const r = await fetch("/api/out", { method: "POST", headers: heads({ "Content-Type": "application/json" }), body: JSON.stringify(body) });
  if (!r.ok) await plain(r);
  const named = /filename\*?=(?:utf-8'')?"?([^";]+)"?/i.exec(r.headers.get("Content-Disposition") || "");
  return { name: named ? decodeURIComponent(named[1]) : "hitoku", blob: await r.blob() };
}

/** upload gives a file of the user's to the engine and returns what calls name it by. sent gets how many bytes of how many are there; signal ends it. */
export const upload = (f, sent, signal) => counted(given(f, sent, signal));

async function given(f, sent, signal) {
  if (engine) return engine.upload(f, language());
  const r = await new Promise((done, fail) => { // fetch does not tell how far it has come
    const x = new XMLHttpRequest();
    x.open("POST", "/api/upload");
    for (const [k, v] of Object.entries(heads({ "X-Hitoku-Name": encodeURIComponent(f.name) }))) x.setRequestHeader(k, v);
    x.upload.onprogress = (e) => sent?.(e.loaded, e.total);
    x.onload = () => done(new Response(x.response, { status: x.status, headers: { "Content-Type": x.getResponseHeader("Content-Type") } }));
    x.onerror = () => fail(new Error(t("lost2")));
    x.onabort = () => fail(signal.reason);
    signal?.addEventListener("abort", () => x.abort());
    x.send(f);
  });
  return (await plain(r)).file;
}

/** stay tells the server that the page is there, until it goes. lost is called when the server has gone. */
export async function stay(lost) {
  if (engine) return;
  try {
    const r = await fetch("/api/alive", { method: "POST", headers: { "X-Hitoku-Token": token } });
    if (!r.ok) return;
    const reader = r.body.getReader();
    while (!(await reader.read()).done);
  } catch { /* the same */ }
  lost();
}
