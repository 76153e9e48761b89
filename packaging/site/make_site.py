"""make_site.py ROOT VERSION FOLDER: the documents as static HTML in FOLDER/html.

Needs Sphinx, MyST and Furo (Debian: python3-sphinx, python3-myst-parser, furo). All
Markdown files of the tree become pages, with the links that they have; the
navigation is navigation.txt. Nothing is fetched, and the pages open from the file
system, search included.
"""
import os
import re
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
SKIPPED = {".git", "build", "gpu-build"}


def pages(root):
    """The Markdown files of the tree, relative to root."""
    for folder, folders, names in os.walk(root):
        here = os.path.relpath(folder, root)
        folders[:] = [name for name in folders
                      if os.path.normpath(os.path.join(here, name)) not in SKIPPED
                      and not os.path.exists(os.path.join(folder, name, "CMakeCache.txt"))]
        yield from (os.path.normpath(os.path.join(here, name))
                    for name in names if name.endswith(".md"))


def copy(root, path, source):
    """Copies a page and the files of the tree that it shows or links to."""
    with open(os.path.join(root, path), encoding="utf-8") as file:
        text = file.read()
    target = os.path.join(source, path)
    os.makedirs(os.path.dirname(target), exist_ok=True)
    with open(target, "w", encoding="utf-8") as file:
        file.write(text)
    for link in re.findall(r"\]\(([^)\s#:]+)(?:#[^)]*)?\)|\b(?:src|srcset)=\"([^\":]+)\"", text):
        name = os.path.normpath(os.path.join(os.path.dirname(path), link[0] or link[1]))
        if os.path.isfile(os.path.join(root, name)) and not name.startswith(".."):
            os.makedirs(os.path.dirname(os.path.join(source, name)), exist_ok=True)
            shutil.copyfile(os.path.join(root, name), os.path.join(source, name))


def navigation(found):
    """The parts of navigation.txt: (title, pages). It names every page of docs/; the
    rest follows.
    """
    parts = []
    with open(os.path.join(HERE, "navigation.txt"), encoding="utf-8") as file:
        for line in file.read().splitlines():
            if line.startswith("  "):
                if line.strip() not in found:
                    sys.exit(f"navigation.txt: {line.strip()} is not there")
                parts[-1][1].append(line.strip())
            elif line and not line.startswith("#"):
                parts.append((line, []))
    named = {page for _, members in parts for page in members}
    for page in found:
        if page.startswith("docs/") and page not in named:
            sys.exit(f"navigation.txt does not name {page}")
    parts.append(("Folders of the source tree", sorted(
        page for page in found if page not in named and page != "README.md")))
    return parts


def toctree(title, members):
    entries = "\n".join("/" + page.removesuffix(".md") for page in members)
    return f"\n```{{toctree}}\n:hidden:\n:maxdepth: 1\n:caption: {title}\n\n{entries}\n```\n"


def change(path, edit):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    with open(path, "w", encoding="utf-8") as file:
        file.write(edit(text))


def complete(html):
    """Puts back what Debian's package of Furo leaves to a web server and a bundler:
    the style sheet that it imports, the script, and the colours at night.
    """
    static = os.path.join(html, "_static")
    normalize = "/usr/share/javascript/normalize.css/normalize.css"
    with open(os.path.join(static, "scripts", "gumshoe-patched.js"), encoding="utf-8") as file:
        gumshoe = file.read()
    change(os.path.join(static, "scripts", "furo.js"), lambda text: re.sub(
        r"^import Gumshoe from .*\n", lambda _: gumshoe, text))

    def style(text):
        if os.path.exists(normalize):
            with open(normalize, encoding="utf-8") as file:
                text = re.sub(r"^@import url\([^)]*\);", lambda _: file.read(), text)
        dark = re.search(r'body\[data-theme="dark"\] (\{[^{}]*\})', text)
        if dark and "prefers-color-scheme" not in text:
            text += '@media (prefers-color-scheme: dark) {\n  body[data-theme="auto"] ' \
                    + dark[1] + " }\n"
        return text

    change(os.path.join(static, "styles", "furo.css"), style)


def main():
    root, version, folder = sys.argv[1:]
    try:
        import furo  # noqa: F401
        import myst_parser  # noqa: F401
        import sphinx  # noqa: F401
    except ImportError as error:
        sys.exit(f"The site needs {error.name}: apt install python3-sphinx "
                 "python3-myst-parser furo")
    source, html = os.path.join(folder, "source"), os.path.join(folder, "html")
    shutil.rmtree(source, ignore_errors=True)
    found = sorted(pages(root))
    for path in found:
        copy(root, path, source)
    with open(os.path.join(source, "README.md"), "a", encoding="utf-8") as file:
        file.write("".join(toctree(*part) for part in navigation(found)))
    status = subprocess.run(
        [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-b", "html", "-c", HERE,
         "-D", "release=" + version, "-d", os.path.join(folder, "trees"), source, html],
        check=False).returncode
    if not status:
        complete(html)
    sys.exit(status)


main()
