// What `cufort view` has put into the page, as rows of events.
'use strict';

// compiler/driver/view/TraceFile.h has the same numbers.
const Kind = {Kernel: 0, Copy: 1, Library: 2, Worker: 3, Call: 4, Range: 5, Mark: 6, Wait: 7,
              Other: 8};
const KindName = ['kernel', 'copy', 'work of a library', 'part of a kernel on a worker', 'call',
                  'range', 'mark', 'waiting', 'event'];

/// The bytes of a column as a typed array.
function column(text, Type) {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; ++i)
    bytes[i] = binary.charCodeAt(i);
  return new Type(bytes.buffer);
}

/// The first place in sorted \p values from which on they are larger than \p value.
function firstAbove(values, value, from = 0) {
  let low = from, high = values.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (values[middle] > value)
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

/// Events side by side in time: sorted, and none overlaps the next.
class Lane {
  constructor(events, trace) {
    this.events = Uint32Array.from(events);
    const size = events.length;
    this.begin = new Float64Array(size);
    this.end = new Float64Array(size);
    this.busy = new Float64Array(size + 1);  // of all events before
    for (let i = 0; i < size; ++i) {
      this.begin[i] = trace.begin[events[i]];
      this.end[i] = this.begin[i] + trace.duration[events[i]];
      this.busy[i + 1] = this.busy[i] + trace.duration[events[i]];
    }
  }
}

/// A value over time. Blocks of Size values know their largest.
class Counter {
  constructor(raw) {
    this.pid = raw.pid;
    this.name = raw.name;
    const time = column(raw.time, Float64Array), value = column(raw.value, Float64Array);
    const order = Uint32Array.from(time.keys()).sort((a, b) => time[a] - time[b] || a - b);
    this.time = Float64Array.from(order, i => time[i]);
    this.value = Float64Array.from(order, i => value[i]);
    this.blocks = new Float64Array(Math.ceil(this.value.length / Counter.Size));
    for (let i = 0; i < this.value.length; ++i) {
      const block = Math.floor(i / Counter.Size);
      this.blocks[block] = Math.max(this.blocks[block], this.value[i]);
    }
    this.largest = this.blocks.reduce((a, b) => Math.max(a, b), 0);
  }
  /// The largest of the values from \p first to before \p last.
  most(first, last) {
    let result = 0;
    for (let i = first; i < last;)
      if (i % Counter.Size === 0 && i + Counter.Size <= last) {
        result = Math.max(result, this.blocks[i / Counter.Size]);
        i += Counter.Size;
      } else {
        result = Math.max(result, this.value[i++]);
      }
    return result;
  }
}
Counter.Size = 256;

class Trace {
  constructor(raw) {
    this.title = raw.title;
    this.truncated = raw.truncated;
    this.names = raw.names;
    this.details = raw.details;
    this.devices = raw.devices;
    this.counts = raw.counts;
    this.tracks = raw.tracks;
    this.kind = column(raw.events.kind, Uint8Array);
    this.track = column(raw.events.track, Uint16Array);
    this.name = column(raw.events.name, Uint32Array);
    this.detail = column(raw.events.detail, Uint32Array);
    this.begin = column(raw.events.begin, Float64Array);
    this.duration = column(raw.events.duration, Float64Array);
    this.size = this.kind.length;
    this.counters = raw.counters.map(each => new Counter(each));
    this.placeInLanes();
    this.readFlows(raw.flows);
    this.findLimits();
  }

  end(event) { return this.begin[event] + this.duration[event]; }
  nameOf(event) { return this.names[this.name[event]]; }
  detailOf(event) { return this.details[this.detail[event]]; }
  trackOf(event) { return this.tracks[this.track[event]]; }
  /// Devices have the processes 1 and 2, 3 and 4, and so on.
  deviceOf(event) { return (this.trackOf(event).pid - 1) >> 1; }

  /// An event goes into the first lane of its track that is free when it begins; what is within
  /// another is so below it.
  placeInLanes() {
    const lanes = this.tracks.map(() => []);
    const free = this.tracks.map(() => []);
    this.laneOf = new Uint16Array(this.size);
    for (let i = 0; i < this.size; ++i) {
      const ends = free[this.track[i]];
      let lane = 0;
      while (lane < ends.length && ends[lane] > this.begin[i])
        ++lane;
      if (lane === ends.length)
        lanes[this.track[i]].push([]);
      ends[lane] = this.end(i);
      lanes[this.track[i]][lane].push(i);
      this.laneOf[i] = lane;
    }
    this.tracks.forEach((track, i) => {
      track.lanes = lanes[i].map(events => new Lane(events, this));
    });
  }

  readFlows(raw) {
    const from = column(raw.from, Uint32Array), to = column(raw.to, Uint32Array);
    const order = Uint32Array.from(from.keys())
                      .sort((a, b) => this.begin[from[a]] - this.begin[from[b]]);
    this.flowFrom = Uint32Array.from(order, i => from[i]);
    this.flowTo = Uint32Array.from(order, i => to[i]);
    this.flowBegin = Float64Array.from(this.flowFrom, i => this.begin[i]);
    this.launchOf = new Map();
    this.workOf = new Map();
    for (let i = 0; i < this.flowFrom.length; ++i) {
      this.launchOf.set(this.flowTo[i], this.flowFrom[i]);
      if (!this.workOf.has(this.flowFrom[i]))
        this.workOf.set(this.flowFrom[i], this.flowTo[i]);
    }
  }

  findLimits() {
    let first = Infinity, last = -Infinity;
    for (let i = 0; i < this.size; ++i) {
      first = Math.min(first, this.begin[i]);
      last = Math.max(last, this.end(i));
    }
    for (const counter of this.counters)
      if (counter.time.length) {
        first = Math.min(first, counter.time[0]);
        last = Math.max(last, counter.time[counter.time.length - 1]);
      }
    this.first = this.size ? first : 0;
    this.last = this.size && last > first ? last : this.first + 1;
  }
}
