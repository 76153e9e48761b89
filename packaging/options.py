"""options.py WHAT TABLE SOURCES VERSION ROOT OUTPUT: what is made of the table of options.

WHAT is man, markdown (docs/options.md), bash, zsh or fish; TABLE is what
`llvm-tblgen -dump-json` makes of Options.td, SOURCES the folder of the .td files
(for their section headings), ROOT the top of the tree (for the table of
environment variables).
"""
import json
import os
import re
import sys

import environment

RULE = "//===" + "-" * 70 + "===//"
# What the files that Options.td includes hold.
FILES = {"NvccOptions.td": "C, C++ and CUDA C++; nvcc's spellings",
         "FortranOptions.td": "Spellings of other Fortran compilers",
         "BuildOptions.td": "What build systems ask and say"}


class Option:
    """One option with all its spellings."""

    def __init__(self, record, name):
        self.record = record
        self.name = name
        self.kind = record["Kind"]["def"][len("KIND_"):]
        self.help = record["HelpText"] or ""
        self.meta = record["MetaVarName"] or ""
        self.aliases = []
        self.file, line = record["!locs"][-1].rsplit(":", 1)
        self.file = os.path.basename(self.file)
        self.line = int(line)

    def spellings(self):
        name = self.record["Name"]
        return [prefix + name for prefix in self.record["Prefixes"]]

    def with_value(self, spelling):
        if self.kind == "FLAG":
            return spelling
        value = self.meta or "<value>"
        return spelling + ("" if self.kind in ("JOINED", "COMMAJOINED") else " ") + value

    def group(self):
        return (self.record["Group"] or {}).get("def", "")

    def effective(self):
        return not self.group() in ("Ignored_Group", "Warned_Group", "NotYet_Group")

    def values(self):
        """The values that the help names by "a|b|c"."""
        if self.kind == "FLAG" or "|" not in self.meta:
            return []
        return self.meta.strip("<>").split("|")


def read_options(path):
    with open(path, encoding="utf-8") as file:
        records = json.load(file)
    names = [name for name in records["!instanceof"]["Option"]
             if records[name]["Name"] and not records[name]["Name"].startswith("<")]
    options = {name: Option(records[name], name) for name in names}
    for name in names:
        target = records[name]["Alias"]
        # With arguments of its own an alias is an option by itself.
        if target and not records[name]["AliasArgs"] and target["def"] in options:
            options[target["def"]].aliases.append(options[name])
    aliases = {id(alias) for each in options.values() for alias in each.aliases}
    return [each for each in options.values() if id(each) not in aliases]


def sections(folder):
    """For Options.td, the lines at which sections begin, and their titles."""
    with open(os.path.join(folder, "Options.td"), encoding="utf-8") as file:
        lines = file.read().splitlines()
    return [(number, lines[number][3:]) for number in range(1, len(lines) - 1)
            if lines[number - 1] == RULE and lines[number + 1] == RULE]


def section_of(option, starts):
    if option.file in FILES:
        return FILES[option.file]
    titles = [title for line, title in starts if line < option.line]
    return titles[-1] if titles else "Options"


def roff(text):
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\n".join("\\&" + line if line[:1] in ".'" else line
                     for line in text.split("\n"))


def plain(markdown):
    """A cell of a Markdown table as roff: code in bold, links without target."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", markdown)
    parts = re.split(r"`([^`]*)`", text)
    return "".join(f"\\fB{roff(part)}\\fR" if number % 2 else roff(part)
                   for number, part in enumerate(parts))


def by_section(options, folder):
    """The options with an effect, in the sections of their sources."""
    starts = sections(folder)
    chapters = {title: [] for title in [*(title for _, title in starts), *FILES.values()]}
    for option in sorted(options, key=lambda each: each.line):
        if option.effective() and option.help:
            chapters.setdefault(section_of(option, starts), []).append(option)
    return {title: members for title, members in chapters.items() if members}


def heads(option):
    """All spellings of an option, with their values."""
    return [each.with_value(spelling) for each in [option, *option.aliases]
            for spelling in each.spellings()]


# What has no effect, or does not work, and how a list of it is headed.
WITHOUT_EFFECT = (("Options that are not supported", "NotYet_Group"),
                  ("Options without effect, with a warning", "Warned_Group"),
                  ("Options without effect", "Ignored_Group"))


def reason(option):
    """Why: the help without what every option of its group says."""
    return re.sub(r"^(Accepted[^:]*|Not supported)(: |$)", "", option.help)


def cell(text):
    return text.replace("|", "\\|")


def prose(text):
    """A cell that is no code, with the options in it as code; "<" begins no element of HTML."""
    parts = re.split(r"((?<![\w-])--?[A-Za-z][\w=,<>.-]*[\w=])", cell(text))
    return "".join(f"`{part}`" if number % 2 else part.replace("<", "&lt;")
                   for number, part in enumerate(parts))


def short_heads(option):
    """The spellings with their first prefix: "--" for "-" is no other one."""
    first = [each.with_value(each.spellings()[0]) for each in [option, *option.aliases]]
    return list({head.lstrip("-"): head for head in reversed(first)}.values())[::-1]


def markdown(options, folder):
    out = ["# Every option", "",
           "<!-- Generated by packaging/options.py from compiler/driver/options. -->", "",
           "The compiler's own table of options, in its order. "
           "[command-line.md](command-line.md) explains those that need more than a line. "
           "All spellings of an option stand in one row. nvcc's options take one hyphen or two.",
           ""]
    for title, members in by_section(options, folder).items():
        out += [f"## {title}", "", "| option | meaning |", "| --- | --- |"]
        out += [f"| {', '.join(f'`{cell(head)}`' for head in short_heads(option))} "
                f"| {prose(option.help)} |" for option in members]
        out.append("")
    for title, group in WITHOUT_EFFECT:
        members = [option for option in options if option.group() == group]
        reasons = {}
        for option in members:
            names = {head.split(" ")[0].replace("<value>", "") for head in short_heads(option)}
            reasons.setdefault(reason(option), set()).update(names)
        out += [f"## {title}", "", "| options | why |", "| --- | --- |"]
        for why, names in sorted(reasons.items(), key=lambda each: min(each[1], key=str.lower).lower()):
            names = ", ".join(f"`{cell(name)}`" for name in sorted(names, key=str.lower))
            out.append(f"| {names} | {prose(why) or 'left to LLVM, or concerns something that cufort does not have'} |")
        out.append("")
    return "\n".join(out)


def manual_page(options, folder, version, root):
    out = [f'.TH CUFORT 1 "" "cufort {version}" "User Commands"',
           ".SH NAME",
           "cufort \\- compiler of CUDA Fortran and CUDA C++ for NVIDIA GPUs and for the CPU",
           ".SH SYNOPSIS",
           ".B cufort", "[\\fIoptions\\fR] \\fIfile\\fR... [\\fB\\-o\\fR \\fIoutput\\fR]", ".br",
           ".B cufort run",
           "[\\fIoptions\\fR] \\fIfile\\fR... [\\fB\\-\\-\\fR \\fIargument\\fR...]", ".br",
           ".B cufort info", "[\\fB\\-\\-json\\fR]", ".br",
           ".B cufort view",
           "\\fIfile.json\\fR [\\fB\\-\\-counts\\fR \\fIcounts.json\\fR] [\\fB\\-o\\fR \\fIfile.html\\fR]",
           ".SH DESCRIPTION",
           "compiles CUDA Fortran (.cuf, .CUF), Fortran (.f90, .F90, .f, .F), CUDA C\\+\\+",
           "(.cu), C\\+\\+ and C to one program whose kernels run on an NVIDIA GPU or on the",
           "cores of the CPU, chosen when it starts.",
           ".B cufort run",
           "compiles to a temporary place and runs the program;",
           ".B cufort info",
           "shows the devices of the machine;",
           ".B cufort view",
           "makes a page for a browser of a trace that CUFORT_TRACE has written.",
           ".PP",
           "Under the name \\fBnvfortran\\fR (\\fBpgfortran\\fR, \\fBpgf77\\fR, \\fBpgf90\\fR, \\fBpgf95\\fR) it has the",
           "version text and the macros of that compiler, under the name \\fBnvcc\\fR what nvcc",
           "has by default; links under these names are in the folder \\fIlib/cufort/bin\\fR."]
    out.append(".SH OPTIONS")
    for title, members in by_section(options, folder).items():
        out.append(f".SS {roff(title)}")
        for option in members:
            out += [".TP", ", ".join(f"\\fB{roff(each)}\\fR" for each in heads(option)),
                    roff(option.help)]
    for title, group in WITHOUT_EFFECT:
        names = {spelling for option in options if option.group() == group
                 for each in [option, *option.aliases] for spelling in each.spellings()}
        out += [f".SS {title}",
                ", ".join(f"\\fB{roff(each)}\\fR" for each in sorted(names))]
    out.append(".SH ENVIRONMENT")
    for name, meaning in environment.rows(environment.read_table(root)):
        out += [".TP", plain(name), plain(meaning)]
    out += [".SH EXIT STATUS",
            "0 if all went well, 1 after an error; of \\fBcufort run\\fR the program's own;",
            "of \\fBcufort info\\fR 0 if programs can use a GPU and 2 if not.",
            ".SH SEE ALSO", ".BR flang (1),", ".BR clang (1)",
            ".PP", "The documentation in the folder \\fIshare/doc/cufort\\fR."]
    return "\n".join(out) + "\n"


def spellings_for_completion(options):
    """(spelling, option, alias-or-option) of everything with an effect."""
    for option in options:
        if not option.effective():
            continue
        for each in [option, *option.aliases]:
            if each.record["Alias"] and not each.help and each is not option \
                    and each.file != "Options.td":
                continue  # nvcc's long names would double the list
            for spelling in each.spellings():
                yield spelling, option, each


def bash(options):
    words, folders, files, values = set(), set(), set(), {}
    for spelling, option, each in spellings_for_completion(options):
        words.add(spelling)
        if each.kind in ("SEPARATE", "JOINED_OR_SEPARATE"):
            if "folder" in option.meta:
                folders.add(spelling)
            elif "file" in option.meta:
                files.add(spelling)
        if option.values() and spelling.endswith("="):
            values[spelling] = option.values()
    cases = "\n".join(f"    {name}) words='{' '.join(choice)}' ;;"
                      for name, choice in sorted(values.items()))
    return f"""# Completion of cufort's command line for bash; generated from its table of options.
_cufort() {{
  local cur prev words=
  cur=${{COMP_WORDS[COMP_CWORD]}}
  prev=${{COMP_WORDS[COMP_CWORD-1]}}
  # "=" is a word of its own for bash.
  if [[ $cur == = ]]; then
    prev+==; cur=
  elif [[ $prev == = && $COMP_CWORD -gt 1 ]]; then
    prev=${{COMP_WORDS[COMP_CWORD-2]}}=
  fi
  case $prev in
{cases}
    {'|'.join(sorted(folders))})
      COMPREPLY=($(compgen -d -- "$cur")); return ;;
    {'|'.join(sorted(files))})
      COMPREPLY=($(compgen -f -- "$cur")); return ;;
  esac
  if [[ -z $words && $cur == -* ]]; then
    words='{' '.join(sorted(words))}'
    COMPREPLY=($(compgen -W "$words" -- "$cur"))
    # What takes its value after "=" goes on.
    [[ ${{#COMPREPLY[@]}} == 1 && ${{COMPREPLY[0]}} == *= ]] && compopt -o nospace
    return
  fi
  if [[ -z $words && $COMP_CWORD == 1 ]]; then
    words='run info view'
  fi
  COMPREPLY=($(compgen -W "$words" -- "$cur") $([[ $prev == *= ]] || compgen -f -- "$cur"))
}}
complete -o filenames -o bashdefault -F _cufort cufort nvfortran pgfortran pgf77 pgf90 pgf95
"""


def zsh_text(text):
    for character in "\\[]:'":
        text = text.replace(character, "'\\''" if character == "'" else "\\" + character)
    return text


def zsh(options):
    lines = []
    for spelling, option, each in spellings_for_completion(options):
        text = zsh_text(each.help or option.help)
        action = "_files -/" if "folder" in option.meta else \
            "_files" if "file" in option.meta else \
            f"({' '.join(option.values())})" if option.values() else ""
        form = zsh_text(spelling)
        suffix = ""
        if each.kind in ("JOINED", "COMMAJOINED"):
            form += "-" if not spelling.endswith("=") else "-"
            suffix = f":{zsh_text(option.meta.strip('<>') or 'value')}:{action}"
        elif each.kind == "JOINED_OR_SEPARATE":
            form += "+"
            suffix = f":{zsh_text(option.meta.strip('<>') or 'value')}:{action}"
        elif each.kind == "SEPARATE":
            suffix = f":{zsh_text(option.meta.strip('<>') or 'value')}:{action}"
        lines.append(f"  '*{form}[{text}]{suffix}'")
    body = " \\\n".join(lines)
    return f"""#compdef cufort nvfortran pgfortran pgf77 pgf90 pgf95
# Generated from cufort's table of options.
if (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then
  _alternative 'commands:command:(run info view)' 'files:file:_files'
  return
fi
_arguments -S \\
{body} \\
  '*:file:_files'
"""


def fish(options):
    out = ["# Completion of cufort's command line for fish; generated from its table of options.",
           "complete -c cufort -n __fish_use_subcommand -a run -d 'Compile and run'",
           "complete -c cufort -n __fish_use_subcommand -a info -d 'Show the devices'",
           "complete -c cufort -n __fish_use_subcommand -a view -d 'Make a page of a trace'"]
    for spelling, option, each in spellings_for_completion(options):
        text = (each.help or option.help).replace("\\", "\\\\").replace("'", "\\'")
        if spelling.startswith("--"):
            name = f"-l '{spelling[2:].rstrip('=')}'"
        elif len(spelling) == 2:
            name = f"-s '{spelling[1:]}'"
        else:
            name = f"-o '{spelling[1:].rstrip('=')}'"
        if each.kind in ("SEPARATE", "JOINED_OR_SEPARATE") or option.values():
            name += " -r"
        if option.values():
            name += f" -f -a '{' '.join(option.values())}'"
        elif "folder" in option.meta:
            name += " -f -a '(__fish_complete_directories)'"
        out.append(f"complete -c cufort {name} -d '{text}'")
    return "\n".join(out) + "\n"


def main():
    what, table, folder, version, root, output = sys.argv[1:]
    options = read_options(table)
    text = {"man": lambda: manual_page(options, folder, version, root),
            "markdown": lambda: markdown(options, folder),
            "bash": lambda: bash(options), "zsh": lambda: zsh(options),
            "fish": lambda: fish(options)}[what]()
    with open(output, "w", encoding="utf-8") as file:
        file.write(text)


main()
