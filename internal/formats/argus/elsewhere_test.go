package argus

import "testing"

// A share may be another machine's, a drive is where it is not there; other names are not.
func TestElsewhere(t *testing.T) {
	for name, want := range map[string]bool{
		"//server/share/x.hrc": true, `\\server\share\x.hrc`: true, "/tmp/x.hrc": false, "x.hrc": false, `sub\x.hrc`: false, "": false, "1:/x": false,
	} {
		if Elsewhere(name) != want {
			t.Errorf("%q: %v, want %v", name, !want, want)
		}
	}
	missing := 0
	for drive := 'a'; drive <= 'z'; drive++ {
		if Elsewhere(string(drive) + `:\x.hrc`) {
			missing++
		}
	}
	if missing == 0 {
		t.Error("a machine with 26 drives")
	}
}
