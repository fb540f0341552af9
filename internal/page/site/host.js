// The page's side of the worker: what api.js takes for its engine.

globalThis.hitokuEngine = (() => {
  const data = globalThis.hitokuData, url = URL.createObjectURL(new Blob([data.worker], { type: "text/javascript" }));
  const worker = new Worker(url), calls = new Map();
  let last = 0;

  let broken = null;
  const fail = (e) => { broken ||= e; for (const c of calls.values()) c.fail(broken); };
  let came = 0;

  // The engine is unpacked here, as parts of it are read, while the worker compiles what came before.
  const packed = new TransformStream({}, { highWaterMark: Infinity }), parts = packed.writable.getWriter();
  packed.readable.pipeThrough(new DecompressionStream("gzip"))
    .pipeTo(new WritableStream({ write: (engine) => worker.postMessage({ engine }, [engine.buffer]), close: () => worker.postMessage({ engine: null }) }))
    .catch(fail);

  /** load asks for the parts of the engine, once there is a worker to take them: reading them would keep it from its start. */
  function load() {
    data.parts.forEach((name, k) => {
      const part = document.createElement("script");
      part.async = false;
      part.src = name;
      part.onerror = () => fail(new Error(name + " was not found"));
      part.onload = () => { if (came <= k) fail(new Error(name + " is not whole")); };
      document.head.append(part);
    });
  }

  function bytes(text) {
    if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
    const raw = atob(text), all = new Uint8Array(raw.length);
    for (let k = 0; k < raw.length; k++) all[k] = raw.charCodeAt(k);
    return all;
  }

  worker.onerror = (e) => fail(new Error(e.message));
  worker.onmessage = ({ data: m }) => {
    if (m.broken) fail(new Error(m.broken));
    if (m.started) load();
    const c = calls.get(m.n);
    if (!c) return;
    if (m.event !== undefined) { c.event?.(c.read(m.event)); return; }
    calls.delete(m.n);
    if (m.error) c.fail(Object.assign(new Error(m.error), { field: m.field })); else c.done(m);
  };
  const ask = (message, event, read, transfer) => new Promise((done, refuse) => {
    if (broken) { refuse(broken); return; }
    calls.set(++last, { done, fail: refuse, event, read });
    worker.postMessage({ n: last, ...message }, transfer || []);
  });

  return {
    icon: data.icon,
    part: (text) => { parts.write(bytes(text)).catch(fail); if (++came === data.parts.length) parts.close().catch(fail); },
    call: async (name, body, event, read, language) => read((await ask({ name, language, body: JSON.stringify(body) }, event, read)).answer),
    file: async (body, language) => { const f = await ask({ name: "out", language, body: JSON.stringify(body) }); return { name: f.name, blob: new Blob([f.content], { type: f.type }) }; },
    upload: async (f, language) => { const content = await f.arrayBuffer(); return (await ask({ name: "upload", language, file: f.name, content }, null, null, [content])).answer; },
  };
})();
