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

  function take(m) {
    if (m.name === "upload") { ready.upload(m.file, new Uint8Array(m.content), m.language, (a) => postMessage({ n: m.n, ...a })); return; }
    ready.call(m.name, m.body, m.language, (e) => postMessage({ n: m.n, event: e }), (a) => postMessage({ n: m.n, ...a }));
  }

  onmessage = async ({ data }) => {
    if (data.engine) {
      try {
        const go = new Go();
        // It is compiled while it is unpacked.
        const engine = new Blob([bytes(data.engine)]).stream().pipeThrough(new DecompressionStream("gzip"));
        const { instance } = await WebAssembly.instantiateStreaming(new Response(engine, { headers: { "Content-Type": "application/wasm" } }), go.importObject);
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
