"""documented.py CUFORT MANUAL: every option of --help stands in the manual."""
import re
import subprocess
import sys

cufort, manual = sys.argv[1:]
text = open(manual, encoding="utf-8").read()
help_text = subprocess.run([cufort, "--help"], capture_output=True, text=True,
                           check=True).stdout
options = re.findall(r"^  (--?[^\s<]+)", help_text, re.MULTILINE)
assert len(options) > 100, "the help text has changed its form"
words = set(re.findall(r"--?[#\w+,=-]+", text))
missing = [o for o in options if o not in words and o.rstrip("=") not in words]
for option in missing:
    print(f"{manual}: {option} is missing")
sys.exit(bool(missing))
