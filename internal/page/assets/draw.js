// Drawings with axes.

import { s, number } from "./dom.js";

/** ticks are round numbers along an axis. */
export function ticks(a, b, far) {
  const all = [];
  if (far) {
    for (let p = 1; p <= Math.max(Math.abs(a), Math.abs(b)); p *= 10) { if (p <= b) all.push(p); if (-p >= a) all.push(-p); }
    if (a <= 0 && b >= 0) all.push(0);
    return all;
  }
  const raw = (b - a) / 6 || 1, unit = 10 ** Math.floor(Math.log10(raw)), step = unit * [1, 2, 5, 10].find((m) => m * unit >= raw);
  for (let x = Math.ceil(a / step) * step; x <= b + step / 1e6; x += step) all.push(+x.toPrecision(10));
  return all;
}

/** columns draws numbers of things, called what, as bars over groups. Of a group heads has a word for each of the lines below the axis, which names call;
    of a kind of bars there are its class, its name, its numbers, and of single bars a class of their own. */
export function columns(what, names, heads, kinds) {
  const W = 560, L = 64, top = 34, foot = 170, H = foot + 16 * names.length + 8, room = (W - L - 8) / heads.length, wide = Math.min(room * 0.8, 64) / kinds.length;
  const most = Math.max(...kinds.flatMap((k) => k.numbers), 1), at = (n) => foot - (foot - top) * n / most, middle = (g) => L + (g + 0.5) * room;
  const every = Math.ceil(Math.max(...heads.flat().map((x) => x.length)) * 6.5 / room), told = (k, g) => `${heads[g].join(", ")}: ${number(k.numbers[g])}`;
  return s("svg", { viewBox: `0 0 ${W} ${H}`, class: "histogram", role: "img", "aria-label": kinds.map((k) => `${k.name} (${names.join(", ")}: ${what}): ` + heads.map((_, g) => told(k, g)).filter((_, g) => k.numbers[g]).join("; ")).join(". ") },
    ticks(0, most).filter(Number.isInteger).map((n) => [s("path", { class: "axis", d: `M${L} ${at(n)}H${W - 8}` }), s("text", { x: L - 6, y: at(n) + 4, "text-anchor": "end" }, number(n))]),
    kinds.map((k, n) => k.numbers.map((x, g) => x ? s("rect", { class: k.of?.(g) || k.class, x: middle(g) + wide * (n - kinds.length / 2), y: Math.min(at(x), foot - 1), width: wide - 1, height: Math.max(1, foot - at(x)) }, s("title", {}, `${told(k, g)} ${what}`)) : "")),
    names.map((name, l) => [s("text", { x: L - 6, y: foot + 16 * (l + 1), "text-anchor": "end" }, name), heads.map((words, g) => (g % every ? "" : s("text", { x: middle(g), y: foot + 16 * (l + 1), "text-anchor": "middle" }, words[l])))]),
    s("text", { x: 2, y: 14 }, what), kinds.length > 1 ? kinds.map((k, n) => s("text", { class: k.class, x: L + n * (W - L) / kinds.length, y: 14 }, "■ " + k.name)) : "");
}
