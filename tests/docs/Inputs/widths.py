"""widths.py CHROMIUM SITE: no page of the site is wider than the window, on a telephone
and on a desk; what is wide, tables and code, scrolls by itself."""
import os
import re
import subprocess
import sys
import tempfile

chromium, site = sys.argv[1:]
WIDTHS = (420, 1300)
pages = sorted(os.path.relpath(os.path.join(folder, name), site)
               for folder, _, names in os.walk(site) if "_" not in os.path.relpath(folder, site)
               for name in names
               if name.endswith(".html") and name not in ("index.html", "search.html",
                                                          "genindex.html"))
assert len(pages) > 60, "the pages are not found"
frames = "".join(f'<iframe src="file://{site}/{page}" width="{width}" height="300"></iframe>\n'
                 for page in pages for width in WIDTHS)
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "frames.html")
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"""<!DOCTYPE html><body>{frames}<script>
addEventListener("load", () => {{
  const lines = [...document.querySelectorAll("iframe")].map(frame => {{
    const root = frame.contentDocument.documentElement, view = frame.contentWindow
    const article = root.querySelector("article")
    const scrolls = element => element && element !== article.parentElement &&
      (/auto|scroll/.test(view.getComputedStyle(element).overflowX) ||
       scrolls(element.parentElement))
    let right = root.scrollWidth
    for (const element of article?.querySelectorAll("*") ?? [])
      if (!scrolls(element.parentElement))
        right = Math.max(right, element.getBoundingClientRect().right)
    return [article ? "page" : "empty", Math.floor(right), root.clientWidth, frame.width,
            frame.src].join(" ")
  }})
  document.body.innerHTML = "<pre>" + lines.join("\\n") + "</pre>"
}})
</script>""")
    dom = subprocess.run([chromium, "--headless", "--no-sandbox", "--disable-gpu",
                          "--allow-file-access-from-files", "--virtual-time-budget=60000",
                          "--window-size=1400,1000", "--dump-dom", f"file://{path}"],
                         stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                         timeout=500, check=False).stdout
found = re.findall(r"^(?:.*<pre>)?(\w+) (\d+) (\d+) (\d+) file://(\S+?)(?:</pre>.*)?$", dom, re.MULTILINE)
wide = [f"{page}: {has} {wanted} in {given} of {frame}" for has, wanted, given, frame, page in found
        if has != "page" or int(wanted) > int(given)]
print("\n".join(wide) or f"{len(found)} views of {len(pages)} pages")
sys.exit(bool(wide) or len(found) != len(pages) * len(WIDTHS))
