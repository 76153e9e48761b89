"""blocks.py ROOT [CUFORT]: the blocks of code in documents.

Every block of a program, of commands, or without a language says in a comment
before it what is done with it, which readers of the page do not see:

  <!-- test: file NAME -->     it is the file NAME for what follows on the page
  <!-- test: file NAME, prints TEXT -->   and as a program it prints that
  <!-- test: compile NAME -->  it is a file, and compiles alone
  <!-- test: within NAME -->   it compiles where tests/docs/Inputs/NAME says BLOCK
  <!-- test: run -->           its lines are run by bash, one after the other, in a
                               folder with the page's files, on the CPU; with "$ "
                               before the commands, what stands between them is
                               their output ("..." is any text, also of several lines);
                               what "$ cat NAME" shows of a new file becomes that file
  <!-- test: run after COMMAND -->    the same, with what COMMAND puts there first
  <!-- test: printed by COMMAND -->   it is what COMMAND prints. Inputs/, examples/ and
                               tests/ of the tree are there
  <!-- test: see PATH -->      the test PATH of tests/ does what it says
  <!-- test: none, WHY -->     it cannot be tried here

Without CUFORT only the comments are looked at.
"""
import os
import re
import subprocess
import sys
import tempfile

import documents

HERE = os.path.dirname(os.path.abspath(__file__))
# Languages of what is no program, and is shown as it is.
DATA = {"json", "yaml", "toml", "text", "cmake", "make", "makefile", "vim", "lisp", "ini",
        "diff", "ll", "llvm", "mlir", "ptx", "mermaid", "gdb"}
FORMS = r"file [\w./+-]+(, prints .+)?|(compile|within) [\w./+-]+|see [\w./-]+|printed by .+|run( after .+)?|none, .+"


def unmarked(root, path, blocks):
    for block in blocks:
        form, _, name = (block.mark or "").partition(" ")
        if block.mark is None and block.language not in DATA:
            yield f"{path}:{block.line}: the block does not say how it is tested"
        elif block.mark is not None and not re.fullmatch(FORMS, block.mark):
            yield f"{path}:{block.line}: test: {block.mark}: what is that?"
        elif form == "see" and not os.path.exists(os.path.join(root, "tests", name)):
            yield f"{path}:{block.line}: there is no test {name}"


def runs(block):
    return bool(block.mark) and not block.mark.startswith(("none", "see"))


def matches(expected, printed):
    """Whether the lines printed are those expected, but for spaces at both ends."""
    pattern = r"\s*\n\s*".join(
        ".*" if line.strip() == "..." else
        ".*".join(re.escape(part) for part in line.strip().split("..."))
        for line in expected)
    return re.fullmatch(r"\s*" + pattern + r"\s*", printed, re.S) is not None


class Page:
    """A document's files, in a folder where its commands are run."""

    def __init__(self, root, path, cufort, folder):
        self.path = path
        self.cufort = cufort
        self.folder = folder
        build = os.path.dirname(os.path.dirname(os.path.abspath(cufort)))
        os.symlink(build, os.path.join(folder, "build"))
        for name in ("examples", "tests"):
            os.symlink(os.path.join(os.path.abspath(root), name), os.path.join(folder, name))
        os.symlink(HERE, os.path.join(folder, "Inputs"))
        self.root = os.path.abspath(root)
        self.environment = {"CUFORT_DEVICE": "cpu", "CUFORT_NUM_THREADS": "2",
                            **os.environ, "LC_ALL": "C.UTF-8"}
        self.environment["PATH"] = os.path.join(build, "bin") + ":" + os.environ["PATH"]

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def shell(self, script):
        return subprocess.run(["bash", "-c", script], cwd=self.folder, env=self.environment,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              timeout=120, check=False)

    def compile(self, block, name):
        command = f"'{self.cufort}' -fsyntax-only {name}"
        if name.startswith("compiler/"):  # a part of cufort
            command = "clang++ -std=c++20 -fno-rtti -fno-exceptions -Wall -Werror -fsyntax-only " \
                      f"-I. -I'{self.root}' -isystem $(llvm-config --includedir) {name}"
        done = self.shell(command)
        if done.returncode:
            return f"{self.path}:{block.line}: does not compile\n{done.stdout}"
        return None

    def run(self, block):
        dialogue = any(line.startswith("$ ") for line in block.lines)
        commands, outputs = [], []
        for line in block.lines:
            if line.startswith("$ ") or not dialogue:
                if commands and commands[-1].endswith("\\"):
                    commands[-1] += "\n" + line
                    continue
                commands.append(line.removeprefix("$ "))
                outputs.append([])
            else:
                outputs[-1].append(line)
        for command, expected in zip(commands, outputs):
            shown = re.fullmatch(r"cat ([\w.+-]+)", command)
            if shown and not os.path.exists(os.path.join(self.folder, shown[1])):
                self.write(shown[1], "\n".join(expected) + "\n")
                continue
            done = self.shell(command)
            if done.returncode and not dialogue:
                return f"{self.path}:{block.line}: {command}: " \
                       f"status {done.returncode}\n{done.stdout}"
            if dialogue and not matches(expected, done.stdout):
                return f"{self.path}:{block.line}: {command} printed\n{done.stdout}"
        return None

    def test(self, block):
        form, _, name = block.mark.partition(" ")
        if form == "printed":
            done = self.shell(name.removeprefix("by "))
            return None if matches(block.lines, done.stdout) else \
                f"{self.path}:{block.line}: {name.removeprefix('by ')} printed\n{done.stdout}"
        name, _, printed = name.partition(", prints ")
        if form in ("file", "compile"):
            self.write(name, block.text())
        elif form == "within":
            text = documents.read(HERE, name)
            assert "BLOCK" in text, name
            self.write(name, re.sub(r"^.*BLOCK.*\n", lambda _: block.text(), text, flags=re.M))
        if form in ("compile", "within"):
            return self.compile(block, name)
        if printed:
            done = self.shell(f"'{self.cufort}' run {name}")
            if done.returncode or not matches([printed], done.stdout):
                return f"{self.path}:{block.line}: {name} printed\n{done.stdout}"
        if form != "run":
            return None
        if name:
            done = self.shell(name.removeprefix("after "))
            if done.returncode:
                return f"{self.path}:{block.line}: {name}\n{done.stdout}"
        return self.run(block)


def main():
    root, *cufort = sys.argv[1:]
    problems, tried = [], 0
    for path in documents.files(root, ".md"):
        _, blocks = documents.split(documents.read(root, path))
        wrong = list(unmarked(root, path, blocks))
        problems += wrong
        if not cufort or wrong or not any(runs(block) for block in blocks):
            continue
        with tempfile.TemporaryDirectory() as folder:
            page = Page(root, path, cufort[0], folder)
            for block in blocks:
                if runs(block):
                    tried += 1
                    problems += filter(None, [page.test(block)])
    print(*problems, sep="\n")
    assert not cufort or tried > 3, "the blocks are not found"
    sys.exit(bool(problems))


main()
