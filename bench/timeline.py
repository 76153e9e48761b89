"""timeline.py TRACE PICTURE: a part of a CUFORT_TRACE file as an SVG picture.

Draws the tracks of host threads, streams and workers from the first to the last
operation of a device, for documents; look at traces with Perfetto.
"""
import json
import sys
from xml.sax.saxutils import escape

WIDTH, LEFT, ROW, TOP = 720, 100, 26, 34
STYLE = """
  text { font: 12px system-ui, sans-serif; fill: #24292f }
  .note { font-size: 11px; fill: #57606a } .grid { stroke: #d0d7de }
  .kernel { fill: #54aeff } .copy { fill: #d4a72c } .call { fill: #8c959f }
  .inside { fill: #0b1117; font-size: 11px }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 } .note { fill: #9198a1 } .grid { stroke: #3d444d }
    .kernel { fill: #4493f8 } .copy { fill: #d29922 } .call { fill: #6e7681 }
    .inside { fill: #0b1117 }
  }
"""


def kind(event):
    if event.get("cat") == "call":
        return "call"
    return "copy" if event["name"] == "copy" else "kernel"


def main():
    trace, picture = sys.argv[1:]
    with open(trace, encoding="utf-8") as file:
        content = json.load(file)
    events = content["traceEvents"] if isinstance(content, dict) else content
    titles = {(each["pid"], each["tid"]): each["args"]["name"] for each in events
              if each["ph"] == "M" and each["name"] == "thread_name"}
    bars = [each for each in events if each["ph"] == "X"]
    work = [each for each in bars if each.get("cat") in ("kernel", "copy")]
    begin = min(each["ts"] for each in work)
    end = max(each["ts"] + each["dur"] for each in work)
    bars = [each for each in bars if each["ts"] + each["dur"] > begin and each["ts"] < end]
    tracks = sorted({(each["pid"], each["tid"]) for each in bars})
    scale = (WIDTH - LEFT - 10) / (end - begin)
    height = TOP + len(tracks) * ROW + 24
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" '
           f'viewBox="0 0 {WIDTH} {height}" role="img">',
           "<title>A timeline: host thread, streams and workers</title>",
           "<!-- Drawn by bench/timeline.py of a file that CUFORT_TRACE wrote. -->",
           f"<style>{STYLE}</style>"]
    for number, (name, title) in enumerate((("kernel", "kernels"), ("copy", "copies"),
                                            ("call", "calls"))):
        x = LEFT + number * 90
        out += [f'<rect class="{name}" x="{x}" y="8" width="12" height="12"/>',
                f'<text class="note" x="{x + 17}" y="18">{title}</text>']
    bottom = TOP + len(tracks) * ROW
    step = next(each for each in (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 1000)
                if (end - begin) / 1000 / each <= 10)
    tick = 0
    while tick * step * 1000 <= end - begin:
        x = LEFT + tick * step * 1000 * scale
        out += [f'<line class="grid" x1="{x:.1f}" y1="{TOP - 4}" x2="{x:.1f}" y2="{bottom}"/>',
                f'<text class="note" x="{x:.1f}" y="{bottom + 14}" text-anchor="middle">'
                f"{tick * step:g}{' ms' if tick == 0 else ''}</text>"]
        tick += 1
    for row, track in enumerate(tracks):
        y = TOP + row * ROW
        out.append(f'<text x="{LEFT - 8}" y="{y + 16}" text-anchor="end">'
                   f"{escape(titles.get(track, ''))}</text>")
        for each in bars:
            if (each["pid"], each["tid"]) != track:
                continue
            x = LEFT + (max(each["ts"], begin) - begin) * scale
            width = (min(each["ts"] + each["dur"], end) - max(each["ts"], begin)) * scale
            name = each["name"].split(" of module")[0]
            out.append(f'<rect class="{kind(each)}" x="{x:.1f}" y="{y + 2}" '
                       f'width="{max(width - 0.5, 0.5):.1f}" height="{ROW - 6}">'
                       f"<title>{escape(each['name'])}: {each['dur']:.0f} us</title></rect>")
            if width > 7 * len(name):
                out.append(f'<text class="inside" x="{x + 4:.1f}" y="{y + 16}">'
                           f"{escape(name)}</text>")
    with open(picture, "w", encoding="utf-8") as file:
        file.write("\n".join(out + ["</svg>", ""]))


main()
