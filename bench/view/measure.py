#!/usr/bin/env python3
"""How long a page of `cufort view` takes to be made, to load and to draw.

usage: measure.py CUFORT [EVENTS] [--width PIXELS]

Writes a trace of so many events (500000), makes the page, loads it in headless Chromium and
prints a table. Zoom: a picture for each of sixty windows, from the whole trace to a
microsecond, at three places, drawn and read back so that it is really painted. Search: all
events of a name.
"""
import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time

STEPS = """<script>
{
  const result = {load: Number(document.documentElement.dataset.ready)};
  const c = document.getElementById('drawing').getContext('2d');
  const drawn = () => {
    const start = performance.now();
    timeline.drawNow();
    c.getImageData(0, 0, 1, 1);
    return performance.now() - start;
  };
  const times = [], whole = trace.last - trace.first;
  drawn();
  result.first = drawn();
  for (let step = 0; step < 20; ++step)
    for (const place of [.1, .5, .9]) {
      const width = whole * Math.pow(1000 / whole, step / 19);
      const middle = trace.first + whole * place;
      timeline.show(middle - width / 2, middle + width / 2);
      times.push(drawn());
    }
  times.sort((a, b) => a - b);
  result.median = times[times.length >> 1];
  result.most = times[times.length - 1];
  timeline.show(trace.first, trace.last);
  let start = performance.now();
  timeline.search('smooth');
  drawn();
  result.search = performance.now() - start;
  start = performance.now();
  show('tables');
  document.getElementById('tables').getBoundingClientRect();
  result.tables = performance.now() - start;
  const out = document.createElement('pre');
  out.id = 'measured';
  out.textContent = Object.entries(result).map(([k, v]) => k + '=' + v.toFixed(1)).join(' ');
  document.body.append(out);
}
</script>"""


def browser():
    for name in ("chromium", "chromium-headless-shell"):
        if shutil.which(name):
            return name
    sys.exit("error: chromium is not installed")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("cufort")
    parser.add_argument("events", nargs="?", default="500000")
    parser.add_argument("--width", default="1600")
    arguments = parser.parse_args()
    here = os.path.dirname(os.path.abspath(__file__))
    with tempfile.TemporaryDirectory() as folder:
        trace, page = os.path.join(folder, "trace.json"), os.path.join(folder, "trace.html")
        subprocess.run([sys.executable, os.path.join(here, "synthetic.py"), arguments.events, trace],
                       check=True)
        begin = time.monotonic()
        subprocess.run([arguments.cufort, "view", trace, "-o", page], check=True)
        made = time.monotonic() - begin
        sizes = [os.path.getsize(each) / 1e6 for each in (trace, page)]
        with open(page, "a", encoding="utf-8") as file:
            file.write(STEPS)
        text = subprocess.run(
            [browser(), "--headless", "--no-sandbox", "--dump-dom",
             f"--window-size={arguments.width},900", "file://" + page],
            check=True, capture_output=True, text=True, timeout=300).stdout
    found = text.rpartition('id="measured">')[2].partition("<")[0]
    figures = dict(each.split("=") for each in found.split())
    print(f"{arguments.events} events, trace of {sizes[0]:.1f} MB, page of {sizes[1]:.1f} MB")
    print(f"  cufort view        {made:8.2f} s")
    for key, name in (("load", "load"), ("first", "whole trace"), ("median", "zoom, median"),
                      ("most", "zoom, slowest"), ("search", "search"), ("tables", "tables")):
        print(f"  {name:18} {float(figures[key]):8.1f} ms")


main()
