// The whole table in small, with what is seen of it: where cells are withheld that lie outside the window.

import { h } from "./dom.js";

const WIDE = 224, HIGH = 96;

/** Minimap shows the grid where it is larger than its window. kind(i) is what a cell is; inks() has the colours of the kinds that are drawn, of which later ones cover others. */
export class Minimap {
  constructor(grid, kind, inks) {
    Object.assign(this, { grid, kind, inks });
    this.canvas = h("canvas", {});
    this.frame = h("i", {});
    // The keys that move in the grid are those of the map.
    this.box = h("div", { class: "minimap", "aria-hidden": "true", onpointerdown: (e) => { this.box.setPointerCapture(e.pointerId); this.go(e); }, onpointermove: (e) => e.buttons && this.go(e) }, this.canvas, this.frame);
    this.box.style.cssText = `width:${WIDE}px;height:${HIGH}px`;
    grid.moved = () => this.follow();
  }

  /** paint draws all cells of the slice. */
  paint() {
    const { grid, canvas } = this, p = grid.pivot, rows = grid.rows.length, columns = grid.columns.length;
    this.rows = grid.rows;
    canvas.width = Math.min(WIDE, columns);
    canvas.height = Math.min(HIGH, rows);
    const at = (lines, k) => { const of = new Int32Array(k < 0 ? 1 : p.dims[k].codes.length + 1).fill(-1); lines.forEach((l, n) => { of[Math.max(0, l.code)] = n; }); return of; };
    const down = at(grid.rows, p.down), across = at(grid.columns, p.across), rest = p.dims.map((_, k) => k).filter((k) => k !== p.down && k !== p.across);
    const inks = this.inks(), kinds = [...inks.keys()], heaviest = new Uint8Array(canvas.width * canvas.height), pen = canvas.getContext("2d");
    for (let i = 0; i < p.table.cells; i++) {
      const weight = 1 + kinds.indexOf(this.kind(i));
      if (!weight || rest.some((k) => p.coord[k][i] !== p.at[k])) continue;
      const r = down[p.coord[p.down][i]], q = across[p.across < 0 ? 0 : p.coord[p.across][i]];
      if (r < 0 || q < 0) continue;
      const x = Math.floor(q * canvas.width / columns), y = Math.floor(r * canvas.height / rows);
      if (heaviest[y * canvas.width + x] >= weight) continue;
      heaviest[y * canvas.width + x] = weight;
      pen.fillStyle = inks.get(kinds[weight - 1]);
      pen.fillRect(x, y, 1, 1);
    }
  }

  /** follow puts the frame around what is seen, and paints where the lines are others. */
  follow() {
    const { box: b, rows, columns, left, head, wide, space } = this.grid, w = parseFloat(space.style.width) - left, hi = parseFloat(space.style.height) - head;
    this.box.hidden = rows.length * columns.length < 500 || w <= b.clientWidth - left && hi <= b.clientHeight - head;
    if (this.box.hidden) return;
    if (this.rows !== rows) this.paint();
    const of = (part, all, size) => Math.max(3, Math.min(1, part / all) * size);
    this.frame.style.cssText = `transform:translate(${WIDE * b.scrollLeft / w}px,${HIGH * b.scrollTop / hi}px);width:${of(b.clientWidth - left, w, WIDE)}px;height:${of(b.clientHeight - head, hi, HIGH)}px`;
  }

  go(e) {
    const at = this.box.getBoundingClientRect(), { box: b, left, head, space } = this.grid;
    b.scrollTo((e.clientX - at.left) / WIDE * (parseFloat(space.style.width) - left) - (b.clientWidth - left) / 2, (e.clientY - at.top) / HIGH * (parseFloat(space.style.height) - head) - (b.clientHeight - head) / 2);
  }
}
