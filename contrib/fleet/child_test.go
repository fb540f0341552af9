//go:build linux

package nats

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A worker that is killed takes the program it runs along.
func TestChildDiesWithWorker(t *testing.T) {
	const parent = "HITOKU_FLEET_TEST_PARENT"
	if file := os.Getenv(parent); file != "" {
		run(exec.Command("sh", "-c", `echo $$ >"$0.part" && mv "$0.part" "$0"; exec sleep 60`, file))
		return
	}
	file := filepath.Join(t.TempDir(), "pid")
	worker := exec.Command(os.Args[0], "-test.run", "^TestChildDiesWithWorker$")
	worker.Env = append(os.Environ(), parent+"="+file)
	if err := worker.Start(); err != nil {
		t.Fatal(err)
	}
	defer worker.Process.Kill()
	within := func(what string, ok func() bool) {
		t.Helper()
		for end := time.Now().Add(2 * time.Minute); !ok(); time.Sleep(10 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatal("not within two minutes: " + what)
			}
		}
	}
	pid := 0
	within("start", func() bool {
		b, _ := os.ReadFile(file)
		pid, _ = strconv.Atoi(strings.TrimSpace(string(b)))
		return pid > 0
	})
	defer syscall.Kill(pid, syscall.SIGKILL)
	worker.Process.Kill()
	worker.Wait()
	within("end", func() bool {
		stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat") // gone, or a zombie that nobody has waited for
		return err != nil || strings.Contains(string(stat), ") Z ")
	})
}
