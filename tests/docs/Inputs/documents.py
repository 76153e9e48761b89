"""What the tests of documents share: which files are documents, their blocks of
code, their headings and links. Markdown is read as far as the tree uses it.
"""
import os
import re

SKIPPED = {".git", "build", "gpu-build", "__pycache__"}


def files(root, *endings):
    """The files of the tree with one of these endings, relative to root."""
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(name for name in folders if name not in SKIPPED
                            and not os.path.exists(os.path.join(folder, name, "CMakeCache.txt")))
        for name in sorted(names):
            path = os.path.join(folder, name)
            if name.endswith(endings) and os.path.isfile(path) and not os.path.islink(path):
                yield os.path.relpath(path, root)


def read(root, path):
    with open(os.path.join(root, path), encoding="utf-8", errors="replace") as file:
        return file.read()


class Block:
    """A block of code: its first line's number, language, mark, and lines."""

    def __init__(self, line, language, mark, lines):
        self.line = line
        self.language = language
        self.mark = mark
        self.lines = lines

    def text(self):
        return "\n".join(self.lines) + "\n"


MARK = re.compile(r"<!--\s*test:\s*(.*?)\s*-->\s*$")


def split(text):
    """(lines of prose, blocks): in the prose the lines of blocks are empty."""
    lines = text.split("\n")
    prose, blocks = [], []
    mark = None  # the mark in the last line that is not empty
    in_list = False
    number = 0
    while number < len(lines):
        line = lines[number]
        fence = re.match(r"( *)(```+|~~~+)\s*(\S*)", line)
        blank_before = number == 0 or not lines[number - 1].strip() or mark is not None
        if fence:
            end = number + 1
            while end < len(lines) and lines[end].strip() != fence[2]:
                end += 1
            body = [each[len(fence[1]):] for each in lines[number + 1:end]]
            blocks.append(Block(number + 2, fence[3], mark, body))
            prose += [""] * (end + 1 - number)
            number, mark = end + 1, None
            continue
        if line.startswith("    ") and line.strip() and blank_before and not in_list:
            end = number
            while end < len(lines) and (lines[end].startswith("    ")
                                        or not lines[end].strip()):
                end += 1
            while not lines[end - 1].strip():
                end -= 1
            blocks.append(Block(number + 1, "", mark,
                                [each[4:] for each in lines[number:end]]))
            prose += [""] * (end - number)
            number, mark = end, None
            continue
        if line.strip():
            found = MARK.search(line)
            mark = found[1] if found else None
            if re.match(r"\s*([-*+]|\d+[.)]) ", line):
                in_list = True
            elif not line.startswith(" "):
                in_list = False
        prose.append(line)
        number += 1
    return prose, blocks


def without_code(text):
    """A line or page of prose without code in backticks."""
    return re.sub(r"(`+)(?!`).*?(?<!`)\1(?!`)", " ", text, flags=re.S)


def without_comments(text):
    return re.sub(r"<!--.*?-->", lambda found: "\n" * found[0].count("\n"), text, flags=re.S)


def anchors(text):
    """The anchors of a page's headings, made as GitHub and the site make them."""
    prose, _ = split(text)
    seen = {}
    for line in prose:
        heading = re.match(r"#{1,6}\s+(.*?)\s*#*$", line)
        if heading:
            title = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading[1]).replace("`", "")
            slug = re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")
            count = seen.get(slug, 0)
            seen[slug] = count + 1
            yield f"{slug}-{count}" if count else slug
        yield from re.findall(r'<a (?:id|name)="([^"]+)"', line)


def links(text):
    """(line number, target) of every link and picture."""
    prose, _ = split(without_comments(text))
    page = without_code("\n".join(prose))
    # Code that was taken away may have held line ends; count on the page itself.
    for found in re.finditer(r"\]\(\s*<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\s*\)"
                             r"|<(?:img|a|source)\b[^>]*?\b(?:src|href|srcset)=\"([^\"]+)\"",
                             page):
        yield page.count("\n", 0, found.start()) + 1, found[1] or found[2]
    for found in re.finditer(r"^\[[^\]]+\]:\s*(\S+)", page, re.M):
        yield page.count("\n", 0, found.start()) + 1, found[1]
