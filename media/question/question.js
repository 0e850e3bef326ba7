// The page of a question. It shows what the extension sends, and sends back each click with the id of its question. It accepts
// clicks only after the question, with its first changed line, was visible and unchanged for READING milliseconds. A button
// shows how many changed lines have not been visible yet.
const READING = 1000;
const LONG_WAIT = 30_000;

const vscode = acquireVsCodeApi();
const isMac = /^Mac/.test(navigator.platform);
let shown;
let began = 0;
/** Changed lines, command lines and arguments, and how many of them have been visible to their end. */
let items = [];
let seenItems = 0;

window.addEventListener('message', ({ data }) => {
  if (data.id === shown?.id) update(data);
  else if (data.heading) show(data); // an update may arrive before its question
});
setInterval(tellWait, 1000);
window.addEventListener('scroll', look);
window.addEventListener('resize', look);
vscode.postMessage({ ready: true });

function show(question) {
  shown = question;
  began = performance.now();
  const replied = question.replies ? [replies(question)] : [];
  document.body.replaceChildren(answers(question), about(question), ...question.files.map(file), ...replied);
  items = [...document.querySelectorAll('pre, tr.added, tr.removed')];
  seenItems = 0;
  window.scrollTo(0, 0);
  update(question);
  read(question);
}

/** Updates the number of waiting questions and the waiting time; the action itself never changes. */
function update({ more }) {
  document.querySelector('.more').textContent = more;
  tellWait();
}

/** Counts the time in which the user could read. The browser draws frames only while the page is visible. */
function read(question) {
  let seen = 0;
  let last;
  const frame = (now) => {
    if (shown !== question) return;
    look();
    const isInSight = isVisible() && (items.length === 0 || seenItems > 0);
    // A window that hangs shows nothing new, so a long frame counts as 100 ms.
    if (isInSight && last !== undefined) seen += Math.min(now - last, 100);
    last = now;
    document.querySelector('.reading').style.width = `${Math.min(100, (seen / READING) * 100)}%`;
    if (seen < READING) return void requestAnimationFrame(frame);
    vscode.postMessage({ read: question.id });
    for (const one of document.querySelectorAll('button:not(.off), textarea')) one.disabled = false;
    document.body.classList.add('open');
  };
  document.body.classList.remove('open');
  requestAnimationFrame(frame);
}

const isVisible = () =>
  document.visibilityState === 'visible' && window.innerWidth > 0 && window.innerHeight > 0;

/** Counts the items that have been visible, and shows how many are left. Items are in the order of the page. */
function look() {
  if (!isVisible() || !shown) return;
  const isSeen = (item) => item.getBoundingClientRect().bottom <= window.innerHeight + 1;
  let [low, high] = [seenItems, items.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isSeen(items[middle])) low = middle + 1;
    else high = middle;
  }
  seenItems = low;
  const left = items.length - seenItems;
  const mark = document.getElementById('below');
  const { changesBelow, below } = shown.texts;
  mark.hidden = left === 0;
  mark.textContent = `↓ ${items.at(-1)?.matches('tr') ? changesBelow.replace('{0}', String(left)) : below}`;
}

/** Scrolls to the first item that has not been visible, or by a page within it. */
function scrollOn() {
  const top = document.querySelector('header').offsetHeight;
  const far = (items[seenItems]?.getBoundingClientRect().top ?? 0) - top;
  window.scrollBy(0, far > 40 ? far : window.innerHeight - top - 40);
}

function answers({ id, choices }) {
  const buttons = choices.map(({ choice, label, keys, isMain, isOff, tip }) => {
    const button = element('button', isMain ? 'main' : 'link', element('span', '', label));
    const binding = keys && (isMac ? `⌘K ${keys}` : `Ctrl+K ${keys}`);
    if (binding && isMain) button.append(element('kbd', '', binding));
    button.id = choice;
    button.title = tip ?? binding ?? '';
    button.disabled = true;
    button.classList.toggle('off', Boolean(isOff));
    button.addEventListener('mousedown', (event) => event.preventDefault()); // keeps the focus where it is
    button.addEventListener('click', () => {
      // Blocks the second click of a double click. The diff and choices with a further step may be opened again.
      if (choice === 'once' || choice === 'session' || choice === 'deny' || choice === 'denySession')
        for (const one of document.querySelectorAll('button')) one.disabled = true;
      vscode.postMessage({ id, choice });
    });
    return button;
  });
  const below = element('button', 'link');
  below.id = 'below';
  below.addEventListener('mousedown', (event) => event.preventDefault());
  below.addEventListener('click', scrollOn);
  return element(
    'header',
    '',
    element('div', 'row', ...buttons.filter((one) => one.classList.contains('main'))),
    element('div', 'row', ...buttons.filter((one) => !one.classList.contains('main')), below),
    element('div', 'reading'),
  );
}

function about({ heading, from, facts, detail, warnings, ends }) {
  const status = element('section', 'about', element('h1', '', heading), element('p', 'from', from));
  status.setAttribute('role', 'alert');
  if (facts) status.append(element('p', 'facts', facts));
  for (const warning of warnings) status.append(element('p', 'warning', warning));
  for (const text of detail) status.append(element('pre', '', text));
  status.append(
    element('p', 'time', element('span', 'waited'), element('span', '', ends), element('span', 'more')),
  );
  return status;
}

/** The answers to an agent's own question. */
function replies({ id, replies: { choices, freeText, placeholder, send, dismiss } }) {
  const section = element('section', 'replies');
  const answer = (reply) => {
    for (const one of section.querySelectorAll('button, textarea')) one.disabled = true;
    vscode.postMessage({ id, reply });
  };
  const button = (label, classes, reply) => {
    const made = element('button', classes, label);
    made.disabled = true;
    made.addEventListener('mousedown', (event) => event.preventDefault()); // keeps the focus where it is
    made.addEventListener('click', () => answer(reply()));
    section.append(made);
    return made;
  };
  for (const [choice, label] of choices.entries()) button(label, 'reply', () => ({ choice }));
  if (freeText) {
    const words = element('textarea', '');
    Object.assign(words, { rows: 3, maxLength: 10_000, placeholder, disabled: true });
    words.setAttribute('aria-label', placeholder);
    section.append(words);
    const sending = button(send, 'reply send off', () => ({ words: words.value }));
    words.addEventListener('input', () => {
      sending.disabled = words.value.trim() === '';
    });
    words.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      sending.click();
    });
  }
  button(dismiss, 'link', () => ({ dismissed: true }));
  return section;
}

function file({ name, counts, lines }) {
  const table = element('table', '');
  const digits = Math.max(...lines.flatMap(({ before = 0, after = 0 }) => [before, after]).slice(-20), 10);
  table.style.setProperty('--digits', `${String(digits).length}ch`);
  for (const line of lines) {
    const text = element('td', 'text', ...line.parts.map(part));
    const sign = { added: '+', removed: '−', same: '', gap: '⋯' }[line.kind];
    table.append(
      element('tr', line.kind, cell(line.before), cell(line.after), element('td', 'sign', sign), text),
    );
  }
  return element(
    'section',
    'file',
    element('h2', '', element('bdi', '', name), element('span', 'counts', counts)),
    table,
  );
}

function part({ text, mark, isChanged }) {
  const classes = [mark, isChanged && 'changed'].filter(Boolean).join(' ');
  return element('span', classes, mark === 'end' ? shown.texts.noNewline : text);
}

const cell = (number) => element('td', 'number', number === undefined ? '' : String(number));

function tellWait() {
  const waited = shown ? shown.age + performance.now() - began : 0;
  const place = document.querySelector('.waited');
  if (!place || waited < LONG_WAIT) return;
  const seconds = Math.floor(waited / 1000);
  place.textContent = shown.texts.waited
    .replace('{0}', String(Math.floor(seconds / 60)))
    .replace('{1}', String(seconds % 60).padStart(2, '0'));
}

function element(name, classes, ...children) {
  const made = document.createElement(name);
  if (classes) made.className = classes;
  made.append(...children);
  return made;
}
