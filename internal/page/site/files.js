// Files in memory, as much of Node's fs as a program of Go calls.

(() => {
  const O = { O_WRONLY: 1, O_RDWR: 2, O_CREAT: 64, O_EXCL: 128, O_TRUNC: 512, O_APPEND: 1024, O_DIRECTORY: 65536 };
  const root = { dir: new Map(), mode: 0o40755, time: 0 }, open = new Map();
  let next = 3, lines = "";
  const fault = (code) => Object.assign(new Error(code), { code });
  const parts = (path) => path.split("/").filter((p) => p && p !== ".");

  function find(path) {
    let at = root;
    for (const p of parts(path)) {
      if (!at.dir) throw fault("ENOTDIR");
      at = p === ".." ? root : at.dir.get(p);
      if (!at) throw fault("ENOENT");
    }
    return at;
  }
  function place(path) {
    const list = parts(path), name = list.pop();
    return [find(list.join("/")), name];
  }
  const stat = (e) => ({
    dev: 0, ino: e.ino ||= next++, mode: e.mode, nlink: 1, uid: 0, gid: 0, rdev: 0, size: e.dir ? 0 : e.size, blksize: 4096, blocks: 0, atimeMs: e.time, mtimeMs: e.time, ctimeMs: e.time,
    isDirectory: () => !!e.dir,
  });
  function room(e, size) {
    if (size <= e.data.length) return;
    const more = new Uint8Array(Math.max(size, 2 * e.data.length, 4096));
    more.set(e.data.subarray(0, e.size));
    e.data = more;
  }
  const handle = (fd) => { const f = open.get(fd); if (!f) throw fault("EBADF"); return f; };

  const calls = {
    open(path, flags, mode) {
      const [dir, name] = place(path);
      let e = name === undefined ? root : dir.dir.get(name);
      if (e && flags & O.O_CREAT && flags & O.O_EXCL) throw fault("EEXIST");
      if (!e) {
        if (!(flags & O.O_CREAT)) throw fault("ENOENT");
        dir.dir.set(name, e = { data: new Uint8Array(0), size: 0, mode: 0o100000 | mode, time: Date.now() });
      }
      if (flags & O.O_TRUNC && !e.dir) e.size = 0;
      open.set(next, { e, at: 0, append: !!(flags & O.O_APPEND) });
      return next++;
    },
    close(fd) { handle(fd); open.delete(fd); },
    read(fd, to, offset, length, position) {
      const f = handle(fd), from = position === null ? f.at : Number(position);
      const n = Math.max(0, Math.min(length, f.e.size - from));
      to.set(f.e.data.subarray(from, from + n), offset);
      if (position === null) f.at += n;
      return n;
    },
    write(fd, from, offset, length, position) {
      if (fd < 3) return fs.writeSync(fd, from.subarray(offset, offset + length));
      const f = handle(fd), to = f.append ? f.e.size : position === null ? f.at : Number(position);
      room(f.e, to + length);
      f.e.data.set(from.subarray(offset, offset + length), to);
      f.e.size = Math.max(f.e.size, to + length);
      f.e.time = Date.now();
      if (position === null) f.at = to + length;
      return length;
    },
    fstat(fd) { return stat(fd < 3 ? { mode: 0o20600, size: 0, time: 0 } : handle(fd).e); },
    stat(path) { return stat(find(path)); },
    lstat(path) { return stat(find(path)); },
    mkdir(path, mode) {
      const [dir, name] = place(path);
      if (dir.dir.has(name)) throw fault("EEXIST");
      dir.dir.set(name, { dir: new Map(), mode: 0o40000 | mode, time: Date.now() });
    },
    readdir(path) { const e = find(path); if (!e.dir) throw fault("ENOTDIR"); return [...e.dir.keys()]; },
    unlink(path) {
      const [dir, name] = place(path), e = dir.dir.get(name);
      if (!e) throw fault("ENOENT");
      if (e.dir) throw fault("EISDIR");
      dir.dir.delete(name);
    },
    rmdir(path) {
      const [dir, name] = place(path), e = dir.dir.get(name);
      if (!e) throw fault("ENOENT");
      if (!e.dir) throw fault("ENOTDIR");
      if (e.dir.size) throw fault("ENOTEMPTY");
      dir.dir.delete(name);
    },
    rename(from, to) {
      const [a, name] = place(from), [b, other] = place(to), e = a.dir.get(name);
      if (!e) throw fault("ENOENT");
      a.dir.delete(name);
      b.dir.set(other, e);
    },
    chmod(path, mode) { const e = find(path); e.mode = (e.mode & ~0o777) | (mode & 0o777); },
    fchmod(fd, mode) { const { e } = handle(fd); e.mode = (e.mode & ~0o777) | (mode & 0o777); },
    chown() {}, fchown() {}, lchown() {}, utimes() {}, fsync() {},
    truncate(path, size) { const e = find(path); room(e, size); e.size = size; },
    ftruncate(fd, size) { const { e } = handle(fd); room(e, size); e.size = size; },
    readlink() { throw fault("EINVAL"); }, link() { throw fault("ENOSYS"); }, symlink() { throw fault("ENOSYS"); },
  };

  const fs = { constants: O, writeSync(_, b) { lines += new TextDecoder().decode(b); const n = lines.lastIndexOf("\n"); if (n >= 0) { console.log(lines.slice(0, n)); lines = lines.slice(n + 1); } return b.length; } };
  for (const [name, f] of Object.entries(calls)) {
    fs[name] = (...args) => {
      const done = args.pop();
      let got;
      try { got = f(...args); } catch (e) { if (!e.code) throw e; done(e); return; }
      done(null, got);
    };
  }
  globalThis.fs = fs;
  root.dir.set("tmp", { dir: new Map(), mode: 0o41777, time: 0 });
  globalThis.path = { resolve: (...p) => "/" + parts(p.filter(Boolean).join("/")).join("/") };
  globalThis.process = { getuid: () => 1, getgid: () => 1, geteuid: () => 1, getegid: () => 1, getgroups: () => [], pid: 1, ppid: 1, umask: () => 0, cwd: () => "/", chdir() {}, hrtime: undefined };
})();
