// Elements, without a framework.

const SVG = "http://www.w3.org/2000/svg";

function fill(e, attrs, children) {
  for (const [k, v] of Object.entries(attrs || {})) {
    if (v === undefined || v === null || v === false) continue;
    if (k.startsWith("on")) e.addEventListener(k.slice(2), v);
    else if (k === "value" || k === "checked" || k === "disabled" || k === "selected" || k === "open") e[k] = v;
    else e.setAttribute(k, v === true ? "" : v);
  }
  e.append(...children.flat(Infinity).filter((c) => c !== undefined && c !== null && c !== false));
  return e;
}

/** h makes an element of HTML. Attributes called on… are listeners. */
export const h = (tag, attrs, ...children) => fill(document.createElement(tag), attrs, children);

/** s makes an element of SVG. */
export const s = (tag, attrs, ...children) => fill(document.createElementNS(SVG, tag), attrs, children);

/** put replaces what an element holds. */
export const put = (e, ...children) => { e.replaceChildren(); return fill(e, {}, children); };

/** say tells a screen reader, and the line at the foot of the page, what happened. */
export function say(text, bad) {
  const live = document.getElementById("live");
  live.textContent = text;
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
  return sign + digits.replace(/\B(?=(\d{3})+$)/g, "\u202f") + (part ? "." + part : "");
}
