# Three commands set up and run everything: `make demo`, `make test`, `make web`. `make help` lists the rest.

BROADSIDE := build/release/apps/broadside/broadside
SCENE := scenes/tumbler.b2tr.xz
TRACES := $(wildcard scenes ../shared/traces)
JOBS := $(shell nproc 2>/dev/null || echo 2)
FUZZ_SECONDS ?= 60
MUTANTS ?= 400
SECONDS ?= 60
SEED ?= 1
RANKS ?= 2
# Open MPI refuses to run as root without these two, and more ranks than cores without the options.
MPIRUN := OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 mpirun --oversubscribe --bind-to none -n $(RANKS)
# scripts/setup.sh installs Node.js here if the machine's version is too old.
export PATH := $(CURDIR)/build/node/bin:$(PATH)

.PHONY: help demo view web web-package test test-native test-web test-package test-pages test-all bench check tidy fuzz simulate coverage mutants instructions \
  interface mpi builds trust release format pictures clean build

help:
	@echo "make demo      set up, build, run a recorded scene, compare all techniques on it"
	@echo "make view      set up, build, and show scenes in a window"
	@echo "make test      set up, build, run the tests: make test-native and make test-web"
	@echo "make web       set up, build and serve the pages of web/demos, and print the address"
	@echo "make web-package  set up, and build the npm package of web/package"
	@echo "make bench     set up, build, race our broad phase, narrow phase, queries and world against peers"
	@echo "make check     in under a minute: layers, links, phrases, promises, fuzz inputs, formatting and the quick tests"
	@echo "make fuzz      fuzz targets with new random inputs, FUZZ_SECONDS=60 each"
	@echo "make simulate  random worlds and programs, compared with a model: SECONDS=60, SEED=1"
	@echo "make test-all  what CI runs: both compilers, sanitizers, fuzz targets, clang-tidy"
	@echo "make trust     all random tests and comparisons for about 40 minutes: SEED=1"
	@echo "make coverage  lines and branches that the tests run, by module"
	@echo "make mutants   mutation tests: change the library in one place at a time, MUTANTS=400"
	@echo "make instructions  instruction counts of frames, compared with tests/performance/baseline.json"
	@echo "make interface  the interface of the shared library, compared with that of the last release"
	@echo "make mpi       set up, build, find pairs on several processes with Open MPI: RANKS=2"
	@echo "make builds    compare the answers of 15 builds, one of them for Windows, three for the web, four for other processors"
	@echo "make release   what a release carries, in out/release: sources, Debian packages, npm package, checksums"
	@echo "make tidy      set up, and clang-tidy with its analyzer"
	@echo "make format    format the sources"
	@echo "make pictures  redraw the pictures of docs/narrow-phase.md"
	@echo "make clean     remove build/ and out/"

build:
	@mkdir -p build
	@cmake --preset release >build/release.log || { cat build/release.log; exit 1; }
	@cmake --build --preset release -- -j$(JOBS)

demo:
	@bash scripts/setup.sh demo
	@$(MAKE) --no-print-directory build
	@mkdir -p out
	@echo
	$(BROADSIDE) run $(SCENE) --picture out/tumbler.svg --summary out/tumbler.json
	@echo
	$(BROADSIDE) compare $(SCENE) --steps 10
	@echo
	@echo "The picture is out/tumbler.svg, the counters are out/tumbler.json."
	@echo "Next: $(BROADSIDE) scenes, or make web for the pages in the browser"

view:
	@bash scripts/setup.sh view
	@$(MAKE) --no-print-directory build
	$(BROADSIDE) view pinball

# Everything is installed before anything is built. If the web part cannot be set up, the native tests still run.
test:
	@mkdir -p build
	@if bash scripts/setup.sh test web 2>build/setup.log; then \
	  $(MAKE) --no-print-directory test-native && $(MAKE) --no-print-directory test-web; \
	elif bash scripts/setup.sh test 2>/dev/null; then \
	  cat build/setup.log && $(MAKE) --no-print-directory test-native && \
	  echo "make test: left out the package and the pages (make test-web): $$(tail -n 1 build/setup.log)"; \
	else \
	  cat build/setup.log >&2; exit 1; \
	fi

test-native:
	@bash scripts/setup.sh test
	@mkdir -p build
	@cmake --preset test >build/test.log || { cat build/test.log; exit 1; }
	@cmake --build --preset test -- -j$(JOBS)
	@ctest --test-dir build/test --output-on-failure -j$(JOBS) --no-tests=error

web-package:
	@bash scripts/setup.sh web
	@mkdir -p build
	@for preset in wasm wasm-plain; do \
	  cmake --preset $$preset >build/$$preset.log || { cat build/$$preset.log; exit 1; }; \
	  cmake --build --preset $$preset -- -j$(JOBS) || exit 1; \
	done
	@cd web && npm ci --silent && npm run --silent build -w package

# The pages wait for the screen most of the time, so the package is tested beside them.
test-web: web-package
	@$(MAKE) --no-print-directory -j2 --output-sync=target test-package test-pages

test-package:
	@cd web && npm test --silent -w package && npm test --silent -w bench && npm run --silent check -w package

test-pages:
	@cd web && npm test --silent -w demos

web: web-package
	@cd web && npm run --silent build -w demos && npm run --silent preview -w demos

test-all:
	@bash .ci/run

bench:
	@bash scripts/setup.sh bench
	@cmake --preset bench >build-bench.log || { cat build-bench.log; exit 1; }
	@rm -f build-bench.log
	@cmake --build --preset bench -- -j$(JOBS)
	@mkdir -p out
	build/bench/bench/broadside-bench $(addprefix --traces ,$(TRACES)) --json out/bench.json
	@python3 tools/draw_bench_chart.py out/bench.json out/bench.svg
	build/bench/bench/broadside-bench-contact --json out/bench-contact.json
	build/bench/bench/broadside-bench-query --json out/bench-query.json
	build/bench/bench/broadside-bench-world --json out/bench-world.json
	@echo "The figures are out/bench*.json, the chart is out/bench.svg."

check:
	@bash scripts/setup.sh check
	@python3 tools/check_layers.py --self-test
	@python3 tools/check_layers.py
	@python3 tools/check_links.py --self-test
	@python3 tools/check_phrases.py --self-test
	@python3 tools/check_promises.py --self-test
	@python3 tools/check_languages.py --self-test
	@python3 tools/check_languages.py
	@python3 tools/check_fuzz_inputs.py --self-test
	@python3 tools/check_fuzz_inputs.py
	@python3 tools/mutate.py --list --count 0 >/dev/null
	@python3 tools/measure_special_cases.py --check >/dev/null
	@git ls-files '*.cpp' '*.hpp' | xargs -P $(JOBS) -n 40 sh -c \
	  'for file; do clang-format "$$file" | diff -u "$$file" - || exit 255; done' sh  # --dry-run refuses its own output
	@echo "formatting: clean"
	@if [ -f build/test/tests/broadside_tests ]; then \
	  cmake --build --preset test --target broadside_tests -- -j$(JOBS) >build/check.log || { cat build/check.log; exit 1; }; \
	  ctest --test-dir build/test -L quick -j$(JOBS) --no-tests=error >build/check.log || { cat build/check.log; exit 1; }; \
	  grep -E 'tests passed' build/check.log; \
	else \
	  echo "the quick tests: left out, as make test has not built them yet"; \
	fi

# examples/entt.cpp is left out: EnTT is not in Debian.
tidy:
	@bash scripts/setup.sh tidy
	@mkdir -p build
	@cmake --preset sanitize -B build/tidy -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON >build/tidy.log || { cat build/tidy.log; exit 1; }
	@git ls-files 'src/*.cpp' 'apps/broadside/*.cpp' 'examples/*.cpp' ':!examples/entt.cpp' | \
	  xargs -P $(JOBS) -n 3 clang-tidy -p build/tidy --quiet --extra-arg=-DHWY_COMPILE_ONLY_STATIC

fuzz:
	@bash scripts/setup.sh fuzz
	@cmake --preset sanitize >build-sanitize.log || { cat build-sanitize.log; exit 1; }
	@rm -f build-sanitize.log
	@cmake --build --preset sanitize -- -j$(JOBS)
	@bash tools/fuzz.sh -max_total_time=$(FUZZ_SECONDS)

coverage:
	@bash scripts/setup.sh coverage
	@python3 tools/measure_coverage.py

builds:
	@bash scripts/setup.sh ci builds
	@python3 tools/compare_builds.py

trust:
	@bash scripts/setup.sh ci builds coverage
	@bash tools/trust.sh $(SEED)

mutants:
	@bash scripts/setup.sh mutants
	@python3 tools/mutate.py --count $(MUTANTS)

instructions:
	@bash scripts/setup.sh instructions
	@cmake --preset test >/dev/null && cmake --build --preset test --target broadside_frames -- -j$(JOBS) >/dev/null
	@python3 tools/check_instructions.py

simulate:
	@bash scripts/setup.sh test
	@mkdir -p build
	@cmake --preset test >build/test.log || { cat build/test.log; exit 1; }
	@cmake --build --preset test --target broadside_simulator -- -j$(JOBS)
	build/test/tests/broadside_simulator --seconds $(SECONDS) --seed $(SEED) --threads-of-program $(JOBS)

format:
	@files=$$(git ls-files '*.cpp' '*.hpp') && clang-format -i $$files

interface:
	@bash scripts/setup.sh interface
	@tools/check_interface.sh

# A rank that is killed or fails makes mpirun end the others.
mpi:
	@bash scripts/setup.sh mpi
	@mkdir -p build
	@cmake --preset release -DBROADSIDE_BUILD_MPI=ON >build/release.log || { cat build/release.log; exit 1; }
	@cmake --build --preset release --target broadside_mpi -- -j$(JOBS)
	@for arguments in "$(SCENE) --check" "uniform --boxes 500000"; do \
	  $(MPIRUN) build/release/adapters/mpi/broadside-mpi $$arguments || \
	    { echo "make mpi: a rank failed or was killed, so all ranks have ended (see above)" >&2; exit 1; }; \
	done

release:
	@bash scripts/setup.sh release
	@bash tools/release.sh

pictures: build
	@bash tools/draw_pairings.sh $(BROADSIDE)

clean:
	rm -rf build out
