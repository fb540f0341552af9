// The table on the screen: only what is seen is there, so that it may have any number of cells.

import { h, put, seen, number } from "./dom.js";
import { t } from "./words.js";

const ROW = 26, WIDE = 104;

/** Grid shows a pivot. look(i) tells class, mark and words of a cell; chosen(i) is told of a click. */
export class Grid {
  constructor(pivot, values, look, chosen) {
    Object.assign(this, { pivot, values, look, chosen, row: 0, column: 0 });
    // The headers that are seen stand still while cells scroll; those that are heard stand in the rows.
    this.corner = h("div", { class: "corner", "aria-hidden": "true" });
    this.title = h("div", { class: "hidden", role: "columnheader" });
    this.heads = h("div", { class: "heads", role: "row", "aria-rowindex": "1" }, this.title);
    this.stubs = h("div", { class: "stubs", "aria-hidden": "true" });
    this.cells = h("div", { class: "cells", role: "rowgroup" });
    this.space = h("div", { class: "space", role: "none" });
    this.box = h("div", { class: "grid", tabindex: "0", role: "grid", onscroll: () => this.draw(), onkeydown: (e) => this.key(e), onclick: (e) => this.click(e) },
      this.space, this.heads, this.corner, this.stubs, this.cells);
    this.words();
    new ResizeObserver(() => this.draw()).observe(this.box);
    this.lay();
  }

  /** words names the grid in the language of the page. */
  words() { this.box.setAttribute("aria-label", t("table")); }

  /** lay takes the lines of rows and columns anew. */
  lay() {
    const p = this.pivot;
    this.rows = p.lines(p.down);
    this.columns = p.lines(p.across);
    const longest = Math.max(...this.rows.slice(0, 2000).map((r) => width(r.text + (r.label ? " " + r.label : "")) + 2 * r.depth), 8);
    this.left = Math.min(320, Math.max(90, longest * 7.5 + 34));
    this.head = ROW * 2;
    this.wide = Math.min(190, Math.max(WIDE, 9 * this.widest() + 40));
    this.space.style.width = this.left + this.columns.length * this.wide + "px";
    this.space.style.height = this.head + this.rows.length * ROW + "px";
    this.box.setAttribute("aria-rowcount", this.rows.length + 1);
    this.box.setAttribute("aria-colcount", this.columns.length + 1);
    this.row = Math.min(this.row, this.rows.length - 1);
    this.column = Math.min(this.column, this.columns.length - 1);
    this.lines = new Map(); // rows on the page, with their cells
    this.top = new Map(); // headers of columns
    this.side = new Map(); // and of rows
    for (const e of [this.cells, this.stubs]) e.replaceChildren();
    this.heads.replaceChildren(this.title);
    this.draw();
  }

  widest() {
    let w = 0;
    for (let i = 0; i < Math.min(this.values.length, 5000); i++) w = Math.max(w, number(this.values[i]).length);
    return w;
  }

  /** draw puts the cells that are seen on the screen. */
  draw() {
    const b = this.box, top = b.scrollTop, left = b.scrollLeft;
    const r0 = Math.max(0, Math.floor(top / ROW) - 3), r1 = Math.min(this.rows.length, Math.ceil((top + b.clientHeight) / ROW) + 3);
    const c0 = Math.max(0, Math.floor(left / this.wide) - 1), c1 = Math.min(this.columns.length, Math.ceil((left + b.clientWidth) / this.wide) + 1);
    this.corner.style.cssText = `transform:translate(${left}px,${top}px);width:${this.left}px;height:${this.head}px`;
    const p = this.pivot;
    const title = seen(p.dims[p.down].name + (p.across >= 0 ? " \\ " + p.dims[p.across].name : ""));
    if (this.corner.textContent !== title) this.corner.textContent = this.title.textContent = title;
    this.stubs.style.transform = `translate(${left}px,0)`;
    this.heads.style.transform = `translate(0,${top}px)`;
    keep(this.stubs, this.side, r0, r1, (n) => this.stub(this.rows[n], n));
    keep(this.heads, this.top, c0, c1, (n) => this.header(this.columns[n], n));
    keep(this.cells, this.lines, r0, r1, (n) => this.line(n));
    for (const e of this.lines.values()) keep(e, e.pool, c0, c1, (c) => this.make(e.row, c));
    this.moved?.();
  }

  /** line is an element for the cells of a row. */
  line(r) {
    const e = h("div", { role: "row", "aria-rowindex": r + 2 }, h("div", { class: "hidden", role: "rowheader" }, this.rows[r].text + (this.rows[r].label ? " " + this.rows[r].label : "")));
    return Object.assign(e, { row: r, pool: new Map() });
  }

  stub(r, n) {
    const e = h("div", { class: "stub" + (r.kids || r.total ? " sum" : ""), title: r.label ? r.text + " " + r.label : r.text });
    e.style.cssText = `top:${this.head + n * ROW}px;width:${this.left}px;padding-left:${6 + r.depth * 14}px`;
    e.append(this.folder(r, this.pivot.down), h("b", {}, r.text), r.label && r.label !== r.text ? " " + r.label : "");
    return e;
  }

  header(c, n) {
    const e = h("div", { class: "head" + (c.kids || c.total ? " sum" : ""), role: "columnheader", "aria-colindex": n + 2, title: c.label ? c.text + " " + c.label : c.text });
    e.style.cssText = `left:${this.left + n * this.wide}px;width:${this.wide}px`;
    if (c.code < 0) e.append(t("value"));
    else e.append(this.folder(c, this.pivot.across), "\u200b".repeat(c.depth), h("b", {}, c.text), c.label && c.label !== c.text ? h("span", {}, c.label) : "");
    return e;
  }

  /** folder is the button that folds a code with codes below it. */
  folder(line, k) {
    if (!line.kids) return "";
    return h("button", {
      class: "fold", tabindex: "-1", "aria-label": (line.folded ? t("unfold") : t("fold")) + " " + line.text, "aria-expanded": String(!line.folded),
      onclick: (e) => { e.stopPropagation(); this.turn(k, line.code); },
    }, line.folded ? "▸" : "▾");
  }

  turn(k, code) {
    const f = this.pivot.folded[k];
    if (!f.delete(code)) f.add(code);
    this.lay();
    this.point();
  }

  /** point tells which cell is marked. */
  point() { this.box.setAttribute("aria-activedescendant", "c" + this.row + "-" + this.column); }

  make(r, c) {
    const i = this.pivot.cell(this.rows[r].code, this.columns[c].code);
    const e = h("div", { role: "gridcell", id: "c" + r + "-" + c, "aria-colindex": c + 2 });
    e.style.cssText = `transform:translate(${this.left + c * this.wide}px,${this.head + r * ROW}px);width:${this.wide}px`;
    e.dataset.r = r;
    e.dataset.c = c;
    if (i >= 0) e.dataset.name = this.pivot.codes(i).join("/");
    this.paint(e, i, r, c);
    return e;
  }

  paint(e, i, r, c) {
    let name = "cell";
    if (this.rows[r].kids || this.rows[r].total || this.columns[c].kids || this.columns[c].total) name += " sum";
    if (i < 0) { e.className = name + " none"; e.textContent = ""; return; }
    const look = this.look(i);
    e.className = name + " " + look.class + (r === this.row && c === this.column ? " here" : "");
    e.title = look.title || "";
    e.setAttribute("aria-label", (look.text ?? (number(this.values[i]) || t("no value"))) + ", " + (look.title || ""));
    put(e, look.mark ? h("i", { "aria-hidden": "true", "data-mark": look.mark }) : "", h("span", {}, look.text ?? (number(this.values[i]) || "·")));
  }

  /** refresh paints what is seen anew. */
  refresh() {
    for (const { row: r, pool } of this.lines.values()) for (const [c, e] of pool) this.paint(e, this.pivot.cell(this.rows[r].code, this.columns[c].code), r, c);
  }

  /** go moves to a place and keeps it in sight. */
  go(r, c) {
    this.row = Math.max(0, Math.min(this.rows.length - 1, r));
    this.column = Math.max(0, Math.min(this.columns.length - 1, c));
    const b = this.box, y = this.row * ROW, x = this.column * this.wide;
    if (y < b.scrollTop) b.scrollTop = y;
    if (y + ROW > b.scrollTop + b.clientHeight - this.head) b.scrollTop = y + ROW - b.clientHeight + this.head;
    if (x < b.scrollLeft) b.scrollLeft = x;
    if (x + this.wide > b.scrollLeft + b.clientWidth - this.left) b.scrollLeft = x + this.wide - b.clientWidth + this.left;
    this.draw();
    this.refresh();
    this.point();
  }

  /** here is the cell that is marked, −1 none. */
  here() { return this.pivot.cell(this.rows[this.row].code, this.columns[this.column].code); }

  /** find goes to a cell wherever it is. */
  find(i) {
    this.pivot.show(i);
    this.lay();
    const p = this.pivot;
    const r = this.rows.findIndex((x) => x.code === p.coord[p.down][i]);
    const c = p.across < 0 ? 0 : this.columns.findIndex((x) => x.code === p.coord[p.across][i]);
    this.go(r, c);
  }

  key(e) {
    const page = Math.max(1, Math.floor(this.box.clientHeight / ROW) - 3);
    const moves = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1], PageUp: [-page, 0], PageDown: [page, 0] };
    if (moves[e.key]) this.go(this.row + moves[e.key][0], this.column + moves[e.key][1]);
    else if (e.key === "Home") this.go(e.ctrlKey ? 0 : this.row, 0);
    else if (e.key === "End") this.go(e.ctrlKey ? this.rows.length : this.row, this.columns.length);
    else if (e.key === "Enter" || e.key === " ") { if (this.here() >= 0) this.chosen(this.here()); }
    else if (e.key === "+" || e.key === "-") { const line = this.rows[this.row]; if (line.kids && (e.key === "-") !== line.folded) this.turn(this.pivot.down, line.code); }
    else return;
    e.preventDefault();
  }

  click(e) {
    const cell = e.target.closest(".cell");
    if (!cell) return;
    this.go(+cell.dataset.r, +cell.dataset.c);
    if (this.here() >= 0) this.chosen(this.here());
  }
}

/** keep has an element hold those of from ≤ n < to: those that it has stay, so that a click on one is never lost. */
function keep(box, pool, from, to, make) {
  for (const [n, e] of pool) if (n < from || n >= to) { e.remove(); pool.delete(n); }
  const fresh = [];
  for (let n = from; n < to; n++) if (!pool.has(n)) { const e = make(n); pool.set(n, e); fresh.push(e); }
  if (fresh.length) box.append(...fresh);
}

/** width counts letters as wide as they are: those of Japanese are two. */
function width(text) {
  let w = 0;
  for (const c of text || "") w += c.codePointAt(0) > 0x2e7f ? 2 : 1;
  return w;
}
