package nats

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync/atomic"
	"testing"
	"time"
)

// A server that is given no token draws one, which clients on its machine find, and nobody else can read.
func TestOwnToken(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(t.TempDir(), "settings"))
	t.Setenv("HOME", t.TempDir())
	t.Setenv("AppData", t.TempDir())
	if found, err := FindToken("nats://127.0.0.1:4222"); found != "" || err != nil {
		t.Errorf("%q, %v before one is drawn", found, err)
	}
	token, file, err := OwnToken("4222")
	if err != nil || len(token) != 32 {
		t.Fatalf("%q, %v", token, err)
	}
	if again, _, err := OwnToken("4222"); again != token || err != nil {
		t.Errorf("a server that starts again has another token, %v", err)
	}
	if other, _, err := OwnToken("4223"); other == token || err != nil {
		t.Errorf("two servers have one token, %v", err)
	}
	for address, want := range map[string]string{"nats://127.0.0.1:4222": token, "tls://localhost": token, "nats://[::1]:4222": token, "nats://127.0.0.1:4224": "", "nats://192.0.2.1:4222": "", "nats://example.org:4222": ""} {
		if found, err := FindToken(address); found != want || err != nil {
			t.Errorf("%s: %q, %v; want %q", address, found, err, want)
		}
	}
	if runtime.GOOS == "windows" {
		return
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	os.Chmod(file, 0o644)
	if _, err := FindToken("nats://127.0.0.1:4222"); err == nil {
		t.Error("a token that everybody can read was taken")
	}
}

// Messages that a worker refuses cost it no waiting: behind 640 of them it takes the next table at once.
func TestJunkCostsNothing(t *testing.T) {
	f := connect(t, serve(t), time.Second)
	const junk = 640
	for n := range junk {
		text := "{"
		if n%2 == 1 {
			text = `{"key":"` + hash + `","input":"../../etc/passwd","output":"out/x"}`
		}
		if _, err := f.js.Publish(t.Context(), fmt.Sprintf("%s%s.%d", taskPrefix, versionName("1"), n), []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	var refused atomic.Int32
	w := &Worker{Hitoku: "none", Version: "1", Slots: 1, Log: func(string, ...any) {
		if refused.Add(1) == junk {
			stop()
		}
	}}
	began := time.Now()
	if err := f.Work(ctx, w); err != nil {
		t.Fatal(err)
	}
	if got := refused.Load(); got != junk {
		t.Errorf("%d of %d refused in %v", got, junk, time.Since(began))
	}
	t.Logf("%d messages refused in %v", junk, time.Since(began))
}
