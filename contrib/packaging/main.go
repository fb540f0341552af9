// Command packaging makes a release of hitoku from a commit of its repository: archives for three systems and
// two processors, packages for Debian and Red Hat, a container file, manifests for Homebrew and Scoop, licence
// notices, a list of components (CycloneDX), provenance (SLSA) and checksums.
//
// The same commit, version and Go toolchain give the same bytes: times are that of the commit, paths are left
// out, and everything is in a fixed order. If the modules are in the cache, no network is needed.
//
//	make release VERSION=v0.2.0
//
// runs it.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// A release is a release with the settings for making it.
type release struct {
	version string // such as v0.2.0
	url     string // URL of the folder in which the files will be
	repo    string // clone of the repository at that commit
	out     string
	key     string // file of the private key for signing; "": nothing is signed
	commit  string
	date    time.Time // time of the commit
	targets []target
}

// A target is an operating system and a processor, by Go's names.
type target struct{ os, arch string }

func (t target) exe() string {
	if t.os == "windows" {
		return "hitoku.exe"
	}
	return "hitoku"
}

// number returns the version without its v, as packages have it.
func (r *release) number() string { return strings.TrimPrefix(r.version, "v") }

// semantic matches versions of releases.
var semantic = regexp.MustCompile(`^v(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9A-Za-z.-]+)?$`)

func main() {
	version := flag.String("version", "", "version, like v0.2.0")
	source := flag.String("source", "../..", "repository, whose HEAD is released")
	out := flag.String("o", "../../release", "folder of the results, which is made anew")
	url := flag.String("url", "https://github.com/hitoku/hitoku/releases/download", "where releases will be downloaded from")
	only := flag.String("only", "", "only these targets, like linux/amd64,windows/amd64")
	key := flag.String("key", "", "sign the provenance with the private key of Ed25519 in this PEM file")
	flag.Parse()
	if err := run(*version, *source, *out, *url, *only, *key); err != nil {
		fmt.Fprintln(os.Stderr, "packaging:", err)
		os.Exit(1)
	}
}

func run(version, source, out, url, only, key string) error {
	if !semantic.MatchString(version) {
		return fmt.Errorf("-version %q: want one like v0.2.0", version)
	}
	work, err := os.MkdirTemp("", "hitoku-release")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	r := &release{version: version, url: url + "/" + version, repo: filepath.Join(work, "hitoku"), key: key}
	if r.out, err = filepath.Abs(out); err != nil {
		return err
	}
	for _, t := range []target{{"linux", "amd64"}, {"linux", "arm64"}, {"darwin", "amd64"}, {"darwin", "arm64"}, {"windows", "amd64"}, {"windows", "arm64"}} {
		if only == "" || strings.Contains(","+only+",", ","+t.os+"/"+t.arch+",") {
			r.targets = append(r.targets, t)
		}
	}
	if err := r.clone(source); err != nil {
		return err
	}
	if err := os.RemoveAll(r.out); err != nil {
		return err
	}
	if err := os.MkdirAll(r.out, 0o777); err != nil {
		return err
	}
	return r.make(work)
}

// clone checks out the commit into a folder of its own, so that uncommitted changes are not released, and the
// program knows its commit.
func (r *release) clone(source string) error {
	if _, err := command("", nil, "git", "clone", "-q", "--no-hardlinks", source, r.repo); err != nil {
		return err
	}
	commit, err := command(r.repo, nil, "git", "log", "-1", "--format=%H %ct")
	if err != nil {
		return err
	}
	hash, seconds, _ := strings.Cut(strings.TrimSpace(commit), " ")
	if s := os.Getenv("SOURCE_DATE_EPOCH"); s != "" {
		seconds = s
	}
	n, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil {
		return fmt.Errorf("time of the commit: %w", err)
	}
	r.commit, r.date = hash, time.Unix(n, 0).UTC()
	return nil
}

// make makes all files, beginning with the programs.
func (r *release) make(work string) error {
	key, err := r.signer(r.key)
	if err != nil {
		return err
	}
	modules, err := r.modules()
	if err != nil {
		return err
	}
	notices, err := r.notices(modules)
	if err != nil {
		return err
	}
	components, err := r.components(modules)
	if err != nil {
		return err
	}
	shared, err := r.shared(work, notices, components)
	if err != nil {
		return err
	}
	if err := r.write("hitoku_"+r.number()+".cdx.json", components); err != nil {
		return err
	}
	if err := r.write("NOTICES.txt", notices); err != nil {
		return err
	}
	for _, t := range r.targets {
		program, err := r.build(work, t)
		if err != nil {
			return err
		}
		if err := r.archive(t, append(programs(t, program), shared...)); err != nil {
			return err
		}
		if t.os == "linux" {
			if err := r.packages(work, t, program, shared); err != nil {
				return err
			}
		}
		fmt.Printf("%s/%s: %d bytes\n", t.os, t.arch, len(program))
	}
	if err := r.manifests(); err != nil {
		return err
	}
	if err := r.provenance(key); err != nil {
		return err
	}
	return r.sums()
}

// build compiles the command for a target.
func (r *release) build(work string, t target) ([]byte, error) {
	path := filepath.Join(work, t.os+"-"+t.arch, t.exe())
	env := []string{"CGO_ENABLED=0", "GOOS=" + t.os, "GOARCH=" + t.arch, "GOFLAGS=", "GOAMD64=v1", "GOARM64=v8.0"}
	_, err := command(r.repo, env, "go", "build", "-trimpath", "-buildvcs=true", "-ldflags", "-s -w -buildid= -X github.com/hitoku/hitoku/internal/cli.release="+r.version, "-o", path, "./cmd/hitoku")
	if err != nil {
		return nil, err
	}
	return os.ReadFile(path)
}

// write writes a file of the release.
func (r *release) write(name string, content []byte) error {
	return os.WriteFile(filepath.Join(r.out, name), content, 0o666)
}

// command runs a program in a folder and returns its output.
func command(dir string, env []string, name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), env...)
	var words strings.Builder
	cmd.Stderr = &words
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, words.String())
	}
	return string(out), nil
}
