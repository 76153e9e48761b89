"""documented.py CUFORT MANUAL: every option of --help stands in the manual."""
import re
import subprocess
import sys

cufort, manual = sys.argv[1:]
text = open(manual, encoding="utf-8").read()
help_text = subprocess.run([cufort, "--help"], capture_output=True, text=True,
                           check=True).stdout
options = [re.sub(r"(?<==).*", "", option) for option in
           re.findall(r"^  (--?[^\s<]+)", help_text, re.MULTILINE)]
assert len(options) > 100, "the help text has changed its form"
words = [word.rstrip(".") for word in re.findall(r"--?[#\w+,=.-]+", text)]


def documented(option):
    # Options with a value attached stand there with an example of the value.
    if option[-1] in "=,-" or len(option) == 2:
        return any(word.startswith(option) for word in words)
    return option in words


missing = [option for option in options if not documented(option)]
for option in missing:
    print(f"{manual}: {option} is missing")
sys.exit(bool(missing))
