//go:build js

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"syscall/js"
	"time"

	"github.com/hitoku/hitoku/internal/cli/desk"
	"github.com/hitoku/hitoku/internal/page"
)

// main answers the calls of a page that has the engine with it, in a worker (internal/page/site/worker.js).
func main() {
	d, _, err := desk.New(verb)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return
	}
	call := js.FuncOf(func(_ js.Value, a []js.Value) any {
		name, body, language, event, done := a[0].String(), []byte(a[1].String()), a[2].String(), a[3], a[4]
		go answer(d, name, body, language, event, done)
		return nil
	})
	upload := js.FuncOf(func(_ js.Value, a []js.Value) any {
		content := make([]byte, a[1].Get("length").Int())
		js.CopyBytesToGo(content, a[1])
		name, language, done := a[0].String(), a[2].String(), a[3]
		go func() { // an event may not wait for files
			id, err := d.Upload(name, bytes.NewReader(content))
			if err != nil {
				done.Invoke(map[string]any{"error": page.Told(language, err)})
				return
			}
			done.Invoke(map[string]any{"answer": id})
		}()
		return nil
	})
	js.Global().Call("hitokuReady", call, upload)
	select {}
}

func answer(d page.Engine, name string, body []byte, language string, event, done js.Value) {
	a, err := d.Call(page.Speaking(context.Background(), language), name, body, func(e any) {
		if text, err := json.Marshal(e); err == nil {
			event.Invoke(string(text))
		}
		time.Sleep(time.Millisecond) // lets the worker take what the page has sent, like stop
	})
	f, isFile := a.(*page.File)
	switch {
	case err != nil:
		done.Invoke(map[string]any{"error": page.Told(language, err), "field": page.FieldOf(err)})
	case isFile:
		content := js.Global().Get("Uint8Array").New(len(f.Content))
		js.CopyBytesToJS(content, f.Content)
		done.Invoke(map[string]any{"name": f.Name, "type": f.Type, "content": content})
	default:
		text, err := json.Marshal(a)
		if err != nil {
			done.Invoke(map[string]any{"error": page.Told(language, err)})
			return
		}
		done.Invoke(map[string]any{"answer": string(text)})
	}
}
