// Conveniences for readers of /docs; the page works without them.
'use strict';

// Adds a button that copies an example.
const examples = 'figure.code:not([data-language="http"], [data-language="text"])';
for (const figure of document.querySelectorAll(examples)) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(figure.querySelector('code').textContent.trimEnd());
    button.textContent = 'Copied';
    setTimeout(() => { button.textContent = 'Copy'; }, 1500);
  });
  if (navigator.clipboard) figure.append(button);
}

// On narrow screens the contents start collapsed, and collapse after a click on a link.
const contents = document.querySelector('.contents details');
if (contents) {
  const narrow = matchMedia('(max-width: 60rem)');
  const fit = () => { contents.open = !narrow.matches; };
  narrow.addEventListener('change', fit);
  contents.addEventListener('click', (event) => {
    if (event.target.closest('a') && narrow.matches) contents.open = false;
  });
  fit();

  // Marks the current section in the contents.
  const links = new Map();
  for (const link of contents.querySelectorAll('a')) links.set(link.hash.slice(1), link);
  const headings = [...links.keys()].map((id) => document.getElementById(id));
  const mark = () => {
    const read = headings.filter((heading) => heading.getBoundingClientRect().top < 120).pop();
    for (const link of links.values()) link.removeAttribute('aria-current');
    if (read) links.get(read.id).setAttribute('aria-current', 'true');
  };
  addEventListener('scroll', mark, { passive: true });
  mark();
}
