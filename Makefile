# Every target works in a fresh clone; `setup` fetches what it needs.

GO       ?= go
FUZZTIME ?= 60s
STATICCHECK = $(GO) tool staticcheck

.PHONY: setup check test gen bench fuzz controls

setup:
	$(GO) version
	$(GO) mod download

# What a change must pass: format, vet, staticcheck, race tests, a few seconds of
# every fuzz target, and nothing left to regenerate.
check: setup
	@test -z "$$(gofmt -l .)" || { gofmt -l .; echo "run gofmt -w on these files"; exit 1; }
	$(GO) vet ./...
	$(STATICCHECK) ./...
	$(GO) test -race ./...
	$(MAKE) controls
	$(MAKE) fuzz FUZZTIME=5s
	$(GO) run ./cmd/opcat catalog compile --sources . --check
	$(GO) run ./internal/readme
	git diff --exit-code -- README.md docs

# Installs what it needs and runs every test; ends with the counts.
test: setup
	$(GO) run ./internal/testcount -race ./...

# Everything that is generated: gen/ and the parts of README and docs that show real output.
gen:
	$(GO) generate ./catalog ./operations
	$(GO) run ./cmd/opcat catalog compile --sources . --into gen
	$(GO) run ./internal/readme

bench:
	$(GO) run ./internal/bench

# Each fuzz target that `go test -list` finds; none found is a failure.
fuzz:
	$(GO) run ./internal/fuzzall -fuzztime $(FUZZTIME)

# Builds with one safety rule removed each; the named test must then fail.
controls:
	$(GO) run ./internal/controls
