import { Expander, MAX_TEXT } from './expander.ts';
import { type Snippet, type SnippetNode, type TabStopNode, walk } from './syntax.ts';
import { isKnownVariable, valueWithoutEditor } from './variables.ts';

/** One argument of a snippet: a tab stop with all its mirrors. */
export interface TabStop {
  number: number;
  /** An ASCII identifier, unique in its snippet: the placeholder's or variable's text or the choices, else `arg<number>`. */
  name: string;
  /** The text without a value; variables are shown as `$NAME`. */
  defaultText?: string;
  /** Suggestions: as in the editor, any other value is allowed. */
  choices?: string[];
  /** It has no default and no choices, and is not only part of another default. */
  required: boolean;
}

export interface Expansion {
  /** By tab stop number; inserted unchanged, except in mirrors with a transform. */
  values: Readonly<Record<number, string>>;
  /** Variables of the editor (`TM_FILENAME`, `CLIPBOARD` …); undefined if there is no value, or an empty selection. */
  variable(name: string): string | undefined;
}

const MAX_NAME = 40;

/**
 * The arguments of a snippet, by number. `$0` is the final cursor, not an argument. Runs none of the snippet's regexps: a list must
 * not depend on how long they take.
 */
export function tabStops(snippet: Snippet): TabStop[] {
  const nodes = withNamedStops(snippet, false);
  const expander = new Expander(nodes, {}, (name) => `$${name}`);
  const outermost = new Set(nodes.map((node) => (node.kind === 'tabStop' ? node.number : 0)));
  const names = new Map<string, number>();
  return [...expander.stops.values()]
    .filter(({ number }) => number > 0)
    .sort((a, b) => a.number - b.number)
    .map((stop) => describe(stop, expander.textOfStop(stop.number), outermost.has(stop.number), names));
}

/** The variables that it uses, unknown ones too. */
export const variablesIn = (snippet: Snippet): ReadonlySet<string> =>
  new Set([...walk(snippet)].flatMap((node) => (node.kind === 'variable' ? node.name : [])));

/** Whether it has regexps of its own, which may take long. */
export const hasTransforms = (snippet: Snippet): boolean =>
  [...walk(snippet)].some((node) => node.kind !== 'text' && node.transform);

/**
 * The snippet's text, with values in all mirrors, and defaults for stops without a value. A value replaces the whole default, nested
 * stops included, as typing does. It runs the snippet's own regexps: for untrusted snippets set a deadline.
 *
 * @throws RangeError if the text gets too long
 */
export function expandSnippet(snippet: Snippet, expansion: Expansion): string {
  const nodes = withNamedStops(snippet);
  const expander = expanderOf(nodes, expansion);
  const text = expander.text(nodes);
  if (expander.tooLong) throw new RangeError(`The snippet expands to more than ${MAX_TEXT} characters.`);
  return text;
}

/** The text of a tab stop without a value, if other stops have values that its default may contain. Same limits as the text. */
export const defaultOf = (snippet: Snippet, number: number, expansion: Expansion): string =>
  expanderOf(withNamedStops(snippet), expansion).textOfStop(number);

function expanderOf(nodes: Snippet, { values, variable }: Expansion): Expander {
  const now = new Date();
  return new Expander(nodes, values, (name) => valueWithoutEditor(name, now) ?? variable(name));
}

/**
 * VS Code turns an unknown variable into a placeholder, except in the default of another: `${name}` is `${2:name}` after `$1`.
 *
 * @param transforms whether they stay
 */
function withNamedStops(snippet: Snippet, transforms = true): Snippet {
  let last = 0;
  for (const node of walk(snippet)) if (node.kind === 'tabStop') last = Math.max(last, node.number);
  const numbers = new Map<string, number>();
  const convert = (original: SnippetNode): SnippetNode => {
    if (original.kind === 'text') return original;
    const { transform: _, ...bare } = original;
    const node = transforms ? original : bare;
    if (node.kind === 'tabStop') return { ...node, fallback: node.fallback.map(convert) };
    if (node.fallback.length > 0 || isKnownVariable(node.name)) return node;
    const number = numbers.get(node.name) ?? ++last;
    numbers.set(node.name, number);
    return { kind: 'tabStop', number, fallback: [{ kind: 'text', text: node.name }] };
  };
  return snippet.map(convert);
}

function describe(node: TabStopNode, text: string, outermost: boolean, names: Map<string, number>): TabStop {
  const { number, choices } = node;
  const name = unique((choices ? nameOfChoices(choices) : identifier(text)) ?? `arg${number}`, names);
  if (node.fallback.length === 0) return { number, name, required: outermost };
  return { number, name, defaultText: text, ...(choices && { choices }), required: false };
}

/** `debug_or_release`; of many choices the first: `patch_or_minor_or_other`. */
function nameOfChoices(choices: readonly string[]): string | undefined {
  for (let count = choices.length; count > 0; count--) {
    const others = count < choices.length ? ['other'] : [];
    const text = [...choices.slice(0, count), ...others].join(' or ');
    const name = identifier(text) ?? identifier(`choice ${text}`);
    if (name) return name;
  }
  return undefined;
}

/** A short ASCII text as an identifier, `user-name` as `user_name`; undefined if that is not possible. */
function identifier(text: string): string | undefined {
  if (text.length > MAX_NAME || !/^[\x20-\x7e]*$/.test(text)) return undefined;
  const slug = text.replace(/^\W+|\W+$/g, '').replace(/\W+/g, '_');
  return /^(?!\d).*[A-Za-z]/.test(slug) ? slug : undefined;
}

/** Numbers a name that is taken: `name`, `name_2`, `name_3`. `names` has the highest number of each name. */
function unique(base: string, names: Map<string, number>): string {
  let count = names.get(base) ?? 1;
  let name = base;
  while (names.has(name)) name = `${base}_${++count}`;
  names.set(name, 1).set(base, count);
  return name;
}
