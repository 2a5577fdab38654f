# A front for CMake and the scripts, so that every task is one word. CMakePresets.json says how things are built.
# Nothing is installed on the machine but by `make deps`, `make deps-test`, and by `make demo` and `make test`, which
# begin with them.
PREFIX ?= /usr/local
DESTDIR ?=
FUZZ_SECONDS ?= 600
SECONDS ?= 600
CUTS ?= 2000

.PHONY: all help deps deps-test demo test test-clients bench fuzz torture power install uninstall dist generate format coverage clean

# Builds build/handoff (release), with the server and the data it looks for beside it. Fails with a list where something is missing.
all:
	@scripts/setup check build
	@scripts/build release
	@cp -f build/release/handoff build/release/handoff-server build/
	@cp -Ru build/release/share build/
	@[ -f build/share/handoff/o200k_base.image ] || echo "Token counts will be estimates: 'make deps' fetches the ranks."

# Lists the targets, as CONTRIBUTING.md and README.md explain them.
help:
	@awk '/^make .*# / && !seen[$$2]++' CONTRIBUTING.md README.md

# Installs what `make` needs, and the token ranks.
deps:
	@scripts/setup install build data

# Installs what the tests, benchmarks and linters need as well.
deps-test:
	@scripts/setup install build data test

# Shows the main job in a temporary folder.
demo: deps
	@$(MAKE) --no-print-directory all
	@scripts/demo

# Everything that can fail; ends in one line, "N passed, N failed, N skipped".
test: deps-test
	@scripts/test

# Real agents' programs (Claude Code, Codex), offline against a mock of their model API; installs them into tests/clients.
test-clients:
	@scripts/setup check build test
	@scripts/test-clients

# Ratios against peers, measured side by side in this run.
bench:
	@scripts/setup check build data test
	@$(MAKE) --no-print-directory all
	@bench/run

# Every fuzz target for FUZZ_SECONDS.
fuzz:
	@scripts/setup check build test
	@scripts/fuzz $(FUZZ_SECONDS)

# Many commands at once for SECONDS, killed and stopped at random; nothing that was answered is lost.
torture:
	@scripts/setup check build test
	@$(MAKE) --no-print-directory all
	@scripts/build dev person
	@HANDOFF=$(CURDIR)/build/release/handoff TORTURE_SECONDS=$(SECONDS) node tests/js/torture/torture.mjs build/dev

# CUTS power cuts in a story of durable commands; nothing that was answered is lost, and no file is half written.
power:
	@scripts/setup check build test
	@scripts/build dev
	@HANDOFF=$(CURDIR)/build/dev/handoff HANDOFF_CUTS=$(CUTS) node tests/js/power/power.mjs build/dev

install: all
	@scripts/install "$(DESTDIR)" "$(PREFIX)"

# Removes what was installed there.
uninstall:
	@scripts/uninstall "$(DESTDIR)" "$(PREFIX)"

# Packages of the release, in build/dist (docs/releasing.md).
dist: all
	@REPOSITORY='$(REPOSITORY)' MAINTAINER='$(MAINTAINER)' scripts/dist

# Writes what is generated from the source and committed: schemas, manual page, the picture of the rooms.
generate:
	@scripts/setup check build test
	@scripts/generate

format:
	@scripts/setup check test
	@git ls-files --cached --others --exclude-standard '*.c' '*.h' | xargs clang-format -i

# Line coverage of the tests, as a page under build/coverage/report.
coverage:
	@scripts/setup check build data test
	@scripts/coverage

clean:
	rm -rf build
