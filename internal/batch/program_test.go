package batch

import (
	"os"
	"testing"
)

func TestProgram(t *testing.T) {
	t.Chdir(t.TempDir())
	os.WriteFile("a", []byte("1"), 0o666)
	os.WriteFile("b", []byte("2"), 0o666)
	a, err := Program("devel", "a")
	b, err2 := Program("devel", "b")
	again, err3 := Program("devel", "a")
	if a == b || a != again || err != nil || err2 != nil || err3 != nil {
		t.Errorf("builds %q, %q, %q: %v %v %v", a, b, again, err, err2, err3)
	}
	if v, err := Program("v1.2.3", "nowhere"); v != "v1.2.3" || err != nil {
		t.Errorf("release: %q, %v", v, err)
	}
	if dirty, err := Program("v1.2.3+dirty", "a"); dirty == "v1.2.3+dirty" || err != nil {
		t.Errorf("changed tree: %q, %v", dirty, err)
	}
	if _, err := Program("devel", "nowhere"); err == nil {
		t.Error("no error without a program")
	}
}
