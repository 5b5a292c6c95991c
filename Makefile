# Every target works in a fresh clone; `setup` fetches what it needs.

GO       ?= go
FUZZTIME ?= 60s
STATICCHECK = $(GO) tool staticcheck

.PHONY: setup check test parity oracle swift gen picker bench fuzz controls verify

setup:
	$(GO) version
	$(GO) mod download
	cd oracle && $(GO) mod download
	@if command -v npm >/dev/null; then npm ci --prefix tools/node --no-audit --no-fund --silent && npm ci --prefix tools/picker --no-audit --no-fund --silent; \
	else echo "npm is not here: tests that run tools of tools/node and tools/picker are skipped"; fi

# What a change must pass: format, vet, staticcheck, race tests, a few seconds of
# every fuzz target, and nothing left to regenerate.
check: setup
	@test -z "$$(gofmt -l .)" || { gofmt -l .; echo "run gofmt -w on these files"; exit 1; }
	$(GO) vet ./...
	$(STATICCHECK) ./...
	$(GO) test -race ./...
	$(MAKE) oracle
	$(MAKE) verify
	$(MAKE) controls
	$(MAKE) fuzz FUZZTIME=5s
	$(GO) run ./cmd/opcat catalog compile --sources . --check
	$(GO) run ./internal/readme
	git diff --exit-code -- README.md docs

# What is one thread and takes minutes under the race detector: validators, compilers
# and browsers over the whole catalog. TestSameBytesAlways runs every emitter under it.
PLAIN = ./projections/golang/... ./projections/picker/... ./projections/schema/... ./projections/swift/... ./projections/ts/... ./parity/...
RACED = $(filter-out $(shell $(GO) list $(PLAIN)),$(shell $(GO) list ./...))

# Installs what it needs and runs every test; ends with the counts.
test: setup oracle
	@tools/swift/swift setup || test -z "$$CI"
	$(GO) run ./internal/testcount -race -timeout 20m $(RACED) -- -timeout 20m $(PLAIN)

# Every form of the catalog answers the same questions alike; the scoreboard says how
# many, and what was not run.
parity:
	$(GO) run ./cmd/opcat parity compare --into parity/scoreboard.txt --fail-on wrong

# What we send and read against the vendors' own SDKs and descriptions: a module of
# its own, so that nothing else links an SDK.
oracle:
	cd oracle && $(GO) vet ./... && $(GO) test ./...

# The Swift package, built and tested by a real compiler: the one on the PATH, or one
# in a Debian root that is made in the user's cache the first time (root, some minutes).
swift:
	tools/swift/swift setup
	$(GO) test -count=1 ./projections/swift/...

# Everything that is generated: gen/ and the parts of README and docs that show real output.
gen:
	$(GO) generate ./catalog ./operations ./projections/ts ./projections/swift
	$(GO) run ./cmd/opcat catalog compile --sources . --into gen
	$(GO) run ./internal/readme

# The page of the picker projection from its source, with data of the date that the rest of
# gen has; a test holds that it is up to date.
picker: AS_OF = $(shell sed -n 's/.*"as_of":"\([0-9-]*\)".*/\1/p' gen/json/index.json)
picker:
	npm ci --prefix tools/picker --no-audit --no-fund --silent
	npm run build --prefix tools/picker --silent
	$(GO) run ./cmd/opcat catalog compile --sources . --into gen --projections picker --as-of $(AS_OF)

# The peers in Python are installed the first time, where git looks away from; without
# them their lines say so.
PEERS = tools/python/.venv
bench: setup $(PEERS)/installed
	$(GO) run ./internal/bench

$(PEERS)/installed: tools/python/requirements.txt
	@python3 -m venv $(PEERS) && $(PEERS)/bin/pip install -q --disable-pip-version-check -r $< && touch $@ || \
	echo "the peers in Python cannot be installed: their lines are not measured"

# Each fuzz target that `go test -list` finds; none found is a failure.
fuzz:
	$(GO) run ./internal/fuzzall -fuzztime $(FUZZTIME)

# Builds with one safety rule removed each; the named test must then fail.
controls:
	$(GO) run ./internal/controls

# The command line against the tool contract that it promises to keep. The binary lies
# where git looks away from.
verify:
	$(GO) build -o opcat ./cmd/opcat
	./opcat verify ./opcat --profile cmd/opcat/testdata/verify/verify.toml --since cmd/opcat/testdata/released/describe.json
