// The engine in a worker: calls come as messages, and so do events and answers.

(() => {
  const waiting = [];
  let ready = null;
  globalThis.hitokuReady = (call, upload) => { ready = { call, upload }; for (const m of waiting.splice(0)) take(m); };

  /** unfold puts in again what fold of repeats.go took out as it stood before, and passes on what it has as it comes. */
  function unfold() {
    const short = 64; // bytes that a loop copies sooner than a call does
    let all = null, folded, came = 0, at = 0, end, fresh, to = 0;
    const next = () => {
      let n = 0, b, unit = 1;
      do { b = folded[at++]; n += (b & 127) * unit; unit *= 128; } while (b & 128);
      return n;
    };
    return new TransformStream({
      transform(piece, out) {
        if (!all) {
          folded = piece; // which has the head
          all = new Uint8Array(next());
          end = fresh = next() + at;
          folded = new Uint8Array(all.length + at); // more than there is, as a step is shorter than what it puts in
        }
        folded.set(piece, came);
        came += piece.length;
        const from = to;
        while (came >= end && at < end) {
          const step = at, n = next(), length = next(), back = next();
          if (fresh + n > came) { at = step; break; }
          if (n > short) { all.set(folded.subarray(fresh, fresh + n), to); fresh += n; to += n; } else for (const stop = to + n; to < stop;) all[to++] = folded[fresh++];
          if (length > short && length <= back) { all.copyWithin(to, to - back, to - back + length); to += length; } else for (const stop = to + length; to < stop; to++) all[to] = all[to - back];
        }
        if (to > from) out.enqueue(all.slice(from, to));
      },
      flush(out) { out.enqueue(folded.slice(fresh, came)); },
    });
  }

  const engine = unfold(), pieces = engine.writable.getWriter();

  async function run() {
    const go = new Go();
    const { instance } = await WebAssembly.instantiateStreaming(new Response(engine.readable, { headers: { "Content-Type": "application/wasm" } }), go.importObject);
    await go.run(instance); // which does not end
    throw new Error("the engine has ended");
  }
  run().catch((e) => postMessage({ broken: String(e) }));

  function take(m) {
    if (m.name === "upload") { ready.upload(m.file, new Uint8Array(m.content), m.language, (a) => postMessage({ n: m.n, ...a })); return; }
    ready.call(m.name, m.body, m.language, (e) => postMessage({ n: m.n, event: e }), (a) => postMessage({ n: m.n, ...a }));
  }

  onmessage = ({ data }) => {
    if (data.engine) pieces.write(data.engine); else if (data.engine === null) pieces.close(); else if (ready) take(data); else waiting.push(data);
  };
  postMessage({ started: true });
})();
