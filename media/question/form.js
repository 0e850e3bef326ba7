// The form of a hosted server's question: its fields and buttons. The extension checks what is typed, and says what is wrong.
// A typed value is kept while the page is hidden.

export function element(name, classes, ...children) {
  const made = document.createElement(name);
  if (classes) made.className = classes;
  made.append(...children);
  return made;
}

/** A button that leaves the focus where it is. */
export function quietButton(classes, ...children) {
  const made = element('button', classes, ...children);
  made.addEventListener('mousedown', (event) => event.preventDefault());
  return made;
}

/** Milliseconds after the last key until the extension checks the fields. */
const PAUSE = 150;

/** What is shown: the fields and buttons, which fields the user has changed, and whether they have clicked a button. */
let all = [];
let fields = [];
let touched = new Set();
let hasClicked = false;

export function form({ id, form: shown }, vscode) {
  const kept = vscode.getState()?.id === id ? vscode.getState() : undefined;
  touched = new Set(kept?.touched);
  hasClicked = false;
  fields = shown.fields.map((field, index) =>
    fieldOf(field, index, shown, kept?.entries[index] ?? field.entry),
  );
  const entries = () => fields.map(({ entry }) => entry());
  const buttons = shown.buttons.map(({ label, tip, refuses }, button) => {
    const made = quietButton(button === 0 ? 'reply send' : refuses ? 'reply refuses' : 'reply', label);
    made.title = tip ?? '';
    made.addEventListener('click', () => {
      hasClicked = true;
      disable(true); // until the extension says what is wrong
      vscode.postMessage({ id, reply: { entries: entries(), button } });
    });
    return made;
  });
  let pause;
  const changed = () => {
    vscode.setState({ id, entries: entries(), touched: [...touched] });
    clearTimeout(pause);
    pause = setTimeout(() => vscode.postMessage({ id, reply: { entries: entries() } }), PAUSE);
  };
  for (const [index, { whole }] of fields.entries())
    whole.addEventListener('input', () => {
      touched.add(index);
      changed();
    });
  const refusals = buttons.filter((one) => one.classList.contains('refuses'));
  const row = element('div', 'buttons', ...buttons.filter((one) => !refusals.includes(one)));
  const fieldset = element('fieldset', 'form', ...fields.map(({ whole }) => whole), row);
  all = [fieldset, ...refusals];
  disable(true); // until it could be read
  if (kept) changed();
  return [fieldset, element('div', 'last', ...refusals)];
}

function disable(isOff) {
  for (const one of all) one.disabled = isOff;
}

/** Says what is wrong with the fields that the user has changed; with all, if they have clicked a button. */
export function note(notes) {
  const isAnswer = hasClicked;
  if (isAnswer) for (const index of fields.keys()) touched.add(index);
  for (const [index, { problem, warning }] of notes.entries()) {
    const { whole, problemText, warningText, control } = fields[index];
    const isWrong = problem !== '' && touched.has(index);
    problemText.textContent = isWrong ? problem : '';
    warningText.textContent = warning;
    whole.classList.toggle('wrong', isWrong);
    control?.setAttribute('aria-invalid', String(isWrong));
  }
  if (!isAnswer) return;
  hasClicked = false;
  disable(false);
  document.querySelector('.wrong :is(input, textarea, select)')?.focus();
}

function fieldOf(field, index, texts, entry) {
  const { label, description, isRequired } = field;
  const [problemText, warningText] = [element('p', 'problem'), element('p', 'warning')];
  problemText.id = `problem${index}`;
  const about = element('p', 'description', description);
  about.id = `about${index}`;
  const mark = isRequired ? [element('span', 'required', texts.required)] : [];
  const { control, parts, read } = controlOf(field, `field${index}`, texts, entry);
  control?.setAttribute('aria-describedby', `${about.id} ${problemText.id}`);
  const name = element(control ? 'label' : 'legend', 'label', label, ...mark);
  if (control) name.htmlFor = control.id;
  // The label of a box is beside it.
  const top = field.type === 'boolean' ? [...parts, about] : [name, about, ...parts];
  const whole = element(control ? 'div' : 'fieldset', 'field', ...top, problemText, warningText);
  return { whole, control, problemText, warningText, entry: read };
}

/** The elements that hold an entry, and how to read it. A group of boxes has no single control. */
function controlOf({ type, label, options, isRequired, isLong, placeholder }, id, texts, entry) {
  if (type === 'choices') {
    const boxes = options.map((option, index) => box(option, entry.includes(index)));
    const read = () => boxes.flatMap(({ input }, index) => (input.checked ? [index] : []));
    return { parts: boxes.map(({ whole }) => whole), read };
  }
  if (type === 'boolean') {
    const { whole, input } = box(label, entry);
    input.id = id;
    return { control: input, parts: [whole], read: () => input.checked };
  }
  if (type === 'choice') {
    const names = [isRequired ? texts.choose : texts.none, ...options];
    const control = element('select', '', ...names.map((name, index) => new Option(name, String(index - 1))));
    Object.assign(control, { id, value: String(entry[0] ?? -1) });
    return { control, parts: [control], read: () => (control.value === '-1' ? [] : [Number(control.value)]) };
  }
  const control = element(isLong ? 'textarea' : 'input', '');
  Object.assign(control, { id, value: entry, placeholder, spellcheck: false, autocomplete: 'off' });
  if (isLong) control.rows = 3;
  if (type !== 'text') control.inputMode = type === 'integer' ? 'numeric' : 'decimal';
  return { control, parts: [control], read: () => control.value };
}

function box(label, isChecked) {
  const input = element('input', '');
  Object.assign(input, { type: 'checkbox', checked: isChecked });
  return { input, whole: element('label', 'box', input, element('span', '', label)) };
}
