// Package second asks the checker in contrib/python, which shares no code with package certificate, about
// certificates that tests have verified or altered: both checkers must say the same.
package second

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/hitoku/hitoku/internal/certificate"
	"github.com/hitoku/hitoku/internal/test/heavy"
	"github.com/hitoku/hitoku/internal/test/shared"
	"github.com/hitoku/hitoku/table"
)

// A question is a certificate and what package certificate says about it.
type question struct {
	problem, file []byte
	err           error
}

var (
	mu    sync.Mutex
	asked = map[testing.TB][]question{}
	seen  = map[testing.TB]int{}
)

// Verify is Verify of package certificate; it makes t fail if the other checker disagrees.
func Verify(t testing.TB, file []byte, tab *table.Table) (*certificate.Report, error) {
	t.Helper()
	rep, err := certificate.Verify(t.Context(), bytes.NewReader(file), tab)
	Compare(t, tab, file, err)
	return rep, err
}

// Compare asks the other checker about a certificate for tab, where err is the result of package certificate.
// The question is asked when t ends, together with others of t. Of many questions of one test only some are
// asked, all if HITOKU_HEAVY is set.
func Compare(t testing.TB, tab *table.Table, file []byte, err error) {
	t.Helper()
	mu.Lock()
	n, first := seen[t], seen[t] == 0
	seen[t]++
	mu.Unlock()
	if first {
		t.Cleanup(func() {
			ask(t)
			mu.Lock()
			delete(seen, t)
			mu.Unlock()
		})
	}
	if !heavy.On() && n >= 5 && n%100 != 0 {
		return
	}
	var problem bytes.Buffer
	if err := certificate.WriteProblem(&problem, tab); err != nil {
		t.Fatal(err)
	}
	mu.Lock()
	asked[t] = append(asked[t], question{problem.Bytes(), bytes.Clone(file), err})
	many := len(asked[t]) >= 2000
	mu.Unlock()
	if many {
		ask(t)
	}
}

// driver answers each certificate of its input with one line. Each problem and each certificate is preceded by
// a line that says which of the two follows and how many bytes it has; a certificate is about the last problem
// before it.
const driver = `
import io, sys, verify_hitoku
for head in iter(sys.stdin.buffer.readline, b""):
    kind, length = head.split()
    body = sys.stdin.buffer.read(int(length))
    if kind == b"problem":
        problem = body
        continue
    try:
        print("confirmed:", repr(verify_hitoku.verify(problem, io.BytesIO(body))))
    except verify_hitoku.Refused as refused:
        print("refused:", repr(refused))
`

// ask asks the questions of t in one run of the checker.
func ask(t testing.TB) {
	mu.Lock()
	questions := asked[t]
	delete(asked, t)
	mu.Unlock()
	if len(questions) == 0 {
		return
	}
	var in bytes.Buffer
	for s, q := range questions {
		if s == 0 || !bytes.Equal(q.problem, questions[s-1].problem) {
			put(&in, "problem", q.problem)
		}
		put(&in, "certificate", q.file)
	}
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Log("no second opinion: there is no python3")
		return
	}
	answers := answers(t, python, &in, len(questions))
	if answers == nil {
		return
	}
	confirmed := 0
	for s, q := range questions {
		if q.err == nil {
			confirmed++
		}
		if yes := strings.HasPrefix(answers[s], "confirmed"); yes != (q.err == nil) && !(yes && tooLarge(q.err)) {
			t.Errorf("package certificate says %v, the checker in Python %s\n%s\n%s", q.err, answers[s], q.problem, q.file[:min(len(q.file), 20000)])
			return
		}
	}
	t.Logf("the checker in Python says the same of %d certificates, %d of them confirmed", len(questions), confirmed)
}

// put writes a text for the driver, preceded by the line that announces it.
func put(in *bytes.Buffer, what string, text []byte) {
	fmt.Fprintf(in, "%s %d\n%s", what, len(text), text)
}

// answers returns the checker's answers to n certificates, or none if the checker fails, which makes t fail.
func answers(t testing.TB, python string, in *bytes.Buffer, n int) []string {
	var said, failed bytes.Buffer
	cmd := exec.Command(python, "-c", driver)
	cmd.Env = append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1", "PYTHONPATH="+filepath.Join(shared.Root(t), "contrib", "python"))
	cmd.Stdin, cmd.Stdout, cmd.Stderr = in, &said, &failed
	if err := cmd.Run(); err != nil {
		t.Errorf("the checker in Python: %v\n%s", err, failed.Bytes())
		return nil
	}
	lines := strings.Split(strings.TrimSuffix(said.String(), "\n"), "\n")
	if len(lines) != n {
		t.Errorf("%d answers to %d certificates", len(lines), n)
		return nil
	}
	return lines
}

// tooLarge reports whether a certificate was refused only because its numbers are too large for package
// certificate.
func tooLarge(err error) bool {
	for _, what := range []string{"numbers too large", "multipliers in all duals", "coefficients in all rows", "longer than ", "beyond 64 bits", "json: cannot unmarshal number"} {
		if strings.Contains(err.Error(), what) {
			return true
		}
	}
	return false
}
