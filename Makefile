# make build   the command, pure Go, as ./hitoku
# make full    the same with the LP libraries found here
# make test    every test; with Clp and lp_solve too where Debian's libraries are or can be installed; test-short its quick half
# make duck    hitoku-duck, which reads Parquet (a C++ compiler, DuckDB as a module); duck-test its tests
# make fleet   hitoku-fleet, many machines for one job; dist-test its tests
# make beam    hitoku-beam, risk on Dataflow, Flink and Spark (minutes to build); beam-test its tests, which are not in .ci/run
# make clients-test   the programs that call τ-ARGUS (rtauargus, sdcTable, piargus) run against this one: R and Python from Debian, their
#              sources in the folder HITOKU_CLIENTS (docs/arb.md); without it skipped, and counted. Not in .ci/run
# make py-test   the package for Python, contrib/python, with the program built here; pandas from Debian where it can be had
# make r-test    R CMD check of the package for R, contrib/r, with the program built here; without R or jsonlite skipped, and said. Not in .ci/run
# make site    the page of hitoku open with its engine compiled to WebAssembly, a folder of files, in ./site
# make page-test   the page in headless Chromium, which is installed where it can be; SHOTS=DIR keeps pictures
# make man     the manual pages of all verbs, in ./man
# make release VERSION=v0.2.0   archives, packages, manifests, checksums of the commit, in ./release (docs/install.md); twice made they are the same bytes; KEY=FILE signs their provenance
# make release-test   that, on the archives of this machine; wine-test: the scripts that need no Unix with a program for Windows, where Wine is
# make lint    gofmt, go vet, staticcheck
# make heavy   make test with all that the default run draws a part of, or leaves to CI, which draws a quarter of what takes many minutes
# make adversary   random tables, every answer compared with an exact oracle (docs/method.md)
# make fuzz-seeds, bench, cover

GO       ?= go
FUZZTIME ?= 3s
# How often an input that is new or fails is run to make it smaller: by default a minute long,
# which left slow targets, of workbooks and pages, no time to search.
FUZZMIN  ?= 10x

# lp_solve has no pkg-config file, so cgo is told where Debian keeps it. It and
# the Go wrapper of Clp both define write_mps, which hitoku never calls.
LPENV := CGO_ENABLED=1 CGO_CFLAGS=-I/usr/include/lpsolve \
	CGO_LDFLAGS="-llpsolve55 -lm -ldl -lcolamd -Wl,--allow-multiple-definition"

# The tests outside ./lp that go through the back ends of the build; the others
# would do the same again.
LPPKGS  := ./interval/... ./internal/oracle/... ./solver/... ./bench/... ./cmd/...
LPTESTS := Backend|Canonical|EnginesAgree|Metamorphic|Scripts

# .ci/run has these tags in GOFLAGS, which -tags would take away.
comma := ,
NETGO := $(if $(findstring netgo,$(GOFLAGS)),$(comma)netgo$(comma)osusergo)

GOTEST := $(GO) tool -modfile=tools/go.mod gotestsum --format pkgname --format-hide-empty-pkg -- -timeout 30m

.PHONY: all build full man site page-test duck duck-test fleet dist-test beam beam-test clients-test py-test r-test test test-short heavy lint adversary workbooks fuzz-seeds bench cover

all: build

build:
	CGO_ENABLED=0 $(GO) build -o hitoku ./cmd/hitoku

full:
	tags=$$(.ci/libs --install) && $(LPENV) $(GO) build -tags "$$tags" -o hitoku ./cmd/hitoku

man:
	CGO_ENABLED=0 $(GO) run ./cmd/hitoku man man

site:
	CGO_ENABLED=0 $(GO) run ./internal/page/site site $(if $(KEY),$(abspath $(KEY)))

# A module of its own: its tests run where a browser is.
page-test:
	@.ci/browser --install || exit 1; \
	CGO_ENABLED=0 $(GO) run ./internal/page/site site && \
	cd contrib/browser && export CGO_ENABLED=0 && $(GO) vet ./... && $(GO) test -count 1 -timeout 60m . -args -site ../../site $(if $(SHOTS),-shots $(abspath $(SHOTS)))

RELEASE ?= release

# A module of its own, because of what it is linked with.
release:
	@test -n "$(VERSION)" || { echo "make release VERSION=v0.2.0"; exit 2; }
	cd contrib/packaging && CGO_ENABLED=0 $(GO) run . -version $(VERSION) -o ../../$(RELEASE) $(if $(KEY),-key $(abspath $(KEY)))

release-test:
	cd contrib/packaging && export CGO_ENABLED=0 && $(GO) vet ./... && $(GO) test -timeout 60m ./...

wine-test:
	contrib/packaging/wine/run

duck: build
	cd contrib/duck && CGO_ENABLED=1 $(GO) build -o ../.. ./cmd/hitoku-duck

# A module of its own: its tests run where a C++ compiler is.
duck-test:
	@if command -v g++ >/dev/null || command -v clang++ >/dev/null; then \
		echo "cd contrib/duck && $(GO) vet ./... && $(GO) test ./..."; \
		cd contrib/duck && CGO_ENABLED=1 $(GO) vet ./... && CGO_ENABLED=1 $(GO) test ./...; \
	else echo "duck: skipped, no C++ compiler"; fi

fleet: build
	cd contrib/fleet && CGO_ENABLED=0 $(GO) build -o ../.. ./cmd/hitoku-fleet

dist-test:
	cd contrib/fleet && export CGO_ENABLED=0 && $(GO) vet ./... && $(GO) test ./...

# A module of its own with hundreds behind it: its tests run when asked for.
beam:
	cd contrib/beam && CGO_ENABLED=0 $(GO) build -o ../.. ./cmd/hitoku-beam

beam-test:
	cd contrib/beam && $(GO) vet ./... && $(GO) test ./...

clients-test:
	$(GO) tool -modfile=tools/go.mod gotestsum --format standard-verbose -- -count 1 -timeout 40m ./internal/test/clients

# Python's own runner counts what is skipped, and why.
py-test: build
	@python=$$(.ci/python --install); \
	if [ -z "$$python" ]; then echo "py: skipped, no Python from 3.9 on"; else \
		echo "$$python -m unittest"; \
		cd contrib/python && HITOKU=$(CURDIR)/hitoku PYTHONDONTWRITEBYTECODE=1 $$python -W ignore::ResourceWarning -m unittest; \
	fi

r-test: build
	HITOKU=$(CURDIR)/hitoku .ci/r

# Of every run a summary lists the tests that failed and those skipped, and why. The packages with the longest tests come first, so that at the end none runs alone.
test:
	CGO_ENABLED=0 $(GO) build ./...
	CGO_ENABLED=0 $(GOTEST) $(SHORT) ./solver/modular ./internal/cli/risk ./cmd/hitoku ./...
	@tags=$$(.ci/libs --install) || exit 1; \
	if [ -n "$$tags" ]; then \
		echo "with -tags $$tags"; \
		$(LPENV) $(GOTEST) $(SHORT) -tags $$tags$(NETGO) ./lp/... || exit 1; \
		$(LPENV) $(GOTEST) $(SHORT) -tags $$tags$(NETGO) -run '$(LPTESTS)' $(LPPKGS) || exit 1; \
	fi; \
	case $$tags in *clpdl*) CGO_ENABLED=0 $(GOTEST) $(SHORT) -tags clpdl$(NETGO) ./lp/internal/clpdl;; esac

test-short:
	$(MAKE) test SHORT=-short

heavy:
	HITOKU_HEAVY=all $(MAKE) test

# Without cgo, as the tests are built: with it the same files would be compiled once more. Packages of files that need cgo have tags, and are vetted again with them.
lint:
	@unformatted=$$(gofmt -l $$(git ls-files --cached --others --exclude-standard '*.go')); \
	if [ -n "$$unformatted" ]; then echo "gofmt would change:"; echo "$$unformatted"; exit 1; fi
	CGO_ENABLED=0 $(GO) vet ./...
	CGO_ENABLED=0 $(GO) vet -tags slow$(NETGO) ./internal/test/adversary
	@tags=$$(.ci/libs) || exit 1; \
	if [ -n "$$tags" ]; then \
		tagged=$$(grep -rlE '^//go:build .*(clp|lpsolve)' --include='*.go' --exclude-dir=contrib . | xargs -n1 dirname | sort -u); \
		echo "$(GO) vet -tags $$tags" $$tagged; \
		$(LPENV) $(GO) vet -tags $$tags$(NETGO) $$tagged; \
	fi
	CGO_ENABLED=0 $(GO) tool -modfile=tools/go.mod staticcheck -checks inherit,-ST1005 ./... # messages may begin with the name of a method

# ADVERSARY='-adversary.n 100000 -adversary.seed 7' for more tables, PAIRS='-pairs.n 50000 -pairs.seed 7' for more pairs of features.
adversary:
	@tags=$$(.ci/libs) || exit 1; run='-count 1 -timeout 0 -v ./internal/test/adversary $(if $(ADVERSARY),-run TestAdversary $(ADVERSARY),$(if $(PAIRS),-run TestPairs $(PAIRS),-pairs.n 3000))'; \
	if [ -n "$$tags" ]; then $(LPENV) $(GO) test -tags "slow,$$tags$(NETGO)" $$run; else CGO_ENABLED=0 $(GO) test -tags slow$(NETGO) $$run; fi

# N drawn files of offices from SEED, and those of the data beside the project: how many are protected, refused, misread, and tell too much.
workbooks:
	CGO_ENABLED=0 $(GO) test -tags slow -count 1 -timeout 0 -v ./internal/test/adversary -run 'TestOffices|TestBooks|TestWorkbooks' -adversary.offices $(or $(N),3000) -adversary.books $(or $(N),3000) -adversary.officeseed $(or $(SEED),30)

fuzz-seeds:
	.ci/fuzz $(FUZZTIME) $(FUZZMIN)

bench:
	$(GO) test -run '^$$' -bench . -benchtime 1x ./...

cover:
	$(GO) test -coverprofile cover.prof ./...
	$(GO) tool cover -func cover.prof | tail -1
