#!/usr/bin/env python3
"""Writes what editors need to know CUDA Fortran's words.

usage: generate.py VERSION CUDAFOR.TABLE CUDADEVICE.MOD OUTPUT

CUDA's functions are those of the modules: `cudafor` by the table that it is made
of, `cudadevice` by its module file. The files of this folder go to OUTPUT; in
those that end in .in, words between @ are replaced.
"""
import json
import os
import re
import shutil
import sys
import textwrap

HERE = os.path.dirname(os.path.abspath(__file__))
PROCEDURES = ["global", "device", "host", "grid_global"]
DATA = ["device", "constant", "shared", "managed", "pinned", "texture", "unified"]
VARIABLES = ["threadidx", "blockidx", "blockdim", "griddim", "warpsize"]


def functions(table, module):
    """The names of CUDA's procedures and constants."""
    with open(table, encoding="utf-8") as file:
        names = set(re.findall(r"^(\w+)\(", file.read(), re.M))
    with open(module, encoding="utf-8", errors="replace") as file:
        text = file.read()
    names |= set(re.findall(r"^interface (\w+)$", text, re.M))
    names |= set(re.findall(r"\b(?:function|subroutine) (\w+)\(", text))
    # Fortran's own names keep Fortran's colour.
    return sorted(name for name in names if not name.startswith("__builtin")
                  and re.match(r"cuda|__|sync|atomic|thread|grid|this_|shfl|ball|any|"
                               r"all|match|active|clock|globaltimer|coalesced|barrier|"
                               r"tma|cluster", name, re.I))


def words(version, names):
    attributes = sorted(set(PROCEDURES + DATA))
    keyword = "syntax keyword cufFunction "
    lines = textwrap.wrap(" ".join(names), 78, initial_indent=keyword,
                          subsequent_indent=keyword, break_long_words=False)
    return {
        "VERSION": version,
        "ATTRIBUTES": r"\|".join(attributes),
        "ATTRIBUTE_WORDS": " ".join(attributes),
        "DATA_ATTRIBUTES": r"\|".join(DATA),
        "VARIABLES": " ".join(VARIABLES),
        "FUNCTIONS": "\n".join(lines),
    }


def grammar(names):
    """A TextMate grammar: Fortran's frame, and CUDA's words."""

    def any_of(each):
        return r"(?i)\b(?:" + "|".join(each) + r")\b"

    def match(name, pattern):
        return {"name": name + ".cuf", "match": pattern}

    attributes = sorted(set(PROCEDURES + DATA))
    statements = (
        "allocatable allocate associate block call case class close common concurrent "
        "contains contiguous continue critical cycle data deallocate default dimension "
        "do else elseif elsewhere end enddo endif endmodule endprogram endsubroutine "
        "endfunction entry enum equivalence error exit extends external final flush "
        "forall format function generic go goto if implicit import impure include "
        "inquire intent interface intrinsic module namelist none nullify only open "
        "operator optional parameter pass pause pointer print private procedure program "
        "protected public pure read recursive result return rewind save select sequence "
        "stop subroutine submodule target then to use value volatile wait where while "
        "write elemental abstract bind").split()
    types = "integer real complex logical character type doubleprecision".split()
    return {
        "name": "CUDA Fortran",
        "scopeName": "source.cuf",
        "fileTypes": ["cuf", "CUF"],
        "patterns": [
            {"name": "meta.directive.cuf", "begin": r"(?i)^\s*(!\$cuf)\b",
             "beginCaptures": {"1": {"name": "keyword.control.directive.cuf"}},
             "end": r"$",
             "patterns": [
                 match("keyword.control.directive", any_of(
                     ["kernel", "do", "reduce", "reduction"])),
                 {"include": "#launch"}, {"include": "#number"}]},
            match("keyword.control.directive", r"(?i)^\s*!@cuf\b"),
            match("keyword.control.directive", r"(?i)^\s*!\$(?:omp|acc)\b.*$"),
            match("meta.preprocessor", r"^\s*#.*$"),
            match("comment.line.exclamation", r"!.*$"),
            {"name": "string.quoted.double.cuf", "begin": '"', "end": '"|$'},
            {"name": "string.quoted.single.cuf", "begin": "'", "end": "'|$"},
            {"include": "#launch"},
            {"match": r"(?i)\b(attributes)\s*\(\s*((?:" + "|".join(attributes)
                      + r")(?:\s*,\s*(?:" + "|".join(attributes) + r"))*)\s*\)",
             "captures": {"1": {"name": "storage.modifier.cuf"},
                          "2": {"name": "storage.modifier.memory.cuf"}}},
            match("storage.modifier", r"(?i)\b(?:launch_bounds|cluster_dims)\b"),
            match("storage.modifier.memory",
                  r"(?i)(?<=,)\s*(?:" + "|".join(DATA) + r")\b(?=\s*(?:,|::))"),
            match("variable.language", any_of(VARIABLES)),
            match("support.function.cuda", any_of(names)),
            match("storage.type", any_of(types)),
            match("keyword.control", any_of(statements)),
            match("constant.language", r"(?i)\.(?:true|false)\."),
            match("keyword.operator",
                  r"(?i)\.(?:and|or|not|eqv|neqv|eq|ne|lt|le|gt|ge)\."),
            {"include": "#number"},
        ],
        "repository": {
            "launch": match("keyword.operator.launch", "<<<|>>>"),
            "number": match("constant.numeric",
                            r"(?i)\b\d+(?:\.\d*)?(?:[ed][+-]?\d+)?(?:_\w+)?"),
        },
    }


def main():
    version, table, module, output = sys.argv[1:]
    names = functions(table, module)
    if len(names) < 200:
        sys.exit("too few of CUDA's functions are found")
    replaced = words(version, names)
    shutil.rmtree(output, ignore_errors=True)
    for folder, _, files in os.walk(HERE):
        for name in files:
            if name in ("generate.py", "CMakeLists.txt"):
                continue
            source = os.path.join(folder, name)
            target = os.path.join(output, os.path.relpath(source, HERE))
            os.makedirs(os.path.dirname(target), exist_ok=True)
            if not name.endswith(".in"):
                shutil.copyfile(source, target)
                continue
            with open(source, encoding="utf-8") as file:
                text = file.read()
            text = re.sub(r"@([A-Z_]+)@", lambda found: replaced[found[1]], text)
            with open(target[:-3], "w", encoding="utf-8") as file:
                file.write(text)
    syntaxes = os.path.join(output, "vscode", "syntaxes")
    os.makedirs(syntaxes, exist_ok=True)
    with open(os.path.join(syntaxes, "cuf.tmLanguage.json"), "w",
              encoding="utf-8") as file:
        json.dump(grammar(names), file, indent=1)


if __name__ == "__main__":
    main()
