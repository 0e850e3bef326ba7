// The page of a question. It shows what the extension sends, and sends back each click with the id of its question. It accepts
// a refusal only after it was visible and unchanged for READING milliseconds, and any other click only after its first changed
// line was, too. A button shows how many changed lines have not been visible yet.
import { element, form, note, quietButton } from './form.js';

const READING = 1000;
const REFUSALS = ['deny', 'denyReason', 'denySession'];
const LONG_WAIT = 30_000;
const MOST_LISTED = 5;
/** Milliseconds that colouring may take, and the most UTF-16 units of a line that is coloured. */
const COLOURING = 300;
const LONG_LINE = 2_000;

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
window.addEventListener('load', colour); // colours.js is there now
window.addEventListener('click', ({ target }) => {
  if (!target.closest('#menu, #choices')) toggleMenu(false);
});
window.addEventListener('keydown', ({ key }) => {
  if (key === 'Escape') toggleMenu(false);
});
window.addEventListener('blur', () => toggleMenu(false));
vscode.postMessage({ ready: true });

function show(question) {
  shown = question;
  began = performance.now();
  document.body.replaceChildren(answers(question), ...contents(question));
  window.scrollTo(0, 0);
  filled();
  update(question);
  read(question);
}

const contents = (question) => [
  about(question),
  ...(question.files.length > 1 ? [list(question)] : []),
  ...question.files.map(file),
  ...(question.replies ? replies(question) : []),
  ...(question.form ? form(question, vscode) : []),
];

/** What it asks for never changes. */
function update(changed) {
  if (changed !== shown && changed.heading) {
    const open = [...document.querySelectorAll('details')].map((one) => one.open);
    Object.assign(shown, changed);
    document.body.replaceChildren(document.querySelector('header'), ...contents(shown));
    for (const [index, one] of document.querySelectorAll('details').entries()) one.open = open[index];
    filled();
  }
  if (changed.notes) note(changed.notes);
  document.querySelector('.more').textContent = changed.more;
  tellWait();
}

function filled() {
  findItems();
  colour();
}

/** Lines of files that the user has folded do not count. */
function findItems() {
  const all = [...document.querySelectorAll('pre, .field, tr.added, tr.removed, .cut')];
  items = all.filter((one) => !one.closest('details:not([open])'));
  seenItems = 0;
  look();
}

/** Counts the time in which the user could read. The browser draws frames only while the page is visible. */
function read(question) {
  let [seen, read, isSeen] = [0, 0, false];
  let last;
  const frame = (now) => {
    if (shown !== question) return;
    look();
    // A window that hangs shows nothing new, so a long frame counts as 100 ms.
    const passed = isVisible() && last !== undefined ? Math.min(now - last, 100) : 0;
    last = now;
    seen += passed;
    if (items.length === 0 || seenItems > 0) read += passed;
    document.querySelector('.reading').style.width = `${Math.min(100, (read / READING) * 100)}%`;
    if (!isSeen && seen >= READING) {
      isSeen = true;
      vscode.postMessage({ seen: question.id });
      enable('.refuses, #choices');
    }
    if (read < READING) return void requestAnimationFrame(frame);
    vscode.postMessage({ read: question.id });
    enable('button:not(.off), textarea, fieldset');
    document.body.classList.add('open');
  };
  document.body.classList.remove('open');
  requestAnimationFrame(frame);
}

function enable(what) {
  for (const one of document.querySelectorAll(what)) one.disabled = false;
}

const isVisible = () =>
  document.visibilityState === 'visible' && window.innerWidth > 0 && window.innerHeight > 0;

/** Counts the items that have been visible, and shows how many are left. Items are in the order of the page. */
function look() {
  if (!isVisible() || !shown) return;
  const bottom = document.querySelector('.last')?.getBoundingClientRect().top ?? window.innerHeight;
  const isSeen = (item) => item.getBoundingClientRect().bottom <= bottom + 1;
  let [low, high] = [seenItems, items.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isSeen(items[middle])) low = middle + 1;
    else high = middle;
  }
  seenItems = low;
  const left = items.slice(seenItems).reduce((sum, { changes = 1 }) => sum + changes, 0);
  const mark = document.getElementById('below');
  const { changesBelow, below } = shown.texts;
  mark.hidden = left === 0;
  mark.textContent = `↓ ${items.at(-1)?.matches('tr, .cut') ? changesBelow.replace('{0}', String(left)) : below}`;
}

/** Scrolls to the first item that has not been visible, or by a page within it. */
function scrollOn() {
  const top = document.querySelector('header').offsetHeight;
  const far = (items[seenItems]?.getBoundingClientRect().top ?? 0) - top;
  const last = document.querySelector('.last')?.offsetHeight ?? 0;
  window.scrollBy(0, far > 40 ? far : window.innerHeight - top - last - 40);
}

/** One row: the main choices, and the others in a menu. */
function answers({ id, choices, covers, texts }) {
  const buttons = choices.map(({ choice, label, keys, isMain, isOff, tip }) => {
    const binding = keys && (isMac ? `⌘K ${keys}` : `Ctrl+K ${keys}`);
    const button = quietButton(isMain ? 'main' : 'choice', element('span', '', label));
    if (binding) button.append(element('kbd', '', binding));
    button.id = choice;
    button.title = tip ?? binding ?? '';
    button.disabled = true;
    button.classList.toggle('off', Boolean(isOff));
    button.classList.toggle('refuses', REFUSALS.includes(choice));
    button.addEventListener('click', () => {
      toggleMenu(false);
      // Blocks the second click of a double click. The diff and choices with a further step may be opened again.
      if (!['denyReason', 'workspace', 'diff'].includes(choice))
        for (const one of document.querySelectorAll('button')) one.disabled = true;
      vscode.postMessage({ id, choice });
    });
    return button;
  });
  const isMain = (button) => button.classList.contains('main');
  const lasting = covers ? [element('p', 'covers', covers)] : [];
  const menu = element('div', '', ...lasting, ...buttons.filter((one) => !isMain(one)));
  Object.assign(menu, { id: 'menu', hidden: true });
  const more = quietButton('main', texts.choices, element('span', 'arrow', '▾'));
  Object.assign(more, { id: 'choices', disabled: true, hidden: choices.length === 0 });
  more.addEventListener('click', () => toggleMenu(menu.hidden));
  const below = quietButton('');
  below.id = 'below';
  below.addEventListener('click', scrollOn);
  const row = element('div', 'row', ...buttons.filter(isMain), more);
  return element('header', '', row, menu, below, element('div', 'reading'));
}

function toggleMenu(isOpen) {
  const menu = document.getElementById('menu');
  if (!menu) return;
  menu.hidden = !isOpen;
  document.getElementById('choices').setAttribute('aria-expanded', String(isOpen));
}

function about({ heading, from, facts, why, covers, said, detail, given, warnings, ends }) {
  const status = element('section', 'about', element('h1', '', heading), element('p', 'from', from));
  status.setAttribute('role', 'alert');
  if (facts) status.append(element('p', 'facts', facts));
  if (why) status.append(element('p', 'why', why));
  for (const warning of warnings) status.append(element('p', 'warning', warning));
  for (const text of detail) status.append(element('pre', '', text));
  for (const { name, value } of given) status.append(element('h3', '', name), element('pre', '', value));
  if (said) status.append(element('p', 'said', said));
  if (covers) status.append(element('p', 'covers', covers));
  status.append(
    element('p', 'time', element('span', 'waited'), element('span', '', ends), element('span', 'more')),
  );
  return status;
}

function list({ files, texts }) {
  const names = files.map(({ name, counts }, index) => {
    const link = quietButton('name', element('bdi', '', name), element('span', 'counts', counts));
    link.addEventListener('click', () => {
      const place = document.querySelectorAll('details.file')[index];
      place.open = true;
      window.scrollBy(0, place.getBoundingClientRect().top - document.querySelector('header').offsetHeight);
    });
    return element('li', '', link);
  });
  const summary = element('summary', '', texts.files.replace('{0}', String(files.length)));
  const made = element('details', 'files', summary, element('ul', '', ...names));
  made.open = files.length <= MOST_LISTED;
  return made;
}

function replies({ id, replies: { choices, freeText, placeholder, send, dismiss } }) {
  const section = element('section', 'replies');
  const last = element('div', 'last');
  const answer = (reply) => {
    for (const one of document.querySelectorAll('button, textarea')) one.disabled = true;
    vscode.postMessage({ id, reply });
  };
  const button = (label, classes, reply, place = section) => {
    const made = quietButton(classes, label);
    made.disabled = true;
    made.addEventListener('click', () => answer(reply()));
    place.append(made);
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
  button(dismiss, 'link refuses', () => ({ dismissed: true }), last);
  return [section, last];
}

function file({ name, counts, lines, cut, cutText }) {
  const table = element('table', '');
  const digits = Math.max(...lines.flatMap(({ before = 0, after = 0 }) => [before, after]).slice(-20), 10);
  table.style.setProperty('--digits', `${String(digits).length}ch`);
  for (const line of lines) {
    const text = element('td', 'text', ...line.parts.flatMap(part));
    const sign = { added: '+', removed: '−', same: '', gap: '⋯' }[line.kind];
    table.append(
      element('tr', line.kind, cell(line.before), cell(line.after), element('td', 'sign', sign), text),
    );
  }
  const summary = element('summary', '', element('bdi', '', name), element('span', 'counts', counts));
  const made = element('details', 'file', summary, table);
  if (cut) made.append(Object.assign(element('p', 'warning cut', cutText), { changes: cut }));
  made.open = true;
  made.addEventListener('toggle', findItems);
  return made;
}

/** A line may end after white space, which is shown by marks. */
function part({ text, mark, isChanged, colour }) {
  const classes = [mark, isChanged && 'changed'].filter(Boolean).join(' ');
  const made = element('span', classes, mark === 'end' ? shown.texts.noNewline : text);
  if (colour && !mark) made.style.color = `var(--${colour})`; // marks have their own
  return mark === 'white' ? [made, element('wbr', '')] : [made];
}

/** What takes long stays as it is. */
function colour() {
  if (!globalThis.coloursOf || !shown) return;
  const until = performance.now() + COLOURING;
  for (const [index, { language, lines }] of shown.files.entries()) {
    const cells = document.querySelectorAll('details.file')[index].querySelectorAll('.text');
    for (const kind of ['removed', 'added']) {
      const side = lines.map((line, at) => ({ ...line, cell: cells[at] }));
      for (const run of runsOf(side.filter((line) => line.kind !== (kind === 'added' ? 'removed' : 'added'))))
        if (performance.now() < until) colourRun(run, kind, language);
    }
  }
}

/** Lines that follow each other, without the gaps. */
function runsOf(lines) {
  const runs = [[]];
  for (const line of lines) line.kind === 'gap' ? runs.push([]) : runs.at(-1).push(line);
  return runs;
}

/** Colours lines as one text; lines that were not changed with those that were added. */
function colourRun(lines, kind, language) {
  const textOf = ({ text, mark }) => (mark === 'white' ? ' '.repeat(text.length) : text);
  const texts = lines.map(({ parts }) => parts.map(textOf).join(''));
  if (texts.some((text) => text.length > LONG_LINE)) return;
  const pieces = globalThis.coloursOf(texts.join('\n'), language);
  if (!pieces) return;
  let [piece, left] = [0, pieces[0]?.[0] ?? 0];
  const take = (count) => {
    const taken = [];
    while (count > 0 && piece < pieces.length) {
      const length = Math.min(count, left);
      if (length > 0) taken.push([length, pieces[piece][1]]);
      count -= length;
      left -= length;
      if (left === 0) left = pieces[++piece]?.[0] ?? 0;
    }
    return taken;
  };
  for (const line of lines) {
    const spans = line.parts.flatMap((one) => {
      let at = 0;
      const cut = take(one.text.length).map(([length, colour]) => {
        at += length;
        return { ...one, text: one.text.slice(at - length, at), colour };
      });
      return cut.length > 0 ? cut : [one];
    });
    take(1); // the end of the line
    if (line.kind === kind || (line.kind === 'same' && kind === 'added'))
      line.cell.replaceChildren(...spans.flatMap(part));
  }
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
