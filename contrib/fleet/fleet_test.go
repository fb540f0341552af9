package nats

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hitoku/hitoku/internal/batch"
	"github.com/hitoku/hitoku/internal/test/filetest"
)

// programs builds hitoku and hitoku-fleet once.
func programs(t *testing.T) (hitoku, fleet string) {
	t.Helper()
	dir := t.TempDir()
	for pkg, module := range map[string]string{"./cmd/hitoku": "../..", "./cmd/hitoku-fleet": "."} {
		build := exec.Command("go", "build", "-o", dir+string(filepath.Separator), pkg)
		build.Dir = module
		build.Env = append(os.Environ(), "CGO_ENABLED=0")
		if out, err := build.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	return filepath.Join(dir, "hitoku"), filepath.Join(dir, "hitoku-fleet")
}

// serve starts a server that asks for the token "secret".
func serve(t *testing.T) (url string) {
	t.Helper()
	s, err := Serve(ServerConfig{Listen: "127.0.0.1:0", Dir: t.TempDir(), Token: "secret"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		s.Shutdown()
		s.WaitForShutdown()
	})
	return s.ClientURL()
}

func connect(t *testing.T, url string, wait time.Duration) *Fleet {
	t.Helper()
	f, err := Connect(t.Context(), url, t.Name(), &Access{Token: "secret"}, wait)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(f.Close)
	return f
}

const job = `
inputs = ["tables/*.csv", "tables/*.gz"]
output = "out"
[options]
canonical = true
hierarchy = ["A=tree.csv"]
[[override]]
match = "tables/flat*"
options = { hierarchy = false }
`

// folder makes a job of about n tables, two of which cannot be done.
func folder(t *testing.T, hitoku string, n int) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "tables"), 0o777); err != nil {
		t.Fatal(err)
	}
	for k, args := range [][]string{
		{"--shape", "8x8", "-o", "tables/flat.csv"},
		{"--shape", "6x6", "-o", "tables/flat.jj.gz"},
	} {
		cmd := exec.Command(hitoku, append([]string{"generate", "--family", "fs", "--count", fmt.Sprint(n / (k + 1) / 2), "--seed", "1"}, args...)...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	for name, text := range map[string]string{
		"job.toml":          job,
		"tree.csv":          "code,parent\nt,\na,t\nb,t\n",
		"tables/tree.csv":   "A,B,value,status\na,x,5,u\na,y,7,s\nb,x,6,s\nb,y,9,s\n",
		"tables/flat-x.csv": "A,B,value,status\na,x,5,u\n",
		"tables/flat-y.csv": "A,B,value\na,x,many\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestFleetWithKilledWorker(t *testing.T) {
	hitoku, fleet := programs(t)
	dir := folder(t, hitoku, 60)

	// What one machine makes of the job.
	local := exec.Command(hitoku, "batch", "job.toml")
	local.Dir = dir
	if out, err := local.CombinedOutput(); exitCode(err) != 2 {
		t.Fatalf("batch: %v\n%s", err, out)
	}
	want := filetest.Results(t, filepath.Join(dir, "out"), filepath.Join(dir, "out.office"))
	if len(want) < 40 {
		t.Fatalf("only %d results", len(want))
	}
	for _, name := range []string{"out", "out.office"} {
		if err := os.RemoveAll(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}

	url := serve(t)
	command := func(args ...string) *exec.Cmd {
		cmd := exec.Command(fleet, append(args, "--server", url, "--alive", "500ms")...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), TokenEnv+"=secret")
		cmd.Stderr = os.Stderr
		return cmd
	}
	submit := command("submit", "-q", "--window", "20", "job.toml")
	if err := submit.Start(); err != nil {
		t.Fatal(err)
	}
	var workers []*exec.Cmd
	for range 3 {
		w := command("work", "--slots", "1")
		if err := w.Start(); err != nil {
			t.Fatal(err)
		}
		workers = append(workers, w)
	}
	defer func() {
		for _, w := range workers[1:] {
			w.Process.Kill()
			w.Wait()
		}
	}()
	f := connect(t, url, 500*time.Millisecond)
	deadline := time.Now().Add(2 * time.Minute)
	for {
		s, err := f.Status(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if s.Results >= 10 {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("status %+v", s)
		}
		time.Sleep(20 * time.Millisecond)
	}
	workers[0].Process.Kill()
	workers[0].Wait()
	if err := submit.Wait(); exitCode(err) != 2 {
		t.Fatalf("submit: %v, wanted exit code 2", err)
	}
	got := filetest.Results(t, filepath.Join(dir, "out"), filepath.Join(dir, "out.office"))
	filetest.Same(t, "a fleet", got, want)
	s, err := f.Status(t.Context())
	if err != nil || s.Queued != 0 || len(s.Dead) != 0 {
		t.Errorf("status at the end %+v, %v", s, err)
	}

	// The same job again is done from the journal; without the journal, from what is stored.
	for range 2 {
		again := command("submit", "-q", "job.toml")
		if err := again.Run(); exitCode(err) != 2 {
			t.Fatalf("again: %v", err)
		}
		if after, err := f.Status(t.Context()); err != nil || after.Results != s.Results {
			t.Errorf("again: %+v, %v", after, err)
		}
		if err := os.Remove(filepath.Join(dir, "out.office", "journal.jsonl")); err != nil {
			t.Fatal(err)
		}
	}

	// A flag that no table could make right is an error before anything is done.
	text := strings.Replace(job, `output = "out"`, `output = "never"`, 1) + "[[override]]\nmatch = \"tables/tree.csv\"\noptions = { hierachy = \"A=tree.csv\" }\n"
	if err := os.WriteFile(filepath.Join(dir, "bad.toml"), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	bad := command("submit", "-q", "bad.toml")
	var words bytes.Buffer
	bad.Stderr = &words
	if err := bad.Run(); exitCode(err) != 2 || !strings.Contains(words.String(), "bad.toml: options of tables/tree.csv: suppress: unknown flag: --hierachy") {
		t.Errorf("flag with an error: %v\n%s", err, words.String())
	}
	if _, err := os.Stat(filepath.Join(dir, "never")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a folder of results: %v", err)
	}
}

func exitCode(err error) int {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.ExitCode()
	}
	return 0
}

// runWorker starts a worker that does all tasks by a script and ends with the context it
// returns; done gives its error.
func runWorker(t *testing.T, script string, slots int) (f *Fleet, ctx context.Context, stop func(), done chan error) {
	t.Helper()
	if err := os.WriteFile("hitoku.sh", []byte(script), 0o777); err != nil {
		t.Fatal(err)
	}
	program, err := filepath.Abs("hitoku.sh")
	if err != nil {
		t.Fatal(err)
	}
	f = connect(t, serve(t), 200*time.Millisecond)
	ctx, stop = context.WithCancel(t.Context())
	done = make(chan error)
	go func() { done <- f.Work(ctx, &Worker{Hitoku: program, Version: "1", Slots: slots, Log: t.Logf}) }()
	return f, ctx, stop, done
}

// A table on which the program dies is given up, others are not.
func TestDeadLetter(t *testing.T) {
	t.Chdir(t.TempDir())
	script := "#!/bin/sh\ncase $(cat) in *in/bad*) kill -9 $$;; esac\necho '{\"exit\":0,\"report\":{\"status\":\"optimal\"}}'\n"
	for name, text := range map[string]string{"in/bad": "x", "in/good": "x"} {
		os.MkdirAll(filepath.Dir(name), 0o777)
		if err := os.WriteFile(name, []byte(text), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	f, ctx, stop, done := runWorker(t, script, 2)
	tasks, err := (&batch.Job{Inputs: []string{"in/*"}, Output: "out", Options: map[string][]string{}}).Plan(batch.Shard{})
	if err != nil {
		t.Fatal(err)
	}
	s, err := f.Submitter(ctx, "1", false)
	if err != nil {
		t.Fatal(err)
	}
	for k, task := range tasks {
		task.Key = fmt.Sprintf("%064x", k)
		r := s.Do(ctx, 0, task)
		want, report := batch.Result{}, true
		if task.Input == filepath.Join("in", "bad") {
			report = false
			want = batch.Result{Exit: 3, Why: "given up: 4 workers ended while they did it"}
		}
		if r.Exit != want.Exit || r.Why != want.Why || (r.Report != nil && r.Report.Status == "optimal") != report {
			t.Errorf("%s: %+v, wanted %+v", task.Input, r, want)
		}
	}
	status, err := f.Status(ctx)
	if err != nil || len(status.Dead) != 1 || status.Dead[0].Key != fmt.Sprintf("%064x", 0) || status.Results != 2 || status.Queued != 0 {
		t.Errorf("status %+v, %v", status, err)
	}
	s.Close()
	stop()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// Work for another version of the program waits for a worker that has it.
func TestVersions(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("x", nil, 0o666); err != nil {
		t.Fatal(err)
	}
	f := connect(t, serve(t), 200*time.Millisecond)
	work, stopWork := context.WithCancel(t.Context())
	defer stopWork()
	go f.Work(work, &Worker{Hitoku: "/bin/false", Version: "1", Slots: 1, Log: t.Logf})
	s, err := f.Submitter(t.Context(), "2", false)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	ctx, stop := context.WithTimeout(t.Context(), time.Second)
	defer stop()
	r := s.Do(ctx, 0, &batch.Task{Key: hash, Input: "x", Output: "out/x"})
	if r.Exit != 2 || r.Why != context.DeadlineExceeded.Error() {
		t.Errorf("result %+v, wanted none", r)
	}
}

func TestPathsStayInside(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("../outside", nil, 0o666); err != nil {
		t.Fatal(err)
	}
	f := connect(t, serve(t), time.Second)
	s, err := f.Submitter(t.Context(), "1", false)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	r := s.Do(t.Context(), 0, &batch.Task{Key: hash, Input: filepath.FromSlash("../outside"), Output: "out/x"})
	if want := filepath.FromSlash("../outside") + ": a fleet needs inputs below the job's folder"; r.Exit != 2 || r.Why != want {
		t.Errorf("%+v, wanted %s", r, want)
	}
}

func TestStrangersStayOut(t *testing.T) {
	url := serve(t)
	for _, token := range []string{"", "wrong"} {
		if _, err := Connect(t.Context(), url, "stranger", &Access{Token: token}, time.Second); err == nil || !strings.Contains(err.Error(), "Authorization Violation") {
			t.Errorf("token %q: %v, wanted a refusal", token, err)
		}
	}
	for _, listen := range []string{"0.0.0.0:0", ":0", "[::]:0", "192.0.2.1:0", "example.org:0"} {
		if _, err := Serve(ServerConfig{Listen: listen, Dir: t.TempDir(), Token: "secret"}); !errors.Is(err, ErrOpen) {
			t.Errorf("%s: %v, wanted %v", listen, err, ErrOpen)
		}
	}
	for _, listen := range []string{"127.0.0.1:0", "localhost:0", "[::1]:0"} {
		if _, err := Serve(ServerConfig{Listen: listen, Dir: t.TempDir()}); !errors.Is(err, ErrNoToken) {
			t.Errorf("%s: %v, wanted %v", listen, err, ErrNoToken)
		}
	}
}

// With --tls-ca a client needs a certificate, and a server one that the client knows.
func TestCertificates(t *testing.T) {
	dir := t.TempDir()
	ca, caKey := certificate(t, dir, "ca", nil, nil)
	certificate(t, dir, "server", ca, caKey)
	certificate(t, dir, "client", ca, caKey)
	other, otherKey := certificate(t, dir, "other", nil, nil)
	certificate(t, dir, "stranger", other, otherKey)
	at := func(name string) string { return filepath.Join(dir, name) }
	s, err := Serve(ServerConfig{Listen: "127.0.0.1:0", Dir: t.TempDir(), Token: "secret", Cert: at("server.pem"), Key: at("server.key"), CA: at("ca.pem")})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Shutdown()
	f, err := Connect(t.Context(), s.ClientURL(), "client", &Access{Token: "secret", CA: at("ca.pem"), Cert: at("client.pem"), Key: at("client.key")}, time.Second)
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
	for name, a := range map[string]Access{
		"no token":            {CA: at("ca.pem"), Cert: at("client.pem"), Key: at("client.key")},
		"no certificate":      {Token: "secret", CA: at("ca.pem")},
		"foreign certificate": {Token: "secret", CA: at("ca.pem"), Cert: at("stranger.pem"), Key: at("stranger.key")},
		"foreign server":      {Token: "secret", CA: at("other.pem"), Cert: at("client.pem"), Key: at("client.key")},
	} {
		if f, err := Connect(t.Context(), s.ClientURL(), "stranger", &a, time.Second); err == nil {
			f.Close()
			t.Errorf("%s: let in", name)
		}
	}
}

// certificate writes name.pem and name.key, signed by ca or by itself.
func certificate(t *testing.T, dir, name string, ca *x509.Certificate, caKey *ecdsa.PrivateKey) (*x509.Certificate, *ecdsa.PrivateKey) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	c := &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: pkix.Name{CommonName: name},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign, BasicConstraintsValid: true, IsCA: ca == nil,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
	}
	if ca == nil {
		ca, caKey = c, key
	}
	der, err := x509.CreateCertificate(rand.Reader, c, ca, &key.PublicKey, caKey)
	if err != nil {
		t.Fatal(err)
	}
	if c, err = x509.ParseCertificate(der); err != nil {
		t.Fatal(err)
	}
	raw, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	for file, block := range map[string]*pem.Block{name + ".pem": {Type: "CERTIFICATE", Bytes: der}, name + ".key": {Type: "PRIVATE KEY", Bytes: raw}} {
		if err := os.WriteFile(filepath.Join(dir, file), pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return c, key
}
