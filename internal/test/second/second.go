// Package second asks the checker in contrib/python, which shares no code with package certificate, about certificates that tests have
// verified, and about those that they have changed: both checkers have to say the same.
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

// A question is one certificate and what package certificate says of it.
type question struct {
	problem, file []byte
	err           error
}

var (
	mu    sync.Mutex
	asked = map[testing.TB][]question{}
	seen  = map[testing.TB]int{}
)

// Verify is Verify of package certificate, of which t fails if the other checker does not agree.
func Verify(t testing.TB, file []byte, tab *table.Table) (*certificate.Report, error) {
	t.Helper()
	rep, err := certificate.Verify(t.Context(), bytes.NewReader(file), tab)
	Compare(t, tab, file, err)
	return rep, err
}

// Compare asks for a second opinion of a certificate about tab, the first being err. The question is put when t ends, with others of
// t at once. Of many questions of one test a few are put, all where HITOKU_HEAVY is set.
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

// driver answers each certificate of its input with one line. A line that says what follows and how many bytes it has comes before each
// problem and each certificate, which is about the problem before it.
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

// ask puts the questions of t to one run of the checker.
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

// put writes what follows a line for the driver.
func put(in *bytes.Buffer, what string, text []byte) {
	fmt.Fprintf(in, "%s %d\n%s", what, len(text), text)
}

// answers are those of the checker to n certificates, or none where it fails, and t with it.
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

// tooLarge says that a certificate was refused only because its numbers need more room than package certificate has.
func tooLarge(err error) bool {
	for _, what := range []string{"numbers too large", "multipliers in all duals", "coefficients in all rows", "longer than ", "beyond 64 bits", "json: cannot unmarshal number"} {
		if strings.Contains(err.Error(), what) {
			return true
		}
	}
	return false
}
