// Numbers and colours for readers.
'use strict';

/// Nanoseconds with four digits and a unit.
function duration(nanoseconds) {
  const size = Math.abs(nanoseconds);
  for (const [unit, name] of [[1e9, 's'], [1e6, 'ms'], [1e3, '\u00b5s']])
    if (size >= unit)
      return (nanoseconds / unit).toPrecision(4) + ' ' + name;
  return Math.round(nanoseconds) + ' ns';
}

/// A number with a prefix: 40.00 KB, 1.25 Gflop/s.
function scaled(value, unit) {
  for (const [size, prefix] of [[1e15, 'P'], [1e12, 'T'], [1e9, 'G'], [1e6, 'M'], [1e3, 'k']])
    if (Math.abs(value) >= size)
      return (value / size).toPrecision(4) + ' ' + prefix + unit;
  return (Number.isInteger(value) ? value : value.toPrecision(3)) + ' ' + unit;
}

const counted = new Intl.NumberFormat('en').format;

/// A time of the axis, to the digits that \p step needs.
function axisTime(nanoseconds, step) {
  const [unit, name] = step >= 1e9 ? [1e9, 's'] : step >= 1e6 ? [1e6, 'ms'] :
      step >= 1e3 ? [1e3, '\u00b5s'] : [1, 'ns'];
  const digits = Math.max(0, -Math.floor(Math.log10(step / unit) + 1e-9));
  return (nanoseconds / unit).toLocaleString(
             'en', {minimumFractionDigits: digits, maximumFractionDigits: digits}) + ' ' + name;
}

const Palette = ['#4e79a7', '#f28e2b', '#59a14f', '#e15759', '#76b7b2', '#edc948', '#b07aa1',
                 '#9c755f', '#ff9da7', '#8cd17d'];
const CopyColours = {'host to device': '#2a9d8f', 'device to host': '#e76f51',
                     'device to device': '#8a7fd1', 'host to host': '#8d99ae',
                     fill: '#c0a36e'};

/// Text on a filled rectangle.
function textOn(colour) {
  const {r, g, b} = d3.rgb(colour);
  return 0.299 * r + 0.587 * g + 0.114 * b > 140 ? '#15191d' : '#ffffff';
}

/// The colours of all events. Kernels have one each by their share of the time.
class Colours {
  constructor(trace) {
    this.trace = trace;
    const total = new Float64Array(trace.names.length);
    for (let i = 0; i < trace.size; ++i)
      if (trace.kind[i] === Kind.Kernel)
        total[trace.name[i]] += trace.duration[i];
    const order = [...total.keys()].filter(name => total[name]).sort((a, b) => total[b] - total[a]);
    this.ofName = new Map(order.map((name, i) => [name, Palette[i % Palette.length]]));
    this.read();
  }
  /// The theme's colours.
  read() {
    const style = getComputedStyle(document.documentElement);
    for (const name of ['back', 'panel', 'text', 'muted', 'line', 'grid', 'accent', 'mark', 'call',
                        'wait', 'range', 'other', 'arrow', 'memory', 'stripe'])
      this[name] = style.getPropertyValue('--' + name).trim();
    this.texts = new Map();
  }
  of(event) {
    switch (this.trace.kind[event]) {
    case Kind.Kernel:
    case Kind.Worker:
      return this.ofName.get(this.trace.name[event]) || this.other;
    case Kind.Copy:
      return CopyColours[this.trace.detailOf(event).direction] || this.other;
    case Kind.Call:
      return this.call;
    case Kind.Wait:
      return this.wait;
    case Kind.Range:
      return this.range;
    case Kind.Mark:
      return this.mark;
    default:
      return this.other;
    }
  }
  textOn(colour) {
    if (!this.texts.has(colour))
      this.texts.set(colour, textOn(colour));
    return this.texts.get(colour);
  }
}

/// An element with properties, attributes (with a dash or role) and children.
function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties))
    if (name.includes('-') || name === 'role')
      element.setAttribute(name, value);
    else
      element[name] = value;
  element.append(...children);
  return element;
}
