// Elements, without a framework.

const SVG = "http://www.w3.org/2000/svg";

/** seen has marks that would turn the text around them about (right to left, overrides, isolates) seen instead of obeyed: a name that looks like another is none. */
export const seen = (text) => String(text).replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, (c) => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0"));

const SAID = ["title", "aria-label", "placeholder"];

function fill(e, attrs, children) {
  for (const [k, v] of Object.entries(attrs || {})) {
    if (v === undefined || v === null || v === false) continue;
    if (k.startsWith("on")) e.addEventListener(k.slice(2), v);
    else if (k === "value" || k === "checked" || k === "disabled" || k === "selected" || k === "open") e[k] = v;
    else e.setAttribute(k, v === true ? "" : SAID.includes(k) ? seen(v) : v);
  }
  e.append(...children.flat(Infinity).filter((c) => c !== undefined && c !== null && c !== false).map((c) => (c instanceof Node ? c : seen(c))));
  return e;
}

/** h makes an element of HTML. Attributes called on… are listeners. */
export const h = (tag, attrs, ...children) => fill(document.createElement(tag), attrs, children);

/** s makes an element of SVG. */
export const s = (tag, attrs, ...children) => fill(document.createElementNS(SVG, tag), attrs, children);

/** put replaces what an element holds. */
export const put = (e, ...children) => { e.replaceChildren(); return fill(e, {}, children); };

/** hold has an element hold another alone, and leaves it be where it does. */
export const hold = (e, child) => { if (!child) e.replaceChildren(); else if (e.firstChild !== child || e.childNodes.length > 1) e.replaceChildren(child); };

/** off marks a button as one that does nothing now; it keeps the focus, which a disabled one would lose. */
export const off = (e, is) => { if (is) e.setAttribute("aria-disabled", "true"); else e.removeAttribute("aria-disabled"); return e; };

const FOCUS = "button, input, select, textarea, summary, [tabindex='0']";

/** handle tells an element from its neighbours by what it is called. */
const handle = (e) => [e.tagName, e.id, e.name, e.type === "checkbox" || e.type === "radio" ? e.value : "", e.dataset.key || "", e.name || e.id || e.dataset.key ? "" : e.textContent].join("\u0000");

/** keeping makes a change and leaves the focus where it was: on the element, on the one that has come in its place, else on the first of the same part. */
export function keeping(change) {
  const a = document.activeElement, parts = [];
  if (!a || a === document.body) { change(); return; }
  for (let e = a.parentElement; e; e = e.parentElement) if (e.dataset.part) parts.push(e.dataset.part);
  const mine = handle(a), typed = a.tagName === "INPUT" && a.type !== "checkbox" || a.tagName === "TEXTAREA" ? a.value : null;
  let at = null;
  try { at = [a.selectionStart, a.selectionEnd]; } catch { /* of a field that has none */ }
  change();
  if (document.activeElement === a) return;
  const again = [...document.querySelectorAll(FOCUS)];
  let b = a.isConnected ? a : null;
  if (!b) for (const p of [...parts, ""]) if ((b = again.find((e) => handle(e) === mine && (!p || e.closest(`[data-part="${p}"]`))))) break;
  const same = !!b;
  if (!b) for (const p of parts) if ((b = again.find((e) => !e.disabled && e.checkVisibility() && e.closest(`[data-part="${p}"]`)))) break;
  if (!b) return;
  b.focus({ preventScroll: true });
  if (!same || b === a || typed === null) return;
  b.value = typed; // what was not yet taken
  try { b.setSelectionRange(...at); } catch { /* the same */ }
}

let stops = 0;

/** awaiting shows in a place what takes long, once it does, with a way to stop it. It returns what is told how far that has come, which far says, and what ends the showing. */
export function awaiting(place, words, last, stop, far) {
  const line = h("span", {}, words), bar = h("progress", { "aria-label": words }), box = h("p", { class: "awaited" }, line, " ", bar, " ", h("button", { "data-key": "stop" + ++stops, onclick: stop }, last));
  const late = setTimeout(() => place.append(box), 300);
  return {
    come: (done, total) => { bar.max = total; bar.value = done; line.textContent = words + " " + far(done, total); },
    end: () => { clearTimeout(late); keeping(() => box.remove()); },
  };
}

let said = 0;

/** turn is to be given to say by whoever says something later: it is not said then if something else was meanwhile. */
export const turn = () => said;

/** say tells a screen reader, and the line at the foot of the page, what happened. */
export function say(text, bad, since) {
  if (since !== undefined && since !== said) return;
  said++;
  const live = document.getElementById("live");
  live.textContent = seen(text);
  live.className = bad ? "bad" : "";
}

/** save hands a file to the user. */
export function save(name, blob) {
  const a = h("a", { href: URL.createObjectURL(blob), download: name });
  a.click();
  setTimeout(() => URL.revokeObjectURL(a.href), 60000);
}

/** number writes the exact text of a number with its thousands apart, as the language has it. */
export function number(text) {
  if (text === null || text === undefined || text === "") return "";
  const [whole, part] = String(text).split(".");
  const sign = whole.startsWith("-") ? "−" : "";
  const digits = whole.replace("-", "");
  if (!/^\d+$/.test(digits)) return String(text);
  return sign + digits.replace(/\B(?=(\d{3})+$)/g, ",") + (part ? "." + part : "");
}
