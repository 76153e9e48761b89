// The timeline: its rows, and what the reader does with them.
'use strict';

class Timeline {
  constructor(trace, colours) {
    this.trace = trace;
    this.colours = colours;
    this.closed = new Set();
    this.selected = null;
    this.matches = null;  // by track and lane; null: no search
    this.found = [];
    this.scroll = document.getElementById('scroll');
    this.canvas = document.getElementById('drawing');
    this.tooltip = document.getElementById('tooltip');
    this.painter = new Painter(this.canvas, document.getElementById('axis'), colours);
    this.zoom = d3.zoom()
                    .filter(() => !d3.event.button && !(d3.event.type === 'wheel' && d3.event.shiftKey))
                    .on('zoom', () => this.zoomed());
    this.surface = d3.select(this.canvas).call(this.zoom).on('dblclick.zoom', null);
    this.layOut();
    this.resize();
    this.listen();
    this.select(null);
  }

  //=== Rows

  layOut() {
    const groups = new Map();
    const group = (pid, name) => {
      if (!groups.has(pid))
        groups.set(pid, {pid, name: name || 'process ' + pid, rows: []});
      return groups.get(pid).rows;
    };
    this.trace.tracks.forEach((track, index) => {
      group(track.pid, track.process).push({
        kind: 'track', track, index, name: Timeline.nameOfTrack(track),
        height: track.lanes.length * LaneHeight + TrackGap,
        order: track.tid * 2 + (track.kind === Kind.Range ? 0 : 1)
      });
    });
    for (const counter of this.trace.counters)
      group(counter.pid).push({kind: 'counter', counter, height: 46, order: -1,
                               name: counter.name,
                               more: 'at most ' + scaled(counter.largest, 'B')});
    this.rows = [];
    this.rowOf = new Map();
    let y = 0;
    const add = row => {
      row.y = y;
      y += row.height;
      this.rows.push(row);
    };
    for (const each of [...groups.values()].sort((a, b) => a.pid - b.pid)) {
      add({kind: 'group', pid: each.pid, name: each.name, height: 24, size: each.rows.length});
      if (this.closed.has(each.pid))
        continue;
      for (const row of each.rows.sort((a, b) => a.order - b.order)) {
        add(row);
        if (row.kind === 'track')
          this.rowOf.set(row.index, row);
      }
    }
    this.high = y;
    document.getElementById('content').style.height = y + 'px';
    this.label();
  }

  static nameOfTrack(track) {
    if (track.kind === Kind.Range && track.tid === 0)
      return 'ranges across threads';
    return (track.name || 'track ' + track.tid) + (track.kind === Kind.Range ? ', NVTX' : '');
  }

  label() {
    const labels = document.getElementById('labels');
    const focused = document.activeElement && document.activeElement.dataset.pid;
    labels.replaceChildren(...this.rows.map(row => {
      const isGroup = row.kind === 'group';
      const element = make(isGroup ? 'button' : 'div', {title: row.name});
      if (isGroup) {
        const open = !this.closed.has(row.pid);
        element.append((open ? '\u25be ' : '\u25b8 ') + row.name);
        element.dataset.pid = row.pid;
        element.setAttribute('aria-expanded', open);
        element.onclick = () => this.toggle(row.pid);
      } else {
        element.append(row.name);
        if (row.more)
          element.append(make('br'), make('small', {}, row.more));
        element.dataset.track = row.name;
        if (row.kind === 'track')
          element.dataset.events = d3.sum(row.track.lanes, lane => lane.events.length);
      }
      Object.assign(element.style, {top: row.y + 'px', height: row.height + 'px',
                                    lineHeight: row.more ? '20px' : row.height - 1 + 'px'});
      return element;
    }));
    if (focused !== undefined && focused !== null)
      labels.querySelector(`[data-pid="${focused}"]`)?.focus();
  }

  toggle(pid) {
    this.closed.has(pid) ? this.closed.delete(pid) : this.closed.add(pid);
    this.layOut();
    this.size();
    this.draw();
  }

  //=== Size and zoom

  size() {
    this.left = this.scroll.clientWidth < 720 ? 116 : 190;
    for (const label of document.getElementById('labels').children)
      label.style.width = this.left + 'px';
  }

  resize() {
    if (!this.scroll.clientWidth)
      return;  // not shown
    const window = this.x ? this.x.domain() : null;
    this.size();
    const {clientWidth: width, clientHeight: height} = this.scroll;
    this.painter.resize(width, height);
    this.base = d3.scaleLinear().domain([this.trace.first, this.trace.last])
                    .range([this.left, width]);
    const area = [[this.left, 0], [width, 0]];
    // At the closest a nanosecond is forty pixels.
    this.closest = Math.max(1, (this.trace.last - this.trace.first) * 40 / width);
    this.zoom.extent(area).translateExtent(area).scaleExtent([1, this.closest]);
    window ? this.show(...window) : this.show(this.trace.first, this.trace.last);
  }

  zoomed() {
    const {transform, sourceEvent} = d3.event;
    this.x = transform.rescaleX(this.base);
    if (sourceEvent && sourceEvent.type === 'mousemove')
      this.scroll.scrollTop -= sourceEvent.movementY;
    this.draw();
  }

  /// Shows the time from \p begin to \p end.
  show(begin, end) {
    const least = (this.trace.last - this.trace.first) / this.closest;
    const time = Math.max(end - begin, least);
    const k = (this.trace.last - this.trace.first) / time;
    this.surface.call(this.zoom.transform,
                      d3.zoomIdentity.translate(this.left - k * this.base(begin), 0).scale(k));
  }
  scale(factor) {
    const middle = [(this.left + this.painter.width) / 2, 0];
    const at = this.pointer && this.pointer[0] > this.left ? this.pointer : middle;
    this.surface.call(this.zoom.scaleBy, factor, at);
  }
  pan(part) {
    const [begin, end] = this.x.domain();
    this.surface.call(this.zoom.translateBy,
                      -part * (this.base(end) - this.base(begin)), 0);
  }

  draw() {
    if (!this.waiting)
      this.waiting = requestAnimationFrame(() => this.drawNow());
  }
  drawNow() {
    this.waiting = null;
    if (!this.x || !this.scroll.clientWidth)
      return;
    const [begin, end] = this.x.domain();
    this.top = this.scroll.scrollTop;
    this.painter.draw(this);
    document.getElementById('window').value =
        duration(begin - this.trace.first) + ' \u2013 ' + duration(end - this.trace.first) +
        ' (' + duration(end - begin) + ')';
  }

  //=== Events under the pointer

  rowAt(y) {
    const at = y + this.scroll.scrollTop;
    return this.rows.find(row => row.y <= at && at < row.y + row.height);
  }

  eventAt(x, y) {
    const row = this.rowAt(y);
    if (!row || row.kind !== 'track' || x < this.left)
      return null;
    const number = Math.floor((y + this.scroll.scrollTop - row.y - TrackGap / 2) / LaneHeight);
    const lane = row.track.lanes[number];
    if (!lane)
      return null;
    const time = this.x.invert(x);
    const i = firstAbove(lane.end, time);
    let best = null, distance = 4;  // pixels within which one that is small is hit
    for (const each of [i - 1, i]) {
      if (each < 0 || each >= lane.events.length)
        continue;
      const away = Math.max(this.x(lane.begin[each]) - x, x - this.x(lane.end[each]), 0);
      if (away < distance)
        [best, distance] = [lane.events[each], away];
    }
    return best;
  }

  hover(event) {
    const [x, y] = this.pointer = [event.offsetX, event.offsetY];
    const row = this.rowAt(y);
    const hit = this.eventAt(x, y);
    this.tooltip.replaceChildren();
    if (hit !== null) {
      const {at} = this.trace.detailOf(hit);
      this.tooltip.append(make('b', {}, this.trace.nameOf(hit)),
                          make('span', {}, duration(this.trace.duration[hit]) + ' ' +
                               KindName[this.trace.kind[hit]] + (at ? ', ' + at : '')),
                          ...this.facts(hit).filter(([name]) => !HoverLess.has(name))
                              .map(([name, value]) => make('span', {}, name + ' ' + value)));
    } else if (row && row.kind === 'counter') {
      const i = firstAbove(row.counter.time, this.x.invert(x)) - 1;
      this.tooltip.append(make('b', {}, row.name),
                          make('span', {}, i < 0 ? 'not known yet' : scaled(row.counter.value[i], 'B')));
    }
    this.tooltip.hidden = !this.tooltip.firstChild;
    if (this.tooltip.hidden)
      return;
    const {offsetWidth: width, offsetHeight: height} = this.tooltip;
    const right = event.clientX + 14 + width > innerWidth;
    const low = event.clientY + 14 + height > innerHeight;
    this.tooltip.style.left = Math.max(4, right ? event.clientX - width - 10 : event.clientX + 14) + 'px';
    this.tooltip.style.top = Math.max(4, low ? event.clientY - height - 10 : event.clientY + 14) + 'px';
  }

  //=== Selection

  /// What is known of \p event, by name.
  facts(event) {
    const {trace} = this, detail = trace.detailOf(event), time = trace.duration[event];
    const facts = [['start', duration(trace.begin[event] - trace.first)]];
    if (trace.kind[event] !== Kind.Mark)
      facts.push(['duration', duration(time)]);
    const track = trace.trackOf(event);
    facts.push(['on', track.process + ', ' + Timeline.nameOfTrack(track)]);
    const order = Object.keys(Facts);
    const known = Object.entries(detail).sort(([a], [b]) => order.indexOf(a) - order.indexOf(b));
    for (const [key, value] of known)
      if (key === 'bytes' && trace.kind[event] === Kind.Copy)
        facts.push(['size', scaled(value, 'B')], ['rate', scaled(value / time * 1e9, 'B/s')]);
      else
        facts.push(Facts[key] ? [Facts[key][0], Facts[key][1](value)] : [key, String(value)]);
    return facts;
  }

  select(event, mayMove = true) {
    this.selected = event;
    const panel = document.getElementById('selection');
    panel.replaceChildren();
    if (event === null) {
      panel.append(make('p', {}, this.trace.size ?
          'Click an event for its details. The wheel zooms, dragging pans; the key ? lists the keys.' :
          'The trace has no events.'));
      delete panel.dataset.event;
      this.draw();
      return;
    }
    panel.dataset.event = event;
    const list = make('dl');
    for (const [name, value] of this.facts(event))
      list.append(make('div', {}, make('dt', {}, name), make('dd', {}, value)));
    for (const [name, other] of [['launched by', this.trace.launchOf.get(event)],
                                 ['asked for', this.trace.workOf.get(event)]])
      if (other !== undefined) {
        const link = make('button', {className: 'link', onclick: () => this.select(other)},
                          this.trace.nameOf(other));
        list.append(make('div', {}, make('dt', {}, name), make('dd', {}, link)));
      }
    panel.append(make('h2', {}, this.trace.nameOf(event)), list);
    if (mayMove)
      this.bringIntoView(event);
    this.draw();
  }

  bringIntoView(event) {
    const {pid} = this.trace.trackOf(event);
    if (this.closed.has(pid))
      this.toggle(pid);
    const [from, to] = this.x.domain(), time = this.trace.duration[event];
    const begin = this.trace.begin[event];
    if (begin > to || begin + time < from) {
      const middle = begin + time / 2, half = Math.max((to - from) / 2, time);
      this.show(middle - half, middle + half);
    }
    const row = this.rowOf.get(this.trace.track[event]);
    const y = row.y + this.trace.laneOf[event] * LaneHeight;
    const {scrollTop, clientHeight} = this.scroll;
    if (y < scrollTop || y + 2 * LaneHeight > scrollTop + clientHeight)
      this.scroll.scrollTop = y - clientHeight / 2;
  }

  zoomToSelected() {
    if (this.selected === null)
      return;
    const margin = Math.max(this.trace.duration[this.selected], 10) * .6;
    this.show(this.trace.begin[this.selected] - margin, this.trace.end(this.selected) + margin);
  }

  /// The event before or after the selected one in its lane.
  step(by) {
    if (this.selected === null)
      return this.pan(by / 4);
    const {trace, selected} = this;
    const lane = trace.trackOf(selected).lanes[trace.laneOf[selected]];
    const next = lane.events[firstAbove(lane.events, selected) - 1 + by];
    if (next !== undefined)
      this.select(next);
  }

  follow() {
    const other = this.trace.launchOf.get(this.selected) ?? this.trace.workOf.get(this.selected);
    if (other !== undefined)
      this.select(other);
  }

  //=== Search

  search(text) {
    const {trace} = this, wanted = text.trim().toLowerCase();
    const contains = value => String(value || '').toLowerCase().includes(wanted);
    this.matches = null;
    this.found = [];
    if (wanted) {
      const names = trace.names.map(contains), details = trace.details.map(each => contains(each.at));
      this.matches = trace.tracks.map(track => track.lanes.map(lane => {
        const events = lane.events.filter(i => names[trace.name[i]] || details[trace.detail[i]]);
        for (const event of events)
          this.found.push(event);
        return events.length ? new Lane(events, trace) : null;
      }));
      this.found = Uint32Array.from(this.found)
                       .sort((a, b) => trace.begin[a] - trace.begin[b] || a - b);
    }
    this.current = -1;
    this.sayFound();
    this.draw();
  }
  sayFound() {
    const {length} = this.found;
    document.getElementById('found').value = !this.matches ? '' :
        (this.current >= 0 ? counted(this.current + 1) + ' of ' : '') + counted(length) +
        (length === 1 ? ' event' : ' events');
    for (const name of ['previous', 'next'])
      document.getElementById(name).disabled = !length;
  }
  goToMatch(by) {
    const {length} = this.found;
    if (!length)
      return;
    this.current = this.current < 0 && by < 0 ? length - 1 : (this.current + by + length) % length;
    this.select(this.found[this.current]);
    this.sayFound();
  }

  //=== Listeners

  listen() {
    const at = id => document.getElementById(id);
    this.canvas.addEventListener('mousemove', event => this.hover(event));
    this.canvas.addEventListener('mouseleave', () => {
      this.tooltip.hidden = true;
      this.pointer = null;
    });
    this.canvas.addEventListener('click',
                                 event => this.select(this.eventAt(event.offsetX, event.offsetY), false));
    this.canvas.addEventListener('dblclick', () => this.zoomToSelected());
    this.canvas.addEventListener('wheel', event => {
      if (event.shiftKey)
        this.scroll.scrollTop += event.deltaY || event.deltaX;
    }, {passive: true});
    this.scroll.addEventListener('scroll', () => this.draw(), {passive: true});
    new ResizeObserver(() => requestAnimationFrame(() => this.resize())).observe(this.scroll);
    at('search').addEventListener('input', event => this.search(event.target.value));
    at('search').addEventListener('keydown', event => {
      if (event.key === 'Enter')
        this.goToMatch(event.shiftKey ? -1 : 1);
      else if (event.key === 'Escape') {
        event.target.value = '';
        this.search('');
        this.canvas.focus();
      }
    });
    at('previous').onclick = () => this.goToMatch(-1);
    at('next').onclick = () => this.goToMatch(1);
    at('in').onclick = () => this.scale(1.6);
    at('out').onclick = () => this.scale(1 / 1.6);
    at('whole').onclick = () => this.show(this.trace.first, this.trace.last);
    at('help').onclick = () => at('keys').showModal();
  }

  /// False: the key means nothing here.
  key(name) {
    const keys = {
      'w': () => this.scale(1.6), '+': () => this.scale(1.6), '=': () => this.scale(1.6),
      's': () => this.scale(1 / 1.6), '-': () => this.scale(1 / 1.6),
      'a': () => this.pan(-.25), 'd': () => this.pan(.25),
      'arrowleft': () => this.step(-1), 'arrowright': () => this.step(1),
      'arrowup': () => this.scroll.scrollTop -= 60, 'arrowdown': () => this.scroll.scrollTop += 60,
      'f': () => this.zoomToSelected(), 'l': () => this.follow(),
      '0': () => this.show(this.trace.first, this.trace.last),
      'home': () => this.show(this.trace.first, this.trace.last),
      '/': () => document.getElementById('search').focus(),
      'escape': () => this.select(null),
    };
    const does = keys[name.toLowerCase()];
    if (does)
      does();
    return Boolean(does);
  }
}

/// What the tooltip says in other words, or leaves to the panel.
const HoverLess = new Set(['duration', 'on', 'at']);

/// An event's arguments: how they are called and written.
const Facts = {
  at: ['at', String],
  grid: ['grid', value => value.replaceAll('x', ' \u00d7 ')],
  block: ['block', value => value.replaceAll('x', ' \u00d7 ')],
  shared: ['shared memory', value => scaled(value, 'B')],
  direction: ['direction', String],
  pageable: ['host memory', value => value ? 'pageable' : 'pinned'],
  vector_bits: ['vectors', value => value + ' bits'],
  fibers: ['threads', value => value ? 'on fibers' : 'as loops'],
  registers: ['registers', String],
  occupancy: ['occupancy', value => Math.round(value * 100) + ' %'],
  bytes: ['bytes of global memory', counted],
  flops32: ['operations of 32 bits', counted],
  flops64: ['operations of 64 bits', counted],
};
