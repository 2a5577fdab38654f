# A front for CMake and the scripts, so that every task is one word. CMakePresets.json says how things are built.
PREFIX ?= /usr/local
DESTDIR ?=
FUZZ_SECONDS ?= 600

.PHONY: all demo test bench fuzz install format coverage clean

# Builds build/handoff (release) with the data it looks for beside it.
all:
	@scripts/setup build
	@scripts/build release
	@cp -f build/release/handoff build/handoff
	@if [ -d build/release/share ]; then cp -Ru build/release/share build/; fi

# Shows the main job in a temporary folder.
demo: all
	@scripts/demo

# Everything that can fail; ends in one line, "N passed, N failed, N skipped".
test:
	@scripts/setup test
	@scripts/test

# Ratios against peers, measured side by side in this run.
bench: all
	@scripts/setup test
	@bench/run

# Every fuzz target for FUZZ_SECONDS.
fuzz:
	@scripts/setup test
	@scripts/fuzz $(FUZZ_SECONDS)

install: all
	@DESTDIR="$(DESTDIR)" cmake --install build/release --prefix "$(PREFIX)"

format:
	@scripts/setup test
	@git ls-files '*.c' '*.h' | xargs clang-format -i

# Line coverage of the tests, as a page under build/coverage/report.
coverage:
	@scripts/setup test
	@scripts/coverage

clean:
	rm -rf build
