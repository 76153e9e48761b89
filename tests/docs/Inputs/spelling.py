"""spelling.py ROOT WORDS: the prose of all documents is spelt as Debian's British
dictionary has it (hunspell-en-gb), or as the file WORDS, one word a line.
"""
import re
import subprocess
import sys

import documents

root, words = sys.argv[1:]


def prose(text):
    lines, _ = documents.split(documents.without_comments(text))
    page = documents.without_code("\n".join(lines))
    page = re.sub(r"\]\([^)]*\)|<[^>]*>|https?://\S+|^\[[^\]]+\]:.*$", " ", page, flags=re.M)
    # Names of files, packages and programs: not words of any language.
    page = re.sub(r"\S*[\w)]([/_\\@=]|\.(?=\w))\S*", " ", page)
    # Names with digits or with capitals inside: cuFFT, x86-64, H200.
    page = re.sub(r"\b\w*(\d|[a-z][A-Z]|[A-Z]{2})\w*('s)?\b", " ", page)
    return page


known = {word.strip() for word in open(words, encoding="utf-8") if word.strip()}
where = {}
for path in documents.files(root, ".md"):
    for number, line in enumerate(prose(documents.read(root, path)).split("\n"), 1):
        for word in re.findall(r"[A-Za-zÀ-ÿ]+(?:'[a-z]+)?", line):
            where.setdefault(word, f"{path}:{number}")

done = subprocess.run(["hunspell", "-d", "en_GB", "-i", "utf-8", "-l"], check=True,
                      capture_output=True, text=True,
                      input="\n".join(sorted(where)) + "\n")
unknown = {word.removesuffix("'s") for word in done.stdout.split()}
places = {word.removesuffix("'s"): place for word, place in where.items()}
wrong = sorted(word for word in unknown if word not in known
               and word[0].lower() + word[1:] not in known)
for word in wrong:
    print(f"{places[word]}: {word}")
sys.exit(bool(wrong))
