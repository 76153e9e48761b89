"""The checkers' tests: programs of many small cases, each faulty or right.

A source says in comments where a case begins, which ends at the next one:

    ! CASE name: RIGHT
    ! CASE name: FAULTY kind variable     kind: race memory init sync leak; the
                                          variable may be missing
    ! CASE name: FAULTY kind ALONE        its kernel may not end: it has a
                                          process of its own
    ! END CASES
    ! ENV: NAME=VALUE                     environment of the program
    ! FLAGS: -option                      for cufort, beside --check

and on lines that a report of the case has to name, or may, which accesses:

    s(i) = s(i+1) ! CHECK-RACE: read write ! MAY-MEMORY: read
    deallocate(a) ! CHECK-MEMORY(name): host      behind the cases, of one by name
    a(n) = 1 ! ELEMENT: a(17) of a(16)            and the text has these words, or
    a(i, j) = 1 ! ITERATION: j = 1, i = 7         these of a kernel loop

A program runs the cases that its arguments name. With each number of workers the
right cases must have the right results and an empty list of reports; each faulty
one has reports of its kind, on all the lines that it names and on no others.
What known-misses.txt lists is found wrong today; what works again fails until it
is taken from the list.
"""
import os

import lit.Test
import lit.formats

from check_cases import WORKERS, build, known_misses, read, run_all


class CheckTest(lit.formats.FileBasedTest):
    def execute(self, test, lit_config):
        source = test.getSourcePath()
        folder = test.getExecPath() + ".tmp"
        os.makedirs(folder, exist_ok=True)
        cases, said = read(source)
        known = known_misses(source)
        try:
            program = build(test.config.cufort, source, folder, said["FLAGS"])
            wrong = {}
            for workers in WORKERS:
                for name, texts in run_all(program, cases, source, folder, workers,
                                           said["ENV"]).items():
                    wrong.setdefault(name, []).extend(
                        f"{workers} workers: {text}" for text in texts)
        except RuntimeError as failure:
            return lit.Test.FAIL, str(failure)
        output = []
        for case in cases:
            texts = wrong.get(case.name, [])
            if texts and case.name in known:
                output.append(f"known: {case.name}: {texts[0]}")
            elif texts:
                output.append(f"{case.name}: " + "\n    ".join(texts))
        failed = [name for name, texts in wrong.items() if texts and name not in known]
        again = [name for name in known if not wrong.get(name)]
        output += [f"{name} works: take it from known-misses.txt" for name in sorted(again)]
        return (lit.Test.FAIL if failed or again else lit.Test.PASS), "\n".join(output)
