// The profile's tables, counted from the events.
'use strict';

/// Of what happened several times.
class Times {
  constructor() {
    this.calls = this.total = this.most = 0;
    this.least = Infinity;
  }
  add(time) {
    ++this.calls;
    this.total += time;
    this.least = Math.min(this.least, time);
    this.most = Math.max(this.most, time);
  }
  get mean() { return this.total / this.calls; }
}

/// All tables of \p trace, with an object for each row.
function countEvents(trace) {
  const tables = {kernels: new Map(), copies: new Map(), others: new Map(), calls: new Map(),
                  waits: new Map(), ranges: new Map()};
  const row = (table, key, make) => {
    if (!table.has(key))
      table.set(key, Object.assign(new Times(), make()));
    return table.get(key);
  };
  for (let i = 0; i < trace.size; ++i) {
    const kind = trace.kind[i], time = trace.duration[i], name = trace.nameOf(i);
    const detail = trace.detailOf(i);
    if (kind === Kind.Kernel) {
      const device = trace.deviceOf(i);
      const kernel = row(tables.kernels, device + ' ' + name,
                         () => ({name, device, onFibers: 0, places: new Set()}));
      kernel.add(time);
      kernel.onFibers += detail.fibers ? time : 0;
      for (const key of ['vector_bits', 'registers', 'occupancy'])
        if (detail[key] !== undefined)
          kernel[key] = Math.max(kernel[key] || 0, detail[key]);
      if (detail.at)
        kernel.places.add(detail.at);
    } else if (kind === Kind.Copy) {
      const device = trace.deviceOf(i), {direction, pageable} = detail;
      const copy = row(tables.copies, [device, direction, pageable].join(' '),
                       () => ({name: direction, device, pageable, bytes: 0}));
      copy.add(time);
      copy.bytes += detail.bytes || 0;
    } else if (kind === Kind.Library) {
      row(tables.others, trace.deviceOf(i) + ' ' + name,
          () => ({name, device: trace.deviceOf(i)})).add(time);
    } else if (kind === Kind.Call) {
      row(tables.calls, name, () => ({name})).add(time);
    } else if (kind === Kind.Wait) {
      const {name: thread} = trace.trackOf(i);
      row(tables.waits, thread, () => ({name: thread})).add(time);
    } else if (kind === Kind.Range) {
      row(tables.ranges, name, () => ({name})).add(time);
    }
  }
  for (const [name, rows] of Object.entries(tables)) {
    tables[name] = [...rows.values()].sort((a, b) => b.total - a.total);
    const total = d3.sum(tables[name], each => each.total);
    for (const each of tables[name])
      each.share = total ? each.total / total : 0;
  }
  return tables;
}

const percent = value => (value * 100).toFixed(1) + ' %';

// A column: title, what of a row, how it is written; a text where the third says so.
const TimeColumns = [
  ['share', row => row.share, percent, 'share'],
  ['calls', row => row.calls, counted],
  ['total', row => row.total, duration],
  ['mean', row => row.mean, duration],
  ['min', row => row.least, duration],
  ['max', row => row.most, duration],
];
const Device = ['device', row => row.device, String];

const places = set => {
  const all = [...set].sort();
  return all.slice(0, 4).join(', ') + (all.length > 4 ? ', \u2026' : '');
};

function kernelColumns(rows) {
  const columns = [['kernel', row => row.name, null], Device, ...TimeColumns];
  const has = key => rows.some(row => row[key] !== undefined);
  if (has('vector_bits'))
    columns.push(['vectors', row => row.vector_bits || 0, value => value ? value + ' bits' : 'none'],
                 ['on fibers', row => row.onFibers / row.total, percent]);
  if (has('registers'))
    columns.push(['registers', row => row.registers, String]);
  if (has('occupancy'))
    columns.push(['occupancy', row => row.occupancy, percent]);
  columns.push(['launched at', row => places(row.places), null]);
  return columns;
}

const CopyColumns = [
  ['direction', row => row.name, null],
  ['host memory', row => row.pageable === undefined ? '' : row.pageable ? 'pageable' : 'pinned', null],
  Device, ...TimeColumns,
  ['bytes', row => row.bytes, value => scaled(value, 'B')],
  ['rate', row => row.total ? row.bytes / row.total * 1e9 : 0, value => scaled(value, 'B/s')],
];

/// A table that can be sorted by each column. Cells have their value as data-value.
class Table {
  constructor(id, title, columns, rows, options = {}) {
    this.columns = columns;
    this.rows = rows;
    this.options = options;
    this.body = make('tbody');
    this.heads = columns.map(([name, , format], i) => make(
        'th', {scope: 'col', className: format ? '' : 'text'},
        make('button', {onclick: () => this.sort(i)}, name)));
    this.element = make('div', {className: 'wide'},
                        make('table', {id, 'aria-label': title},
                             make('thead', {}, make('tr', {}, ...this.heads)), this.body));
    this.fill();
  }
  sort(column) {
    const [, value, format] = this.columns[column];
    const descending = this.heads[column].getAttribute('aria-sort') !==
        (format ? 'descending' : 'ascending') === Boolean(format);
    const sign = descending ? -1 : 1;
    const before = (a, b) => a < b ? -1 : a > b ? 1 : 0;
    this.rows.sort((a, b) => sign * before(value(a) ?? '', value(b) ?? ''));
    this.heads.forEach(head => head.removeAttribute('aria-sort'));
    this.heads[column].setAttribute('aria-sort', descending ? 'descending' : 'ascending');
    this.fill();
  }
  fill() {
    this.body.replaceChildren(...this.rows.map(row => {
      const cells = this.columns.map(([, value, format, style], i) => {
        const raw = value(row);
        const cell = make('td', {className: i ? (format ? '' : 'text') : 'text name'});
        cell.dataset.value = raw ?? '';
        const text = raw === undefined ? '' : format ? format(raw) : raw;
        if (i === 0 && this.options.find) {
          if (this.options.colour)
            cell.append(make('span', {className: 'swatch',
                                      style: 'background:' + this.options.colour(row)}));
          cell.title = text;
          cell.append(make('button', {className: 'link', onclick: () => this.options.find(row.name)},
                           text));
        } else {
          cell.append(text);
        }
        if (style === 'share') {
          cell.classList.add('share');
          cell.style.setProperty('--part', (raw * 100).toFixed(1) + '%');
        }
        return cell;
      });
      return make('tr', {}, ...cells);
    }));
  }
}

/// Fills \p section. \p find shows events of a name in the timeline.
function showTables(section, trace, tables, colours, find) {
  const colour = row => colours.ofName.get(trace.names.indexOf(row.name)) || colours.other;
  const add = (id, title, columns, rows, options) => {
    if (rows.length)
      section.append(make('h2', {}, title), new Table(id, title, columns, rows, options).element);
  };
  add('table-kernels', 'Kernels', kernelColumns(tables.kernels), tables.kernels, {find, colour});
  add('table-copies', 'Copies and fills', CopyColumns, tables.copies,
      {find: name => find(name === 'fill' ? 'fill' : 'copy'),
       colour: row => CopyColours[row.name] || colours.other});
  add('table-calls', 'Calls and statements', [['call', row => row.name, null], ...TimeColumns],
      tables.calls, {find});
  add('table-waits', 'Host threads waited for devices',
      [['thread', row => row.name, null], ...TimeColumns], tables.waits);
  add('table-ranges', 'Ranges of NVTX', [['range', row => row.name, null], ...TimeColumns],
      tables.ranges, {find});
  add('table-others', 'Libraries and host functions',
      [['work', row => row.name, null], Device, ...TimeColumns], tables.others, {find});
  if (!section.firstChild)
    section.append(make('p', {className: 'note'}, 'The trace has no events.'));
}
