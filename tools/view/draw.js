// The timeline's picture. What is drawn depends on the pixels, not on the number of events: those
// that begin within the same pixel are one.
'use strict';

const LaneHeight = 18, TrackGap = 6;
/// Below this width a rectangle is part of a merged one.
const LeastWidth = 1.5;
/// More arrows than these would hide what they join.
const MostArrows = 240;

class Painter {
  constructor(canvas, axis, colours) {
    this.canvas = canvas;
    this.axis = axis;
    this.colours = colours;
    this.font = '12px ' + getComputedStyle(document.body).fontFamily;
    this.letters = new Map();
  }

  resize(width, height) {
    this.width = width;
    this.height = height;
    this.ratio = window.devicePixelRatio || 1;
    for (const [canvas, high] of [[this.canvas, height], [this.axis, 26]]) {
      canvas.width = Math.round(width * this.ratio);
      canvas.height = Math.round(high * this.ratio);
      canvas.style.width = width + 'px';
      canvas.style.height = high + 'px';
    }
  }

  /// \p view: x (a scale), left, top, rows, trace, selected, matches.
  draw(view) {
    const c = this.c = this.canvas.getContext('2d');
    this.view = view;
    [this.from, this.to] = view.x.domain();
    this.perPixel = (this.to - this.from) / (this.width - view.left);
    c.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    c.fillStyle = this.colours.back;
    c.fillRect(0, 0, this.width, this.height);
    c.font = this.font;
    c.textBaseline = 'middle';
    this.drawTicks();
    c.save();
    c.beginPath();
    c.rect(view.left, 0, this.width - view.left, this.height);
    c.clip();
    for (const row of view.rows) {
      const y = row.y - view.top;
      if (y > this.height || y + row.height < 0)
        continue;
      if (row.kind === 'group')
        this.drawGroup(row, y);
      else if (row.kind === 'counter')
        this.drawCounter(row, y);
      else
        this.drawTrack(row, y);
    }
    this.drawArrows();
    this.drawSelection();
    c.restore();
  }

  drawTicks() {
    const {view, c} = this;
    const {first} = view.trace, count = Math.max(2, (this.width - view.left) / 110);
    const ticks = d3.ticks(this.from - first, this.to - first, count);
    const step = d3.tickStep(this.from - first, this.to - first, count);
    c.fillStyle = this.colours.grid;
    for (const tick of ticks)
      c.fillRect(Math.round(view.x(first + tick)), 0, 1, this.height);
    const a = this.axis.getContext('2d');
    a.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    a.fillStyle = this.colours.back;
    a.fillRect(0, 0, this.width, 26);
    a.font = this.font;
    a.textBaseline = 'middle';
    for (const tick of ticks) {
      const x = Math.round(view.x(first + tick));
      a.fillStyle = this.colours.line;
      a.fillRect(x, 18, 1, 8);
      a.fillStyle = this.colours.muted;
      const text = axisTime(tick, step);
      if (x + 4 + a.measureText(text).width < this.width)
        a.fillText(text, x + 4, 12);
    }
  }

  drawGroup(row, y) {
    const {view, c} = this;
    c.fillStyle = this.colours.panel;
    c.fillRect(view.left, y, this.width - view.left, row.height);
    c.fillStyle = this.colours.line;
    c.fillRect(view.left, y, this.width - view.left, 1);
    c.fillRect(view.left, y + row.height - 1, this.width - view.left, 1);
  }

  drawTrack(row, y) {
    const {view, c} = this;
    c.fillStyle = this.colours.line;
    c.globalAlpha = .5;
    c.fillRect(view.left, y + row.height - 1, this.width - view.left, 1);
    row.track.lanes.forEach((lane, i) => {
      const top = y + TrackGap / 2 + i * LaneHeight;
      if (top > this.height || top + LaneHeight < 0)
        return;
      this.drawLane(lane, top, view.matches ? .18 : 1);
      const matching = view.matches && view.matches[row.index][i];
      if (matching)
        this.drawLane(matching, top, 1);
    });
    c.globalAlpha = 1;
  }

  drawLane(lane, top, alpha) {
    const {view, c} = this;
    const high = LaneHeight - 2, size = lane.events.length;
    for (let i = firstAbove(lane.end, this.from - this.perPixel); i < size;) {
      const begin = lane.begin[i];
      if (begin > this.to)
        break;
      const x = view.x(begin), right = view.x(lane.end[i]), event = lane.events[i];
      if (right - x >= LeastWidth) {
        this.drawEvent(event, x, right, top, high, alpha);
        ++i;
        continue;
      }
      const pixel = Math.floor(x);
      let next = firstAbove(lane.begin, view.x.invert(pixel + 1), i + 1);
      // The last that begins here may be a long one.
      if (next - 1 > i && (lane.end[next - 1] - lane.begin[next - 1]) / this.perPixel >= LeastWidth)
        --next;
      const shown = lane.events[(i + next) >> 1];
      c.fillStyle = this.colours.of(shown);
      if (view.trace.kind[event] === Kind.Mark) {
        this.drawMark(x, top, high, alpha);
      } else {
        const busy = (lane.busy[next] - lane.busy[i]) / this.perPixel;
        c.globalAlpha = alpha * (next - i > 1 ? .35 + .65 * Math.min(1, busy) : .9);
        c.fillRect(pixel, top, 1, high);
      }
      i = next;
    }
    c.globalAlpha = 1;
  }

  drawEvent(event, x, right, top, high, alpha) {
    const {view, c} = this;
    const from = Math.max(x, view.left - 4), to = Math.min(right, this.width + 4);
    // A hair of distance keeps neighbours apart.
    const width = to - from > 4 ? to - from - .8 : to - from;
    const colour = this.colours.of(event);
    c.globalAlpha = alpha;
    c.fillStyle = colour;
    c.fillRect(from, top, width, high);
    const left = Math.max(from, view.left), room = Math.min(to, this.width) - left - 8;
    if (room < 16 || alpha < .5)
      return;
    const text = this.fitting(view.trace.nameOf(event), room);
    if (text) {
      c.fillStyle = this.colours.textOn(colour);
      c.fillText(text, left + 4, top + high / 2 + .5);
    }
  }

  drawMark(x, top, high, alpha) {
    const c = this.c;
    c.globalAlpha = alpha;
    c.beginPath();
    c.moveTo(x, top);
    c.lineTo(x + 5, top + high / 2);
    c.lineTo(x, top + high);
    c.lineTo(x - 5, top + high / 2);
    c.fill();
  }

  /// What of \p text fits into \p room pixels.
  fitting(text, room) {
    if (!this.letters.has(text))
      this.letters.set(text, this.c.measureText(text).width);
    const width = this.letters.get(text);
    if (width <= room)
      return text;
    const letters = Math.floor(text.length * room / width) - 1;
    return letters >= 2 ? text.slice(0, letters) + '\u2026' : '';
  }

  drawCounter(row, y) {
    const {view, c} = this;
    const {time, largest} = row.counter;
    const high = row.height - 8, base = y + row.height - 3;
    const place = value => base - (largest ? value / largest : 0) * high;
    c.beginPath();
    c.moveTo(view.left, base);
    for (let x = view.left; x <= this.width; ++x) {
      const first = firstAbove(time, view.x.invert(x)) - 1;
      const next = firstAbove(time, view.x.invert(x + 1), Math.max(first, 0));
      const value = next ? row.counter.most(Math.max(first, 0), next) : 0;
      c.lineTo(x, place(value));
      c.lineTo(x + 1, place(value));
    }
    c.lineTo(this.width + 1, base);
    c.fillStyle = this.colours.memory;
    c.globalAlpha = .35;
    c.fill();
    c.globalAlpha = 1;
    c.strokeStyle = this.colours.memory;
    c.lineWidth = 1.2;
    c.stroke();
    c.fillStyle = this.colours.line;
    c.globalAlpha = .5;
    c.fillRect(view.left, y + row.height - 1, this.width - view.left, 1);
    c.globalAlpha = 1;
  }

  /// Where an event's lane is; null: in a closed group.
  topOf(event) {
    const {view} = this;
    const row = view.rowOf.get(view.trace.track[event]);
    return row ? row.y - view.top + TrackGap / 2 + view.trace.laneOf[event] * LaneHeight : null;
  }

  drawArrows() {
    const {view, c} = this, {trace} = view;
    const chosen = [];
    const first = firstAbove(trace.flowBegin, this.from), last = firstAbove(trace.flowBegin, this.to);
    c.strokeStyle = this.colours.arrow;
    c.lineWidth = 1;
    c.globalAlpha = .35;
    if (last - first <= MostArrows)
      for (let i = first; i < last; ++i)
        this.drawArrow(trace.flowFrom[i], trace.flowTo[i]);
    c.globalAlpha = 1;
    c.lineWidth = 1.8;
    c.strokeStyle = this.colours.mark;
    if (view.selected !== null) {
      if (trace.launchOf.has(view.selected))
        chosen.push([trace.launchOf.get(view.selected), view.selected]);
      if (trace.workOf.has(view.selected))
        chosen.push([view.selected, trace.workOf.get(view.selected)]);
    }
    for (const [from, to] of chosen)
      this.drawArrow(from, to);
  }

  drawArrow(from, to) {
    const {view, c} = this, {trace} = view;
    let y = this.topOf(from), below = this.topOf(to);
    if (y === null || below === null)
      return;
    const high = LaneHeight - 2;
    y += below > y ? high : 0;
    below += below > y ? 0 : high;
    const x = view.x(trace.begin[from]) + 2, end = view.x(trace.begin[to]);
    const bend = Math.max(8, Math.min(60, Math.abs(end - x) / 2));
    c.beginPath();
    c.moveTo(x, y);
    c.bezierCurveTo(x + bend, y, end - bend, below, end, below);
    c.stroke();
    c.fillStyle = c.strokeStyle;
    c.beginPath();
    c.moveTo(end + 1, below);
    c.lineTo(end - 6, below - 3);
    c.lineTo(end - 6, below + 3);
    c.fill();
  }

  drawSelection() {
    const {view, c} = this;
    if (view.selected === null)
      return;
    const top = this.topOf(view.selected);
    if (top === null)
      return;
    const x = view.x(view.trace.begin[view.selected]);
    const right = view.x(view.trace.end(view.selected));
    c.strokeStyle = this.colours.mark;
    c.lineWidth = 2;
    const from = Math.max(x, view.left - 6), to = Math.min(right, this.width + 6);
    c.strokeRect(from - .5, top - .5, Math.max(to - from, 2), LaneHeight - 1);
  }
}
