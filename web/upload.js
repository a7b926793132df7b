// Documents: each file is a request of its own, so it has its progress, can be cancelled, and fails
// alone. They are sent one after the other, as the server reads them.
const upload = document.querySelector('form[data-upload]');
const input = upload.querySelector('input[type="file"]');
const list = document.createElement('ul');
const waiting = [];
let busy = false;
list.className = 'uploads';
list.setAttribute('aria-live', 'polite');
upload.querySelector('.actions').hidden = true;
upload.querySelector('label').textContent = 'Drop files on this page, or choose them';
upload.after(list);

const element = (name, text, parent, className = '') => {
  const made = document.createElement(name);
  made.textContent = text;
  made.className = className;
  parent.append(made);
  return made;
};
const say = (file, kind, label, text, href, id) => {
  const { row } = file;
  row.replaceChildren();
  element('strong', file.name, row);
  row.append(' ');
  element('span', label, row, `badge ${kind}`);
  const words = element('p', text, row);
  if (href) {
    words.append(' ');
    element('a', `Open ${id}`, words).href = href;
  }
  return words;
};
const again = (file, text) => {
  stockact.addButton('Send again', 'quiet', say(file, 'bad', 'not imported', `${text} `), () => {
    waiting.push(file);
    next();
  });
};
// Another window of this person sends a file, or one was broken off a moment ago.
const later = (file) => {
  say(file, 'off', 'waiting', 'Another upload of yours is arriving.');
  setTimeout(() => {
    waiting.push(file);
    next();
  }, 10_000);
};
const answer = (request, file) => {
  const { response: reply, status } = request;
  if (status === 200 && reply) {
    const [{ kind, label, name, words, reason, awaiting, href, filingId }] = reply.results;
    file.name = name;
    const text = words + (reason ? `: ${reason}` : '') + (awaiting ? `; ${awaiting}` : '');
    if (label === 'not imported') again(file, `${text}.`);
    else say(file, kind, label, `${text}.`, href, filingId);
  } else if (status === 0) again(file, 'The connection was lost.');
  else if (status === 401) again(file, 'Your session has ended. Sign in again on another page.');
  else if (reply?.error === 'upload_in_progress') later(file);
  else if (reply?.error === 'still_reading') say(file, 'wait', 'still reading', reply.hint);
  else again(file, reply?.faults?.[0]?.error ?? reply?.hint ?? 'The server cannot take it now.');
};
const send = (file) => {
  const request = new XMLHttpRequest();
  const body = new FormData();
  body.append('files', file.bytes, file.bytes.name);
  request.open('POST', upload.action);
  request.responseType = 'json';
  request.setRequestHeader('Accept', 'application/json');
  request.setRequestHeader('X-CSRF-Token', upload.elements.csrf.value);
  const words = say(file, 'wait', 'sending', '');
  const bar = document.createElement('progress');
  bar.setAttribute('aria-label', file.name);
  words.append(bar);
  stockact.addButton('Cancel', 'quiet', words, () => request.abort());
  request.upload.addEventListener('progress', ({ loaded, total }) => {
    bar.max = total;
    bar.value = loaded;
  });
  request.upload.addEventListener('load', () => say(file, 'wait', 'reading', 'Sent.'));
  request.addEventListener('abort', () => again(file, 'You cancelled it.'));
  for (const end of ['load', 'error']) {
    request.addEventListener(end, () => answer(request, file));
  }
  request.addEventListener('loadend', () => {
    busy = false;
    next();
  });
  request.send(body);
};
const next = () => {
  if (busy) return;
  const file = waiting.shift();
  busy = file !== undefined;
  if (busy) send(file);
  else if (document.activeElement.matches('body, input')) list.querySelector('a')?.focus();
};
const take = (files) => {
  const max = Number(upload.dataset.upload);
  for (const bytes of files) {
    const file = { bytes, name: bytes.name, row: document.createElement('li') };
    list.append(file.row);
    if (bytes.size > max) {
      say(file, 'bad', 'not imported', `It is larger than ${max >> 20} MiB.`);
    } else {
      say(file, 'off', 'waiting', '');
      waiting.push(file);
    }
  }
  next();
};
input.addEventListener('change', () => {
  take([...input.files]);
  input.value = '';
});
const over = (event) => {
  event.preventDefault();
  upload.classList.toggle('over', event.type === 'dragover');
  if (event.type === 'drop') take([...event.dataTransfer.files]);
};
for (const kind of ['dragover', 'dragleave', 'drop']) addEventListener(kind, over);
addEventListener('beforeunload', (event) => {
  if (busy) event.preventDefault();
});
