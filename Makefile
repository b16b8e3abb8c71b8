# SPDX-License-Identifier: Apache-2.0
# Commands for people. Each installs what it needs on Debian 12 (see scripts/install-deps) and then
# calls the program that does the work; nothing is decided here.

JOBS ?= 2
PREFIX ?= /usr/local
# Ninja where it is; CMake reads this variable by itself.
export CMAKE_GENERATOR ?= $(if $(shell command -v ninja 2>/dev/null),Ninja,Unix Makefiles)

help:
	@echo 'make test         build and run every test (a quarter of an hour to half an hour on 2 cores); with INGOT_LINT=1, what'
	@echo '                  lint needs is installed first, and the tests are compiled by clang'
	@echo 'make demo         build and run the demo'
	@echo 'make lint         layout, rules of the house, clang-tidy'
	@echo 'make matrix       the core tests on every leg: compilers, libraries, word sizes, byte orders, sanitizers (half an hour)'
	@echo 'make matrix-full  the same legs with every test, none of them sampled'
	@echo 'make fuzz-smoke   each fuzz target for 60 seconds'
	@echo 'make bench        the benchmarks; see bench/run --help'
	@echo 'make install      the tool, headers, libraries, CMake and pkg-config files below PREFIX (by default /usr/local)'
	@echo 'make package      Debian packages: the tool, the libraries and headers, the manual; used once to see that they can be'
	@echo 'make docs         the documentation site, build/site/html/index.html; MkDocs and its theme come from PyPI, once'
	@echo 'make debuggers    gdb and lldb, with our printers, over known and over damaged values'
	@echo 'make page-test    the page of ingot layout in a headless browser, with a checker of accessibility (axe-core, by npm)'
	@echo 'make picture      draw the picture of the README, by a headless browser'
	@echo 'make format       lay out every C++ file as lint wants it'
	@echo 'make clean        remove build/'

# Tests are compiled by clang where it is installed: compiling is most of their time. What users
# compile (the ways to install, what must not compile) is compiled by g++ all the same; see
# tests/CMakeLists.txt. INGOT_LINT=1 (.ci/run) asks for the tools of lint. Without it, the parts of
# lint run whose tools are there.
lint_wanted = $(filter-out 0 OFF,$(INGOT_LINT))
test: deps-test $(if $(lint_wanted),deps-lint)
	cmake --preset $$(if command -v clang++-22 >/dev/null; then echo tests; else echo default; fi) -DINGOT_LINT=$(if $(lint_wanted),ON,OFF)
	cmake --build build --parallel $(JOBS)
	ctest --test-dir build --parallel $(JOBS) --no-tests=error --output-on-failure

demo: deps-demo
	cmake --preset release
	cmake --build build/release --parallel $(JOBS) --target demo

lint: deps-test deps-lint
	scripts/lint

matrix: deps-test deps-matrix
	scripts/matrix

matrix-full: deps-test deps-matrix
	scripts/matrix --full

fuzz-smoke: deps-test deps-matrix
	INGOT_FUZZ_JOBS=$(JOBS) scripts/fuzz-smoke 60

bench: deps-test deps-bench
	bench/run $(ARGS)

install: deps-install
	cmake --preset release -DINGOT_EXAMPLES=OFF
	cmake --build build/release --parallel $(JOBS)
	cmake --install build/release --prefix $(PREFIX)

package: deps-package
	cmake --preset package
	cmake --build build/package --parallel $(JOBS)
	rm -f build/package/*.deb
	cd build/package && cpack
	scripts/try-package build/package

docs: deps-docs
	scripts/make-site build/site

debuggers: deps-debug
	scripts/try-debuggers

picture: deps-test deps-picture
	cmake --preset default
	cmake --build build --parallel $(JOBS) --target ingot_tool ingot_tool_files
	mkdir -p build/docs && build/tests/tool/ingot_tool_files build/docs
	python3 tests/tool/browse_layout.py build/tools/ingot/ingot build/docs/hero.ingot --picture docs/layout.png

page-test: deps-test deps-picture
	command -v npm >/dev/null || scripts/install-deps page
	cmake --preset default
	cmake --build build --parallel $(JOBS) --target ingot_tool ingot_tool_files
	mkdir -p build/page-test && cp tests/tool/page/package.json tests/tool/page/package-lock.json build/page-test
	npm ci --prefix build/page-test --ignore-scripts --no-audit --no-fund
	python3 tests/tool/page_test.py build/tools/ingot/ingot build/tests/tool/ingot_tool_files build/page-test/node_modules/axe-core/axe.min.js --into build/page-test/pictures

format:
	scripts/lint --fix

clean:
	rm -rf build

deps-%:
	@scripts/install-deps $*

.PHONY: help test demo lint matrix matrix-full fuzz-smoke bench install package docs picture page-test debuggers format clean
