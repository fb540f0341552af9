// A table of any dimensions seen as rows and columns, the others cut at one code.

/** Pivot knows which cell stands where. */
export class Pivot {
  constructor(table) {
    this.table = table;
    this.dims = table.dimensions.map((d, k) => axis(d, k));
    if (!this.dims.length) this.dims = [plain(table)];
    this.coord = table.dimensions.length ? table.coord : [Int32Array.from({ length: table.cells }, (_, i) => i)];
    this.folded = this.dims.map(() => new Set());
    const wide = this.dims.map((d) => d.codes.length);
    // The two dimensions with most codes are seen, as the file has them unless the second is much longer.
    const two = wide.map((_, k) => k).sort((a, b) => wide[b] - wide[a] || a - b).slice(0, 2).sort((a, b) => a - b);
    if (two.length > 1 && wide[two[1]] > 60 && wide[two[1]] > wide[two[0]]) two.reverse();
    [this.down, this.across] = [two[0], two.length > 1 ? two[1] : -1];
    this.at = this.dims.map((d) => d.start);
    this.index();
  }

  /** index finds cells by their codes. */
  index() {
    let size = 1;
    this.stride = this.dims.map((d) => { const s = size; size *= d.codes.length; return s; });
    this.cells = size <= 8e6 ? new Int32Array(size).fill(-1) : new Map();
    for (let i = 0; i < this.table.cells; i++) {
      let key = 0;
      for (let k = 0; k < this.dims.length; k++) key += this.stride[k] * this.coord[k][i];
      if (this.cells instanceof Map) this.cells.set(key, i);
      else this.cells[key] = i;
    }
  }

  /** cell is the cell at two codes of the rows and columns, −1 where there is none. */
  cell(row, column) {
    let key = 0;
    for (let k = 0; k < this.dims.length; k++) {
      const c = k === this.down ? row : k === this.across ? column : this.at[k];
      key += this.stride[k] * c;
    }
    if (this.cells instanceof Map) return this.cells.get(key) ?? -1;
    return this.cells[key];
  }

  /** lines are the codes of a dimension that are not folded away, in the order of people. */
  lines(k) {
    if (k < 0) return [{ code: -1, depth: 0, kids: 0, text: this.table.responses ? "" : "" }];
    const d = this.dims[k], out = [], folded = this.folded[k];
    const walk = (c, depth) => {
      out.push({ code: c, depth, kids: d.kids[c].length, text: d.codes[c], label: d.labels[c], folded: folded.has(c) });
      if (!folded.has(c)) for (const kid of d.kids[c]) walk(kid, depth + 1);
    };
    if (d.flat) {
      for (const kid of d.kids[d.root]) walk(kid, 0);
      if (!d.noTotal) out.push({ code: d.root, depth: 0, kids: 0, text: d.codes[d.root], label: d.labels[d.root], total: true });
    } else if (d.noTotal) for (const kid of d.kids[d.root]) walk(kid, 0);
    else walk(d.root, 0);
    return out;
  }

  /** show turns to the slice of a cell and unfolds what hides it. */
  show(i) {
    this.dims.forEach((d, k) => {
      const c = this.coord[k][i];
      if (k !== this.down && k !== this.across) this.at[k] = c;
      for (let p = d.parent[c]; p >= 0; p = d.parent[p]) this.folded[k].delete(p);
    });
  }

  /** name is how people call a cell. */
  name(i) {
    return this.dims.map((d, k) => { const c = this.coord[k][i]; return d.labels[c] || d.codes[c]; }).join(" / ");
  }

  codes(i) { return this.dims.map((d, k) => d.codes[this.coord[k][i]]); }

  /** path is the name of a cell in policies. */
  path(i) { return this.table.dimensions.length ? JSON.stringify(this.codes(i)) : String(i); }

  fold(k, deep) {
    const d = this.dims[k];
    this.folded[k] = new Set();
    if (deep) d.codes.forEach((_, c) => { if (d.kids[c].length && c !== d.root) this.folded[k].add(c); });
  }
}

function axis(d, k) {
  const kids = d.codes.map(() => []);
  let root = 0;
  d.parent.forEach((p, c) => { if (p >= 0) kids[p].push(c); else root = c; });
  return {
    name: d.name, codes: d.codes, parent: d.parent, labels: d.labels || [], kids, root, noTotal: d.no_total,
    flat: kids.every((l, c) => c === root || !l.length), start: d.no_total ? kids[root][0] : root, k,
  };
}

/** plain is the list of the cells of a table that has no dimensions. */
function plain(table) {
  const n = table.cells;
  return {
    name: "#", codes: Array.from({ length: n }, (_, i) => String(i)), parent: new Int32Array(n).fill(-1), labels: [],
    kids: Array.from({ length: n + 1 }, (_, i) => (i === n ? Array.from({ length: n }, (_, j) => j) : [])), root: n, noTotal: true, flat: true, start: 0, k: 0,
  };
}
