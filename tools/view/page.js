// Puts the page together.
'use strict';

/// The light or the dark theme; the reader's choice, else the system's.
function chooseTheme(name) {
  document.documentElement.dataset.theme = name;
}
chooseTheme(matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');

const trace = new Trace(JSON.parse(document.getElementById('trace').textContent));
document.getElementById('trace').remove();  // its text is no longer needed
const colours = new Colours(trace);
const tables = countEvents(trace);

const Views = ['timeline', 'tables', 'roofline'];
let timeline = null;
const shown = new Set();

function show(name) {
  const chosen = Views.includes(name) ? name : Views[0];
  for (const each of Views) {
    const tab = document.getElementById('tab-' + each);
    document.getElementById(each).hidden = each !== chosen;
    tab.setAttribute('aria-selected', each === chosen);
    tab.tabIndex = each === chosen ? 0 : -1;
  }
  if (!shown.has(chosen)) {
    shown.add(chosen);
    const section = document.getElementById(chosen);
    if (chosen === 'timeline')
      timeline = new Timeline(trace, colours);
    else
      (chosen === 'tables' ? showTables : showRoofline)(section, trace, tables, colours, findEvents);
  }
  if (chosen === 'timeline')
    timeline.resize();
}

function open(name) {
  history.replaceState(null, '', '#' + name);
  show(name);
}

/// Events called \p name, in the timeline.
function findEvents(name) {
  open('timeline');
  document.getElementById('search').value = name;
  timeline.search(name);
  timeline.goToMatch(1);
  document.getElementById('drawing').focus();
}

function describe() {
  document.title = trace.title + ' \u2013 cufort';
  document.getElementById('title').textContent = trace.title;
  const kernels = d3.sum(tables.kernels, each => each.calls);
  const devices = [...new Set(trace.devices.map(each => each.name))];
  document.getElementById('summary').textContent = [
    duration(trace.last - trace.first), counted(trace.size) + ' events',
    counted(kernels) + (kernels === 1 ? ' launch' : ' launches'),
    ...devices.slice(0, 1), ...(devices.length > 1 ? [devices.length - 1 + ' more'] : [])
  ].join(' \u00b7 ');
  if (trace.truncated) {
    const notice = document.getElementById('notice');
    notice.textContent = 'The program did not end by itself: the trace has what came before its last ' +
        'tenth of a second.';
    notice.hidden = false;
  }
}

document.getElementById('theme').onclick = () => {
  chooseTheme(document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark');
  colours.read();
  if (timeline)
    timeline.draw();
};
for (const name of Views)
  document.getElementById('tab-' + name).onclick = () => open(name);
document.querySelector('nav').addEventListener('keydown', event => {
  const by = {ArrowLeft: -1, ArrowRight: 1}[event.key];
  if (!by)
    return;
  const at = Views.findIndex(each => !document.getElementById(each).hidden);
  open(Views[(at + by + Views.length) % Views.length]);
  document.querySelector('[aria-selected="true"]').focus();
  event.stopPropagation();
});
document.addEventListener('keydown', event => {
  if (event.target.matches('input') || event.ctrlKey || event.metaKey || event.altKey ||
      document.getElementById('keys').open)
    return;
  const view = Views[Number(event.key) - 1];
  if (view)
    open(view);
  else if (event.key === '?')
    document.getElementById('keys').showModal();
  else if (document.getElementById('timeline').hidden || !timeline.key(event.key))
    return;
  event.preventDefault();
});
addEventListener('hashchange', () => show(location.hash.slice(1)));

describe();
show(location.hash.slice(1));
document.documentElement.dataset.ready = Math.round(performance.now());
