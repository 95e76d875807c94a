# A thin front of CMake: every target is one or two commands that can be typed by hand. `make help` lists them.
JOBS ?= $(shell nproc)
PREFIX ?= /usr/local
ARGS ?=
CMAKE_ARGS ?=
FUZZ_SECONDS ?= 60

.DEFAULT_GOAL := help
.PHONY: help run build test deps deps-lint install package format lint tidy fuzz gate-study gate-self clean FORCE

help: ## list what can be made
	@sed -n 's/^\([a-z][a-z-]*\):[^#]*## \(.*\)/  make \1\t\2/p' Makefile | expand -t 24
	@echo '  variables: ARGS="…" (for run), PREFIX=/usr/local, JOBS=$(JOBS), CMAKE_ARGS="-D…", RIDGE_INSTALL=no'

run: build ## install what is missing, build Release, measure this machine
	@build/release/ridge run $(ARGS)

deps: ## install the packages of packages.txt that are missing
	@scripts/deps.sh packages.txt

deps-lint:
	@scripts/deps.sh packages.txt packages-lint.txt

# Configured once; ninja itself notices later changes of the CMake files. New CMAKE_ARGS configure again.
build/%/build.ninja: CMakePresets.json $(if $(CMAKE_ARGS),FORCE) | deps
	@cmake --preset $* $(CMAKE_ARGS)
	@touch $@

build: build/release/build.ninja ## build/release/ridge, the Release binary
	@cmake --build build/release --parallel $(JOBS)

test: build/dev/build.ninja ## build and run every test
	@cmake --build build/dev --parallel $(JOBS)
	@scripts/test.sh dev $(JOBS)

gate-study: build/release/build.ninja ## the studies of docs/method/gate.md, into that page
	@cmake --build build/release --parallel $(JOBS) --target gate_study --target gate_splits
	@scripts/gate-study.sh build/release

gate-self: build ## judge Ridge's own host code: ARGS=save keeps a baseline, ARGS=check (default) judges against it
	@cmake --build build/release --parallel $(JOBS) --target self_host
	@scripts/gate-self.sh build/release $(or $(ARGS),check)

install: build ## install under PREFIX (DESTDIR is honoured)
	@cmake --install build/release --prefix "$(PREFIX)" --component ridge

package: build ## build/ridge-<version>-linux-<arch>.tar.gz, which runs from any folder
	@scripts/package.sh build/release

format: deps-lint ## format the sources in place
	@scripts/lint.sh --fix

lint: deps-lint ## check format, test names and shell scripts
	@scripts/lint.sh

tidy: deps-lint build/dev/build.ninja ## clang-tidy over the sources: a quarter of an hour on two cores
	@scripts/lint.sh --tidy build/dev $(JOBS)

fuzz: deps-lint ## malformed text for every reader (reports, Google Benchmark, rules, PTX), FUZZ_SECONDS each (60)
	@scripts/fuzz.sh $(FUZZ_SECONDS) $(JOBS)

clean: ## remove everything that was built
	@cmake -E rm -rf build
