package bench

import (
	"bytes"
	"fmt"
	"os"
	"runtime"
)

// machineName names what a result was measured on: the processor where /proc tells
// it, the platform, GOMAXPROCS and the version of Go.
func machineName() string {
	s := fmt.Sprintf("%s/%s, GOMAXPROCS %d, %s", runtime.GOOS, runtime.GOARCH, runtime.GOMAXPROCS(0), runtime.Version())
	info, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return s
	}
	for line := range bytes.Lines(info) {
		key, value, _ := bytes.Cut(line, []byte(":"))
		if string(bytes.TrimSpace(key)) == "model name" {
			return string(bytes.TrimSpace(value)) + ", " + s
		}
	}
	return s
}
