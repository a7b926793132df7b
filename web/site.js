// Comfort for readers; every page works without this file. The build puts each script of web/ into a
// function of its own (script/minify).
'use strict';

/** Adds a button, which needs the script and therefore is not in the page. */
const addButton = (label, className, parent, onClick) => {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = className;
  button.textContent = label;
  button.addEventListener('click', () => onClick(button));
  parent.append(button);
  return button;
};

// What the other scripts use. They run before this one, and use it in answer to the reader.
globalThis.stockact = { addButton };

// Copies an example, a secret or a value. Says so to screen readers too.
const copied = document.createElement('p');
copied.className = 'skip';
copied.setAttribute('role', 'status');
document.body.append(copied);

const addCopy = (source, parent) => {
  addButton('Copy', 'copy', parent, async (button) => {
    await navigator.clipboard.writeText(source.textContent.trimEnd());
    button.textContent = copied.textContent = 'Copied';
    setTimeout(() => {
      button.textContent = 'Copy';
      copied.textContent = '';
    }, 1500);
  });
};

if (navigator.clipboard) {
  const examples = 'figure.code:not([data-language="http"], [data-language="text"])';
  for (const figure of document.querySelectorAll(examples)) {
    addCopy(figure.querySelector('code'), figure);
  }
  for (const value of document.querySelectorAll('[data-copy]')) addCopy(value, value.parentNode);
}

// A form is sent once. The server refuses a second time as well.
const sent = new Set();
addEventListener('submit', (event) => {
  const form = event.target;
  if (form.method !== 'post') return;
  if (sent.has(form)) {
    event.preventDefault();
    return;
  }
  sent.add(form);
  for (const button of form.querySelectorAll('button'))
    button.setAttribute('aria-disabled', 'true');
});
addEventListener('pageshow', ({ persisted }) => {
  sent.clear();
  for (const button of document.querySelectorAll('form [aria-disabled]')) {
    button.removeAttribute('aria-disabled');
  }
  // After Back the filters are those of the list below them.
  if (!persisted) return;
  for (const form of document.querySelectorAll('form.filters[method="get"]')) form.reset();
});

// A page that waits for an answer looks again, unless the reader types.
if (document.querySelector('[data-reload]')) {
  setTimeout(() => {
    if (!document.activeElement?.matches('input, select, textarea')) location.reload();
  }, 2000);
}

// After a fault the reader starts at the list of faults.
document.querySelector('.faults')?.focus();

// Shows a password.
for (const input of document.querySelectorAll('input[type="password"]')) {
  const box = document.createElement('div');
  box.className = 'shown';
  input.replaceWith(box);
  box.append(input);
  const show = addButton('Show', 'quiet', box, () => {
    const hidden = input.type === 'password';
    input.type = hidden ? 'text' : 'password';
    show.textContent = hidden ? 'Hide' : 'Show';
    show.setAttribute('aria-pressed', String(hidden));
  });
  show.setAttribute('aria-label', `Show: ${input.labels[0]?.textContent ?? 'password'}`);
  show.setAttribute('aria-pressed', 'false');
}

// A question that asks before an action: Escape takes it back.
for (const confirm of document.querySelectorAll('details.confirm')) {
  confirm.addEventListener('toggle', () => {
    if (confirm.open) confirm.querySelector('form input:not([type="hidden"]), form button').focus();
  });
  confirm.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    confirm.open = false;
    confirm.querySelector('summary').focus();
  });
}

// The reader's own time, beside the one in Washington. Its format is made when a reader points at a
// time: that takes longer than all else here.
let clock;
addEventListener('pointerover', (event) => {
  const time = event.target.closest('time[datetime*="T"]:not([data-local])');
  if (!time) return;
  const local = new Date(time.dateTime);
  if (Number.isNaN(local.getTime())) return;
  clock ??= new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'long' });
  const here = clock.format(local);
  time.title = time.title ? `${time.title}, here ${here}` : here;
  time.dataset.local = '';
});

// Keys: "/" goes to the search, that of the documentation on its pages; j and k go down and up the
// links of a list.
const search = document.querySelector('.find input') ?? document.querySelector('.search input');
if (search) {
  const hint = document.createElement('kbd');
  hint.textContent = '/';
  hint.setAttribute('aria-hidden', 'true');
  search.setAttribute('aria-keyshortcuts', '/');
  search.after(hint);
}
const links = () =>
  [...document.querySelectorAll('main tbody tr')]
    .map((row) => row.querySelector('a'))
    .filter(Boolean);
addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest('input, select, textarea')) return;
  if (event.key === '/' && search) {
    event.preventDefault();
    search.select();
  } else if (event.key === 'j' || event.key === 'k') {
    const all = links();
    const at = all.indexOf(document.activeElement);
    const next = at < 0 ? 0 : at + (event.key === 'j' ? 1 : -1);
    all[next]?.focus();
  }
});

// The search of the documentation shows what /docs/search finds while the reader types.
const find = document.querySelector('.find');
if (find) {
  const field = find.querySelector('input');
  const found = document.createElement('div');
  found.className = 'found';
  found.hidden = true;
  find.append(found);
  let last = 0;
  const search = async () => {
    const own = ++last;
    const query = field.value.trim();
    let results = [];
    if (query !== '') {
      const response = await fetch(`/docs/search?q=${encodeURIComponent(query)}`);
      const page = new DOMParser().parseFromString(await response.text(), 'text/html');
      results = page.querySelectorAll('.results');
    }
    if (own !== last) return; // the reader typed on
    found.replaceChildren(...results);
    found.hidden = results.length === 0;
    found.scrollTop = 0;
  };
  let soon;
  const again = () => {
    clearTimeout(soon);
    soon = setTimeout(() => search().catch(() => {}), 120);
  };
  /** Also results that are on their way stay hidden. */
  const close = () => {
    clearTimeout(soon);
    last++;
    found.hidden = true;
  };
  field.addEventListener('input', again);
  field.addEventListener('focus', () => {
    found.hidden = field.value.trim() === '' || found.childElementCount === 0;
  });
  find.addEventListener('keydown', (event) => {
    const choices = [field, ...found.querySelectorAll('a')];
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key] ?? 0;
    if (event.key === 'Escape') {
      field.focus();
      close();
    } else if (step !== 0 && !found.hidden) {
      event.preventDefault();
      choices[choices.indexOf(document.activeElement) + step]?.focus();
    }
  });
  document.addEventListener('click', (event) => {
    if (!find.contains(event.target) || event.target.closest('.found a')) close();
  });
}

// Examples in several languages: the choice holds for all of them, also on the next page. Those that
// have room for every language show it at once, because nothing moves.
const languages = [...document.querySelectorAll('.tabs input')];
const choose = (value, inputs) => {
  for (const input of inputs) if (input.value === value) input.checked = true;
};
if (languages.length > 0) {
  const own = languages.filter((input) => input.closest('.examples'));
  try {
    choose(localStorage.getItem('language'), own);
  } catch {
    // The reader allows no storage.
  }
  addEventListener('change', ({ target }) => {
    if (!languages.includes(target)) return;
    choose(target.value, languages);
    try {
      localStorage.setItem('language', target.value);
    } catch {
      // Then the choice ends with the page.
    }
  });
}

// The contents of the documentation: the current section is marked, and a choice closes them on
// narrow screens, where they cover the page.
const contents = document.getElementById('contents');
if (contents) {
  contents.addEventListener('click', (event) => {
    if (event.target.closest('a') && contents.matches(':popover-open')) contents.hidePopover();
  });
  const current = contents.querySelector('[aria-current]');
  if (current) contents.scrollTop = current.offsetTop - contents.clientHeight / 3;

  const entries = new Map();
  for (const link of contents.querySelectorAll('a[href^="#"]'))
    entries.set(link.hash.slice(1), link);
  const headings = [...entries.keys()].map((id) => document.getElementById(id));
  const mark = () => {
    const read = headings.filter((heading) => heading.getBoundingClientRect().top < 120).pop();
    for (const link of entries.values()) link.removeAttribute('aria-current');
    if (read) entries.get(read.id).setAttribute('aria-current', 'true');
  };
  addEventListener('scroll', mark, { passive: true });
  mark();

  // A section that has moved to another page: on to it.
  const follow = () => {
    const place = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (place?.matches('[data-moved]')) location.replace(place.querySelector('a').href);
  };
  addEventListener('hashchange', follow);
  follow();
}
