// The engine in a worker: calls come as messages, and so do events and answers.

(() => {
  const waiting = [];
  let ready = null;
  globalThis.hitokuReady = (call, upload) => { ready = { call, upload }; for (const m of waiting.splice(0)) take(m); };

  function bytes(text) {
    if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
    const raw = atob(text), all = new Uint8Array(raw.length);
    for (let k = 0; k < raw.length; k++) all[k] = raw.charCodeAt(k);
    return all;
  }

  /** unfold puts in again what fold of repeats.go took out as it stood before. */
  function unfold(folded) {
    let at = 0, to = 0;
    const next = () => {
      let n = 0, b, unit = 1;
      do { b = folded[at++]; n += (b & 127) * unit; unit *= 128; } while (b & 128);
      return n;
    };
    const all = new Uint8Array(next()), size = next(), end = at + size;
    let fresh = end;
    while (at < end) {
      const n = next(), length = next(), back = next();
      all.set(folded.subarray(fresh, fresh + n), to);
      fresh += n;
      to += n;
      if (length <= back) all.copyWithin(to, to - back, to - back + length); else for (let k = 0; k < length; k++) all[to + k] = all[to + k - back];
      to += length;
    }
    all.set(folded.subarray(fresh), to);
    return all;
  }

  function take(m) {
    if (m.name === "upload") { ready.upload(m.file, new Uint8Array(m.content), m.language, (a) => postMessage({ n: m.n, ...a })); return; }
    ready.call(m.name, m.body, m.language, (e) => postMessage({ n: m.n, event: e }), (a) => postMessage({ n: m.n, ...a }));
  }

  onmessage = async ({ data }) => {
    if (data.engine) {
      try {
        const go = new Go();
        const folded = new Blob([bytes(data.engine)]).stream().pipeThrough(new DecompressionStream("gzip"));
        const { instance } = await WebAssembly.instantiate(unfold(new Uint8Array(await new Response(folded).arrayBuffer())), go.importObject);
        await go.run(instance); // which does not end
        throw new Error("the engine has ended");
      } catch (e) {
        postMessage({ broken: String(e) });
      }
      return;
    }
    if (ready) take(data); else waiting.push(data);
  };
})();
