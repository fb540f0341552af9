// Where cells are withheld, by the codes of a dimension: a tree with what each code and those below it have.

import { h, put, number } from "./dom.js";
import { t } from "./words.js";

const MOST = 400; // lines at once

/** Tree counts cells by their kind along a dimension. kind(i) is a name in KINDS, else the cell does not count; find(i) shows one. */
export class Tree {
  constructor(pivot, kinds, kind, find) {
    Object.assign(this, { pivot, kinds, kind, find, k: pivot.down, at: 0 });
    this.open = pivot.dims.map((d) => new Set([d.root]));
    this.list = h("ul", { role: "tree", "data-part": "tree", onkeydown: (e) => this.key(e), onclick: (e) => { const n = this.lines.findIndex((l) => l.element === e.target.closest("[role=treeitem]")); if (n >= 0) { this.point(n); if (e.target.closest(".fold")) this.turn(); else this.go(); } } });
    this.box = h("details", { class: "codes", "data-key": "codes", ontoggle: () => this.refresh() });
  }

  /** words names it in the language of the page. */
  words() {
    const pick = h("select", { "data-key": "treeof", "aria-label": t("bycode"), onchange: (e) => { this.k = +e.target.value; this.at = 0; this.refresh(); } }, this.pivot.dims.map((d, k) => h("option", { value: k, selected: k === this.k }, d.name)));
    put(this.box, h("summary", {}, t("bycode")), pick, this.list);
    this.list.setAttribute("aria-label", t("bycode"));
    this.refresh();
  }

  /** refresh counts anew. */
  refresh() {
    if (!this.box.open) return;
    const { pivot: p, kinds, k } = this, d = p.dims[k], coord = p.coord[k];
    this.counts = d.codes.concat("").map(() => kinds.map(() => 0));
    this.first = d.codes.map(() => -1); // by code, its cell to be shown: the first of the foremost kind
    this.all = d.codes.concat("").map(() => 0); // cells of each code and those below it
    const rank = d.codes.map(() => kinds.length);
    for (let i = 0; i < p.table.cells; i++) {
      for (let c = coord[i]; c >= 0; c = d.parent[c]) this.all[c]++;
      if (d.root >= d.codes.length) this.all[d.root]++;
      const n = kinds.indexOf(this.kind(i));
      if (n < 0) continue;
      if (n < rank[coord[i]]) { rank[coord[i]] = n; this.first[coord[i]] = i; }
      for (let c = coord[i]; c >= 0; c = d.parent[c]) this.counts[c][n]++;
      if (d.root >= d.codes.length) this.counts[d.root][n]++;
    }
    this.draw();
  }

  /** draw shows the codes that have such cells, unfolded as they are. */
  draw() {
    const d = this.pivot.dims[this.k], open = this.open[this.k], lines = [];
    let left = 0;
    const walk = (c, depth) => {
      const n = this.counts[c];
      if (!n.some(Boolean)) return;
      const kids = d.kids[c].filter((x) => this.counts[x].some(Boolean)), name = d.codes[c] + (d.labels[c] && d.labels[c] !== d.codes[c] ? " " + d.labels[c] : "");
      if (lines.length >= MOST) { left++; return; }
      lines.push({ c, depth, kids: kids.length, element: h("li", { role: "treeitem", tabindex: "-1", "aria-level": depth + 1, "aria-expanded": kids.length ? String(open.has(c)) : null, title: name },
        h("span", { class: "fold", "aria-hidden": "true" }, kids.length ? (open.has(c) ? "▾" : "▸") : ""), h("b", {}, name), " ", this.kinds.map((kind, k) => (n[k] ? h("span", { class: "s-" + kind, title: t(kind) }, h("span", { class: "hidden" }, t(kind) + " "), number(n[k])) : "")), this.share(n, this.all[c])) });
      lines[lines.length - 1].element.style.paddingLeft = 0.8 * depth + "rem";
      if (open.has(c)) for (const kid of kids) walk(kid, depth + 1);
    };
    if (d.noTotal) for (const c of d.kids[d.root]) walk(c, 0);
    else walk(d.root, 0);
    const had = this.list.contains(document.activeElement);
    this.lines = lines;
    put(this.list, lines.map((l) => l.element), lines.length ? "" : h("li", { role: "none" }, t("none")), left ? h("li", { role: "none" }, "+ " + number(left)) : "");
    if (lines.length) this.point(Math.min(this.at, lines.length - 1), had);
  }

  /** share draws how much of a code's cells is of each kind. */
  share(counts, all) {
    return h("span", { class: "share", "aria-hidden": "true" }, this.kinds.map((kind, k) => {
      const part = h("i", { class: "s-" + kind });
      part.style.width = (100 * counts[k]) / all + "%";
      return counts[k] ? part : "";
    }));
  }

  /** point has one line take the focus; the others are reached by arrows. */
  point(n, focus) {
    if (this.lines[this.at]) this.lines[this.at].element.tabIndex = -1;
    this.at = n;
    this.lines[n].element.tabIndex = 0;
    if (focus) this.lines[n].element.focus();
  }

  turn() {
    const { c, kids } = this.lines[this.at], open = this.open[this.k];
    if (!kids) return;
    if (!open.delete(c)) open.add(c);
    this.draw();
  }

  /** go shows the first such cell of the code, else of those below it. */
  go() {
    const d = this.pivot.dims[this.k], of = (c) => { if (this.first[c] >= 0) return this.first[c]; for (const kid of d.kids[c]) { const i = of(kid); if (i >= 0) return i; } return -1; };
    this.find(of(this.lines[this.at].c));
  }

  key(e) {
    const n = this.at, line = this.lines[n], unfolded = line && this.open[this.k].has(line.c);
    const up = () => { for (let m = n - 1; m >= 0; m--) if (this.lines[m].depth < line.depth) return m; return n; };
    if (!line) return;
    else if (e.key === "ArrowDown") this.point(Math.min(n + 1, this.lines.length - 1), true);
    else if (e.key === "ArrowUp") this.point(Math.max(n - 1, 0), true);
    else if (e.key === "Home") this.point(0, true);
    else if (e.key === "End") this.point(this.lines.length - 1, true);
    else if (e.key === "ArrowRight") { if (line.kids && !unfolded) this.turn(); else if (line.kids) this.point(n + 1, true); }
    else if (e.key === "ArrowLeft") { if (line.kids && unfolded) this.turn(); else this.point(up(), true); }
    else if (e.key === "Enter" || e.key === " ") this.go();
    else return;
    e.preventDefault();
  }
}
