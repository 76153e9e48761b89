// What kernels reach of what the device could: operations a second over operations for each byte.
'use strict';

/// Kernels with what they compute and move, joined by name with how long they take.
function rooflinePoints(trace, tables) {
  const counts = new Map(trace.counts.kernels.map(each => [each.name, each]));
  const points = [];
  for (const row of tables.kernels) {
    const counted = counts.get(row.name);
    if (!counted || !row.total)
      continue;
    const flops32 = counted.flops32 / counted.launches, flops64 = counted.flops64 / counted.launches;
    const bytes = counted.bytes / counted.launches, flops = flops32 + flops64;
    points.push({name: row.name, device: row.device, share: row.share, mean: row.mean, flops, bytes,
                 launches: row.calls, is64: flops64 >= flops32, intensity: bytes ? flops / bytes : Infinity,
                 rate: flops / row.mean * 1e9, traffic: bytes / row.mean * 1e9});
  }
  return points;
}

/// The peaks of device \p number: those it says, else those that the counting run measured on a
/// device of the same name.
function peaksOf(trace, number) {
  const own = trace.devices.find(each => each.device === number);
  if (own && own.peak_bytes)
    return own;
  return trace.counts.devices.find(each => each.peak_bytes && own && each.name === own.name) || null;
}

const HowToCount = `$ cufort --count-operations prog.cuf -o counting
$ CUFORT_DEVICE=cpu CUFORT_TRACE=counts.json ./counting
$ CUFORT_TRACE=times.json ./prog
$ cufort view times.json --counts counts.json`;

function explainRoofline(section) {
  section.append(
      make('h2', {}, 'No roofline yet'),
      make('p', {className: 'note'},
           'A roofline needs the floating-point operations and the bytes of each kernel, which this ' +
           'trace does not have. A program that is built with --count-operations counts them while it ' +
           'runs on the CPU; it is slower, so its counts are joined with the times of an ordinary run, ' +
           'on the CPU or on a GPU:'),
      make('pre', {}, HowToCount));
}

class Roofline {
  constructor(points, peaks, colours, trace, find) {
    Object.assign(this, {points, peaks, colours, trace, find});
    this.drawn = points.filter(point => point.flops && point.bytes);
    [this.width, this.height] = [940, 500];
    this.margin = {left: 84, right: 24, top: 18, bottom: 52};
    this.svg = d3.create('svg').attr('viewBox', [0, 0, this.width, this.height])
                   .attr('width', this.width).attr('role', 'img')
                   .attr('aria-label', 'Roofline; the table below has its numbers');
    this.makeScales();
    this.drawAxes();
    if (peaks)
      this.drawRoofs();
    this.drawPoints();
  }

  makeScales() {
    const {peaks} = this, {left, right, top, bottom} = this.margin;
    const xs = this.drawn.map(point => point.intensity), ys = this.drawn.map(point => point.rate);
    if (peaks) {
      xs.push(peaks.peak_flops32 / peaks.peak_bytes);
      ys.push(peaks.peak_flops32);
    }
    const wide = (values, low, high) => [d3.min(values) / low, d3.max(values) * high];
    this.x = d3.scaleLog().domain(wide(xs.length ? xs : [1], 4, 4)).range([left, this.width - right]);
    this.y = d3.scaleLog().domain(wide(ys.length ? ys : [1e9], 5, 2.5))
                 .range([this.height - bottom, top]);
  }

  drawAxes() {
    const {svg, x, y} = this, {left, right, top, bottom} = this.margin;
    const power = scale => scale.ticks().filter(each => {
      const digits = Math.log10(each);
      return Math.abs(digits - Math.round(digits)) < 1e-6;
    });
    const short = value => value < 1000 ? String(+value.toPrecision(2)) : d3.format('~s')(value);
    svg.append('g').attr('class', 'grid').attr('transform', `translate(0,${this.height - bottom})`)
        .call(d3.axisBottom(x).tickValues(x.ticks()).tickSize(top + bottom - this.height).tickFormat(''));
    svg.append('g').attr('class', 'grid').attr('transform', `translate(${left},0)`)
        .call(d3.axisLeft(y).tickValues(y.ticks()).tickSize(left + right - this.width).tickFormat(''));
    svg.append('g').attr('class', 'axis').attr('transform', `translate(0,${this.height - bottom})`)
        .call(d3.axisBottom(x).tickValues(this.few(power(x), x)).tickFormat(short).tickSizeOuter(0));
    svg.append('g').attr('class', 'axis').attr('transform', `translate(${left},0)`)
        .call(d3.axisLeft(y).tickValues(this.few(power(y), y))
                  .tickFormat(d3.format('~s')).tickSizeOuter(0));
    svg.append('text').attr('class', 'soft').attr('text-anchor', 'middle')
        .attr('x', (left + this.width - right) / 2).attr('y', this.height - 12)
        .text('operations for each byte');
    svg.append('text').attr('class', 'soft').attr('text-anchor', 'middle')
        .attr('transform', `translate(16,${(top + this.height - bottom) / 2}) rotate(-90)`)
        .text('floating-point operations a second');
  }
  /// Powers of ten, or all ticks where there are too few of them.
  few(values, scale) { return values.length >= 2 ? values : scale.ticks(5); }

  drawRoofs() {
    const {svg, x, y, peaks} = this, [low, high] = x.domain();
    const roof = (peak, name, kind) => {
      if (!peak)
        return;
      const ridge = peak / peaks.peak_bytes;
      const from = Math.max(low, y.domain()[0] / peaks.peak_bytes);
      const corner = Math.min(Math.max(ridge, from), high);
      svg.append('path').attr('class', 'roof ' + kind)
          .attr('d', d3.line()([[x(from), y(Math.min(peak, from * peaks.peak_bytes))],
                                [x(corner), y(Math.min(peak, corner * peaks.peak_bytes))],
                                [x(high), y(Math.min(peak, high * peaks.peak_bytes))]]));
      svg.append('text').attr('class', 'soft').attr('text-anchor', 'end')
          .attr('x', x(high) - 4).attr('y', y(peak) - 6)
          .text(`${name}, ${scaled(peak, 'flop/s')}`);
    };
    roof(peaks.peak_flops32, '32 bits', 'single');
    roof(peaks.peak_flops64, '64 bits', 'double');
    const ridge = Math.min(peaks.peak_flops64 || peaks.peak_flops32, peaks.peak_flops32) /
        peaks.peak_bytes;
    const at = Math.sqrt(Math.max(low, y.domain()[0] / peaks.peak_bytes) * ridge);
    const slope = Math.atan2(y(ridge * peaks.peak_bytes) - y(at * peaks.peak_bytes), x(ridge) - x(at));
    svg.append('text').attr('class', 'soft').attr('text-anchor', 'middle').attr('dy', -8)
        .attr('transform', `translate(${x(at)},${y(at * peaks.peak_bytes)}) ` +
              `rotate(${slope * 180 / Math.PI})`)
        .text('memory, ' + scaled(peaks.peak_bytes, 'B/s'));
  }

  drawPoints() {
    const {svg, x, y} = this;
    const size = d3.scaleSqrt().domain([0, 1]).range([5, 22]);
    const colour = point =>
        this.colours.ofName.get(this.trace.names.indexOf(point.name)) || this.colours.other;
    const group = svg.selectAll('g.point').data(this.drawn).join('g').attr('class', 'point')
                      .attr('transform', point => `translate(${x(point.intensity)},${y(point.rate)})`);
    group.append('circle').attr('r', point => size(point.share)).attr('fill', colour)
        .on('click', point => this.find(point.name))
        .append('title').text(point => `${point.name}: ${scaled(point.rate, 'flop/s')}, ` +
              `${scaled(point.traffic, 'B/s')}, ${percent(point.share)} of the kernels' time`);
    // Names beside their points, those of the most time first, unless one is there already.
    const taken = [];
    group.filter(point => {
      const [left, top] = [x(point.intensity), y(point.rate)];
      const free = taken.every(([l, t]) => Math.abs(l - left) > 130 || Math.abs(t - top) > 15);
      if (free)
        taken.push([left, top]);
      return free;
    }).append('text').text(point => point.name).attr('dy', '.35em')
        .attr('x', point => (x(point.intensity) > this.width - 200 ? -1 : 1) * (size(point.share) + 5))
        .attr('text-anchor', point => x(point.intensity) > this.width - 200 ? 'end' : 'start');
  }
}

function rooflineColumns(peaks) {
  const roof = point => Math.min(point.is64 ? peaks.peak_flops64 : peaks.peak_flops32,
                                 point.intensity * peaks.peak_bytes);
  const columns = [
    ['kernel', point => point.name, null],
    ['share', point => point.share, percent, 'share'],
    ['mean', point => point.mean, duration],
    ['flop', point => point.flops, value => scaled(value, 'flop')],
    ['bytes', point => point.bytes, value => scaled(value, 'B')],
    ['flop/byte', point => point.intensity,
     value => Number.isFinite(value) ? value.toPrecision(3) : ''],
    ['flop/s', point => point.rate, value => scaled(value, 'flop/s')],
    ['B/s', point => point.traffic, value => scaled(value, 'B/s')],
  ];
  if (peaks)
    columns.push(['of the roof', point => point.flops ? point.rate / roof(point) :
                                                        point.traffic / peaks.peak_bytes, percent]);
  return columns;
}

/// Fills \p section.
function showRoofline(section, trace, tables, colours, find) {
  const points = rooflinePoints(trace, tables);
  if (!points.length)
    return explainRoofline(section);
  for (const device of [...new Set(points.map(point => point.device))].sort()) {
    const own = points.filter(point => point.device === device), peaks = peaksOf(trace, device);
    const described = trace.devices.find(each => each.device === device);
    section.append(make('h2', {}, 'Device ' + device + (described ? ', ' + described.name : '')));
    section.append(make('div', {className: 'wide'},
                        new Roofline(own, peaks, colours, trace, find).svg.node()));
    section.append(new Table('table-roofline-' + device, 'Roofline', rooflineColumns(peaks), own,
                             {find, colour: point => colours.ofName.get(trace.names.indexOf(point.name)) ||
                                                     colours.other}).element);
    section.append(make('p', {className: 'note'}, peaks ?
        (peaks.peaks_from === 'measured' ?
             'The roofs were measured by the counting run on this device: a sum of two arrays for the ' +
             'memory, multiply-adds in registers for the arithmetic.' :
             'The roofs are computed from the clocks, the width of the memory\u2019s bus and the number of ' +
             'multiprocessors that the device tells.') :
        'What the device could do at most is not known, so there are no roofs.'));
  }
  section.append(make('p', {className: 'note'},
      'Bytes are those that threads read and write in global memory. Caches serve a part of them, so a ' +
      'kernel can lie above the line of the memory. A multiply-add is two operations, a function such ' +
      'as sqrt or exp one.'));
  if (!trace.counts.separate)
    section.append(make('p', {className: 'note', id: 'counting-run'},
        'The times are those of the counting run itself, which is slower than the program: join its counts ' +
        'with an ordinary trace by --counts.'));
}
