package outside_test

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	_ "github.com/hitoku/hitoku/internal/test/late"
	"github.com/hitoku/hitoku/internal/test/must"
)

const module = "github.com/hitoku/hitoku/"

// A floor of the house (ARCHITECTURE.md) has rooms in an order. A room is the packages below one path, or below several that belong together; a
// package belongs to the longest path that it begins with.
type floor struct {
	name  string
	rooms []string
}

// floors are those of the house, from the ground up: a package imports its own room, rooms before it on its floor, and rooms of lower floors.
var floors = []floor{
	{"numbers, programs, tables", []string{
		"internal/i18n",
		"internal/budget", "internal/work", "internal/attest internal/sets internal/parallel internal/masking internal/near internal/option internal/seed internal/unpack internal/private internal/firewall internal/document",
		"internal/records internal/ooxml internal/recordkey internal/lazy", "lp", "internal/exact", "table internal/formats", "internal/protection internal/stranger",
	}},
	{"what a publication tells", []string{"nullspace", "internal/certificate certificate", "internal/oracle", "interval", "internal/layout office", "internal/formulas", "risk", "internal/riskdoc", "internal/stargroups internal/census internal/compare internal/release internal/risksql"}},
	{"the cheapest pattern", []string{"solver"}},
	{"procedures, and the attack on them", []string{"methods", "attack", "protect", "bench"}},
	{"what people see", []string{"internal/explain", "internal/batch", "internal/page", "internal/report", "internal/arb", "internal/cli"}},
	{"programs", []string{"internal/page/site", "cmd"}},
}

// tests are the packages that only tests import, whatever their room; they may know all.
const tests = "internal/test"

// strangers are packages that know nothing of others, however far down these are: what
// begins with the first path has nothing behind it that begins with one of the others. Messages (internal/i18n) are no stranger to anybody.
var strangers = map[string][]string{
	"internal/document":    {""},
	"internal/firewall":    {""},
	"internal/page":        {"table", "lp", "internal/document", "internal/report", "internal/cli"},
	"internal/records":     {"table"},
	"lp":                   {"table", "interval", "solver"},
	"table":                {"lp", "interval", "solver", "risk"},
	"nullspace":            {"lp", "solver", "table/", "internal/formats"},
	"certificate":          {"lp", "solver", "interval", "table/", "internal/formats"},
	"internal/certificate": {"lp", "solver", "interval", "table/", "internal/formats"},
	"solver":               {"table/", "internal/formats", "protect", "attack"},
	"internal/oracle":      {"table/", "internal/formats"},
	"interval":             {"table/", "internal/formats"},
	"attack":               {"table/", "internal/formats", "protect"},
	"methods/rounding":     {"table/", "internal/formats", "protect"},
	"methods/adjust":       {"table/", "internal/formats", "protect"},
	"methods/partial":      {"table/", "internal/formats", "protect"},
	"protect/guard":        {"table/", "internal/formats"},
	"protect":              {"internal/report", "internal/document", "internal/cli"},
	"risk":                 {"lp", "solver", "interval"},
	"internal/compare":     {"lp", "solver", "interval"},
	"internal/layout":      {"lp", "solver", "interval", "protect"},
	"office":               {"lp", "solver", "interval", "protect"},
}

// A room's place: how far up its floor is, and how far along it stands there.
type place struct{ floor, room int }

// roomOf returns the place of a package, and the path of its room that it begins with.
func roomOf(name string) (at place, path string) {
	for f := range floors {
		for r, room := range floors[f].rooms {
			for p := range strings.FieldsSeq(room) {
				if within(name, p) && len(p) > len(path) {
					at, path = place{f, r}, p
				}
			}
		}
	}
	return at, path
}

func within(name, path string) bool { return name == path || strings.HasPrefix(name, path+"/") }

// TestArrows asks that there be at most six floors, that arrows between packages point down, or on a floor to a room before it, and that packages
// stay strangers that have no business with each other.
func TestArrows(t *testing.T) {
	t.Parallel()
	if len(floors) > 6 {
		t.Errorf("%d floors", len(floors))
	}
	met := map[string]bool{}
	for name, p := range packages(t) {
		if within(name, tests) || strings.Contains(name, "/formats/tabletest") || name == "lp/internal/lptest" {
			continue
		}
		own, path := roomOf(name)
		if path == "" {
			t.Errorf("%s has no room: give it one here and a line in ARCHITECTURE.md", name)
			continue
		}
		met[path] = true
		for _, to := range p.imports {
			at, _ := roomOf(to)
			switch {
			case within(to, tests):
				t.Errorf("%s imports %s, which is for tests", name, to)
			case at.floor > own.floor || at.floor == own.floor && at.room > own.room:
				t.Errorf("%s (floor %d, room %d) imports %s (floor %d, room %d)", name, own.floor, own.room, to, at.floor, at.room)
			}
		}
		for start, not := range strangers {
			if !within(name, start) {
				continue
			}
			for _, to := range p.behind {
				if slices.ContainsFunc(not, func(s string) bool { return to != "internal/i18n" && strings.HasPrefix(to, s) }) {
					t.Errorf("%s has %s behind it", name, to)
				}
			}
		}
	}
	for _, f := range floors {
		for path := range strings.FieldsSeq(strings.Join(f.rooms, " ")) {
			if !met[path] {
				t.Errorf("the room %s is empty", path)
			}
		}
	}
}

// TestRoot asks that no more than twenty folders stand at the root of the tree.
func TestRoot(t *testing.T) {
	t.Parallel()
	out, err := exec.Command("git", "-C", "../../..", "ls-tree", "-d", "--name-only", "HEAD").Output()
	if err != nil {
		t.Skip("not a checkout of git")
	}
	if n := len(strings.Fields(string(out))); n > 20 {
		t.Errorf("%d folders", n)
	}
}

// A node is what a package imports of ours, and what is behind it.
type node struct{ imports, behind []string }

func packages(t *testing.T) map[string]node {
	cmd := exec.Command("go", "list", "-f", "{{.ImportPath}}|{{join .Imports \" \"}}|{{join .Deps \" \"}}", "./...")
	cmd.Dir = "../../.."
	out := must.Get(cmd.Output())(t)
	all := map[string]node{}
	for line := range strings.Lines(string(out)) {
		part := strings.Split(strings.TrimSpace(line), "|")
		all[strings.TrimPrefix(part[0], module)] = node{ours(part[1]), ours(part[2])}
	}
	return all
}

// ours are the packages of the module among paths, without its name.
func ours(paths string) []string {
	var names []string
	for p := range strings.FieldsSeq(paths) {
		if name, ok := strings.CutPrefix(p, module); ok {
			names = append(names, name)
		}
	}
	return names
}

var update = flag.Bool("update", false, "draw the pictures of docs anew")

const plan = "../../../docs/img/plan.svg"

// TestPlan asks that the plan of the house in ARCHITECTURE.md be of the imports as they are.
func TestPlan(t *testing.T) {
	t.Parallel()
	asDrawn(t, plan, drawPlan(packages(t)))
}

// asDrawn asks that a picture be as it is drawn from what is there now, or writes it.
func asDrawn(t *testing.T, file, drawn string) {
	t.Helper()
	if *update {
		must.Do(t, os.WriteFile(file, []byte(drawn), 0o644))
		return
	}
	have := must.Get(os.ReadFile(file))(t)
	if string(have) != drawn {
		t.Errorf("%s is of something else: go test ./internal/test/outside -run %s -update", file, t.Name())
	}
}

// drawPlan draws floors as rows, rooms as boxes in their order, and an arrow from each room to those of the floor just below that it imports.
func drawPlan(all map[string]node) string {
	const width, boxH, rowH, left, gap, char = 1180, 34, 104, 20, 10, 6.6
	type box struct{ x, y, w float64 }
	at := map[string]box{}
	var s strings.Builder
	height := rowH*len(floors) + 20
	fmt.Fprintf(&s, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="12">`+"\n", width, height)
	s.WriteString(`<defs><marker id="a" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="6" markerHeight="6" orient="auto"><path d="M0 0L8 4L0 8z" fill="#7a8a99"/></marker></defs>` + "\n")
	fmt.Fprintf(&s, `<rect width="%d" height="%d" fill="#fff"/>`+"\n", width, height)
	var boxes strings.Builder
	for f := range floors {
		y := float64(height - rowH*(f+1) + 10)
		fmt.Fprintf(&boxes, `<text x="%d" y="%g" fill="#5a6672">%d  %s</text>`+"\n", left, y+10, f+1, floors[f].name)
		x := float64(left)
		for r, room := range floors[f].rooms {
			name := strings.Fields(room)
			label := name[0]
			if len(name) > 1 {
				label += fmt.Sprintf(" + %d", len(name)-1)
			}
			w := char*float64(len(label)) + 16
			at[fmt.Sprint(f, " ", r)] = box{x, y + 18, w}
			fmt.Fprintf(&boxes, `<rect x="%g" y="%g" width="%g" height="%d" rx="5" fill="#eef3f8" stroke="#48627a"/><text x="%g" y="%g" fill="#1c2b39">%s</text>`+"\n",
				x, y+18, w, boxH, x+8, y+18+21, label)
			x += w + gap
		}
	}
	drawn := map[[2]place]bool{}
	for name, p := range all {
		own, path := roomOf(name)
		if path == "" || within(name, tests) {
			continue
		}
		for _, to := range p.imports {
			if low, path := roomOf(to); path != "" && low.floor == own.floor-1 {
				drawn[[2]place{own, low}] = true
			}
		}
	}
	arrows := make([][2]place, 0, len(drawn))
	for a := range drawn {
		arrows = append(arrows, a)
	}
	slices.SortFunc(arrows, func(a, b [2]place) int {
		return slices.Compare([]int{a[0].floor, a[0].room, a[1].room}, []int{b[0].floor, b[0].room, b[1].room})
	})
	for _, a := range arrows {
		from, to := at[fmt.Sprint(a[0].floor, " ", a[0].room)], at[fmt.Sprint(a[1].floor, " ", a[1].room)]
		fmt.Fprintf(&s, `<line x1="%g" y1="%g" x2="%g" y2="%g" stroke="#7a8a99" marker-end="url(#a)"/>`+"\n", from.x+from.w/2, from.y+boxH, to.x+to.w/2, to.y)
	}
	s.WriteString(boxes.String())
	s.WriteString("</svg>\n")
	return s.String()
}
