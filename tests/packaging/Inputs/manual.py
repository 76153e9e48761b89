"""manual.py SHARE CUFORT: every option of --help with an effect is in the manual page and in
every completion."""
import re
import subprocess
import sys

share, cufort = sys.argv[1:]
files = ["man/man1/cufort.1", "bash-completion/completions/cufort",
         "zsh/site-functions/_cufort", "fish/vendor_completions.d/cufort.fish"]
help_text = subprocess.run([cufort, "--help"], capture_output=True, text=True,
                           check=True).stdout.split("OPTIONS THAT ARE NOT")[0]
options = re.findall(r"^  (--?[^\s<,]+)", help_text, re.M)
assert len(options) > 100, "the help text has changed its form"
failed = False
for name in files:
    with open(f"{share}/{name}", encoding="utf-8") as file:
        text = file.read().replace("\\-", "-").replace("\\[", "[").replace("\\]", "]")
    for option in options:
        bare = option.split("=")[0]
        wanted = bare if "fish" not in name else bare.lstrip("-")
        if wanted not in text:
            print(f"{name}: {option} is missing")
            failed = True
sys.exit(failed)
