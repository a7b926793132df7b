// Comfort for reviewers, beside site.js; the desk works without it.
'use strict';

// The review desk by keyboard: an element with data-key is pressed by that key, and `?` lists them.
// Of several with one key the first is meant. A reviewer can change a key; the browser keeps the choice.
const withKeys = () => {
  const first = new Map();
  for (const one of document.querySelectorAll('[data-key]'))
    if (!first.has(one.dataset.key)) first.set(one.dataset.key, one);
  return [...first.values()];
};
const FIXED = ['j', 'k', 'z', '?'];
if (withKeys().length > 0) {
  const load = () => {
    try {
      return JSON.parse(localStorage.getItem('keys')) ?? {};
    } catch {
      return {};
    }
  };
  const chosen = load();
  const keyOf = (element) => chosen[element.dataset.key] ?? element.dataset.key;
  const sheet = document.createElement('dialog');
  sheet.className = 'keys';
  sheet.setAttribute('aria-label', 'Keys');
  document.body.append(sheet);

  // Swap keys with the element that had this one, so that no key does two things.
  const change = (element, key) => {
    const other = withKeys().find((one) => keyOf(one) === key);
    if (other) chosen[other.dataset.key] = keyOf(element);
    chosen[element.dataset.key] = key;
    try {
      localStorage.setItem('keys', JSON.stringify(chosen));
    } catch {
      // Then the choice ends with the page.
    }
  };
  // A key on a heading opens its section and focuses the first field. What is in a closed section is
  // not pressed: the section opens.
  const press = (element) => {
    const isHeading = element.matches('summary, legend');
    const part = element.closest(isHeading ? 'details, fieldset' : 'details:not([open])');
    if (!part) return element.click();
    if (part.matches('details')) part.open = true;
    return part.querySelector('input:not([type="hidden"]), button').focus();
  };
  const hint = document.createElement('p');
  hint.className = 'small hint';
  hint.textContent = 'Press ? for the keys.';
  document.querySelector('main .head')?.append(hint);
  const line = (label, control) => {
    const row = document.createElement('label');
    row.append(label, control);
    return row;
  };
  const show = () => {
    const title = document.createElement('h2');
    title.textContent = 'Keys';
    const inputs = withKeys().map((element) => {
      const input = document.createElement('input');
      input.value = keyOf(element);
      input.maxLength = 1;
      input.addEventListener('input', () => {
        if (input.value === '') return;
        if (!FIXED.includes(input.value)) change(element, input.value);
        for (const [one, shown] of inputs) shown.value = keyOf(one);
      });
      return [element, input];
    });
    const rows = inputs.map(([element, input]) =>
      line(element.dataset.label ?? element.textContent.trim(), input),
    );
    const fixed = document.createElement('p');
    fixed.textContent =
      'j and k move down and up the rows; Enter opens one. Ctrl+Enter saves it, with Shift opens ' +
      'the next one. Ctrl+D copies the field above. Escape leaves a field, then the row. z ' +
      'enlarges the page.';
    const close = document.createElement('form');
    close.method = 'dialog';
    sheet.replaceChildren(title, ...rows, fixed, close);
    const end = stockact.addButton('Close', 'button plain', close, () => sheet.close());
    sheet.showModal();
    end.focus();
  };

  addEventListener('keydown', (event) => {
    const form = event.target.closest('form[method="post"]');
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      const button = event.shiftKey ? 'button[value$="-next"]' : 'button[name="do"]';
      if (form?.matches('[data-keep]')) {
        form.requestSubmit(form.querySelector(button) ?? form.querySelector('button[name="do"]'));
      }
      return;
    }
    if (event.key === 'Escape' && form) event.target.blur();
    if (event.ctrlKey || event.metaKey || event.altKey || sheet.open) return;
    if (event.repeat) return; // a key that is held down decides about one draft
    if (event.target.closest('input, select, textarea')) return;
    if (event.key === '?') show();
    else if (event.key === 'Escape') document.querySelector('.rowform a[data-key]')?.click();
    else if (event.key === 'z') document.querySelector('.original')?.classList.toggle('large');
    else {
      const element = withKeys().find((one) => keyOf(one) === event.key);
      if (!element) return;
      event.preventDefault(); // the field that has the focus now does not get the letter
      press(element);
    }
  });
}

// Turning a page leaves the rest as it is: the row that is typed, and where the person is. A row that has
// the focus is shown on its page.
const original = document.querySelector('.original');
const showMarked = () => {
  original.scrollTop = (original.querySelector('[aria-current]')?.offsetTop ?? 0) - 60;
};
if (original) showMarked();
let soonTurned;
let turned = 0;
const turn = async (address) => {
  const mine = (turned += 1);
  const reply = await fetch(address).catch(() => null);
  const text = reply?.ok ? await reply.text() : null;
  if (text === null || mine !== turned) return; // another one was asked for meanwhile
  const page = new DOMParser().parseFromString(text, 'text/html');
  const shown = page.querySelector('.original');
  if (!shown) return; // the session has ended
  original.replaceChildren(...shown.childNodes);
  showMarked();
};
original?.addEventListener('click', (event) => {
  const link = event.target.closest('.turns a');
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  turn(link.href);
});
document.querySelector('.reading')?.addEventListener('focusin', ({ target }) => {
  const link = original && target.closest('tbody tr')?.querySelector('td:first-child a');
  clearTimeout(soonTurned);
  if (link && !document.querySelector('.rowform')) soonTurned = setTimeout(turn, 100, link.href);
});

// Fill down: Ctrl and D copies the field of the row above, as in a spreadsheet.
addEventListener('keydown', (event) => {
  const { above } = event.target.dataset ?? {};
  if (event.key !== 'd' || !(event.ctrlKey || event.metaKey) || above === undefined) return;
  event.preventDefault();
  event.target.value = above;
  event.target.dispatchEvent(new Event('input', { bubbles: true }));
});

// Members and symbols are offered while a person types.
for (const input of document.querySelectorAll('input[data-find]')) {
  const list = document.createElement('datalist');
  list.id = `${input.id}-found`;
  input.after(list);
  input.setAttribute('list', list.id);
  let soon;
  const offer = async () => {
    const params = new URLSearchParams({ [input.dataset.find]: input.value });
    if (input.dataset.chamber) params.set('chamber', input.dataset.chamber);
    const reply = await fetch(`/desk/find?${params}`, { headers: { Accept: 'application/json' } });
    if (!reply.ok) return;
    const { members = [], symbols = [] } = await reply.json();
    const found = [
      ...members.map(({ slug, label }) => [slug, label]),
      ...symbols.map(({ symbol, company }) => [symbol, company]),
    ];
    // A browser offers only what contains the typed text: "BRK-B" stands beside BRK.B.
    const offered = ([value, label]) => {
      const text = label ?? value;
      const isThere = `${value}\n${text}`.toLowerCase().includes(input.value.toLowerCase());
      return new Option(isThere ? text : `${text} (${input.value})`, value);
    };
    list.replaceChildren(...found.map(offered));
  };
  input.addEventListener('input', () => {
    clearTimeout(soon);
    if (input.value.length > 1) soon = setTimeout(() => offer().catch(() => {}), 150);
  });
}

// Without a connection a form stays where it is.
addEventListener(
  'submit',
  (event) => {
    if (navigator.onLine || event.target.method !== 'post') return;
    event.preventDefault();
    event.stopImmediatePropagation();
    const said = document.querySelector('.offline') ?? document.createElement('p');
    said.className = 'note offline';
    said.setAttribute('role', 'alert');
    said.textContent = 'There is no connection: nothing was sent. What you typed stays here.';
    event.target.prepend(said);
  },
  true,
);

// An acceptance says that this script showed the rows; the server has counted them.
for (const field of document.querySelectorAll('[name="script"]')) field.value = 1;

// A person decides about a draft that is in sight: a second press or click that arrives just after the
// next draft appeared does not decide about that one.
const verdict = document.querySelector('form.verdict');
if (verdict && sessionStorage.getItem('decided')) {
  verdict.dataset.fresh = '';
  setTimeout(() => verdict.removeAttribute('data-fresh'), 700);
}
sessionStorage.removeItem('decided');
verdict?.addEventListener('submit', (event) => {
  if ('fresh' in verdict.dataset) {
    event.preventDefault();
    event.stopPropagation();
  } else if (event.submitter?.value !== 'claim') sessionStorage.setItem('decided', '1');
});

// Restore a form that was sent but not answered. An answer has a flash or faults, or is another page.
const lost = document.querySelector('.flash, .faults') ? null : sessionStorage.getItem('sent');
sessionStorage.removeItem('sent');

// What is typed into the form of a row is kept on the server until it is saved. `of` names the page:
// the server ignores what arrives after the page's form was sent.
for (const form of document.querySelectorAll('form[data-keep]')) {
  let soon = null;
  const settled = () => {
    clearTimeout(soon);
    soon = null;
  };
  const again = () => (soon ??= setTimeout(keep, 5000)); // no connection, or a busy server
  const keep = () => {
    settled();
    const body = new URLSearchParams(new FormData(form));
    body.set('of', body.get('once'));
    body.delete('once');
    body.set('do', 'keep');
    fetch(form.action, {
      body,
      headers: { Accept: 'application/json', 'X-CSRF-Token': body.get('csrf') },
      keepalive: true,
      method: 'POST',
    }).then(({ status }) => status === 503 && again(), again);
  };
  form.addEventListener('input', () => {
    soon ??= setTimeout(keep, 2000);
  });
  // The form and "Discard it" decide about the words; other forms of the page leave them typed.
  addEventListener('submit', ({ target, submitter }) => {
    if (target.method !== 'post' || target.action.split('?')[0] !== form.action) return;
    settled();
    if (target === form && submitter?.value !== 'above')
      sessionStorage.setItem('sent', JSON.stringify([form.action, [...new FormData(form)]]));
  });
  const [place, pairs] = JSON.parse(lost ?? '[]');
  if (place === form.action) {
    for (const [name, value] of pairs) {
      const field = form.elements[name];
      if (field?.type === 'checkbox') field.checked = true;
      else if (field && field.type !== 'hidden') field.value = value; // radio buttons take it too
    }
    soon = setTimeout(keep, 0);
  }
  addEventListener('pagehide', () => {
    if (soon !== null) keep();
  });
  // Wait until the browser has jumped to the fragment: the jump removes the focus.
  addEventListener('load', () => {
    requestAnimationFrame(() => {
      if (form.contains(document.activeElement)) return; // the person was faster
      form.querySelector('input:not([type="hidden"]), select').focus();
    });
  });
}
