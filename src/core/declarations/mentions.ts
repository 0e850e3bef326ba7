/** Names that a text mentions in some role, found without a parser: language servers then say what they are. */

import { OPENERS } from './nesting.ts';

/** Where the names are that a text calls, as UTF-16 indexes in text order. */
export function namesCalled(text: string, languageId: string): number[] {
  const code = withoutComments(text, languageId);
  const called = languageId === 'shellscript' ? COMMAND : CALL;
  const all = [...code.matchAll(called)].map(({ 0: whole, 1: name = '', index }) => ({
    name,
    at: index + whole.indexOf(name),
  }));
  return all.filter(({ name }) => !NOT_CALLED.has(name)).map(({ at }) => at);
}

/** With type arguments between the name and the parenthesis. */
const CALL = /(?<![\p{L}\p{N}_$])([\p{L}_$][\p{L}\p{N}_$]*)\s*(?:(?:::)?<[\w\s:,.*&<>]{0,200}>\s*)?\(/gu;
const COMMAND =
  /(?<![\p{L}\p{N}_-])(?=[\p{L}_])(?<=(?:^|[;&|(`!]|(?<!\$)\{|\b(?:then|do|else|if|elif|while|until|time)\b)[ \t]*)([\p{L}_][\p{L}\p{N}_-]*)(?=$|[ \t;&|)}`])/gmu;

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '));
const NOT_CALLED = words(
  'and assert await catch def do elif else esac fi fn for foreach func function if in lambda match not or return sizeof switch then throw typeof unless until when while with yield case done local export',
);

/**
 * Where the names of the types are that a class or interface extends or implements, as UTF-16 indexes in text order.
 *
 * @param text from the end of its own name on; what is before may be spaces
 */
export function namesExtended(text: string, languageId: string): number[] {
  const code = withoutComments(text, languageId);
  if (languageId === 'python') {
    const [lead = ''] = /^\s*(?:\[(?:[^[\]]|\[[^[\]]*\])*\]\s*)?/.exec(code) ?? [];
    const from = lead.length;
    const to = code[from] === '(' ? from + closed(code, from).length - 1 : from;
    return indexed(withoutBrackets(code.slice(from + 1, to)).split(','), from + 1);
  }
  if (languageId === 'ruby') {
    const [lead] = /^\s*<\s*/.exec(code) ?? [];
    return lead ? indexed([/^[\w:]*/.exec(code.slice(lead.length))?.[0] ?? ''], lead.length) : [];
  }
  const flat = withoutBrackets(code);
  const head = flat.slice(0, flat.search(/[{;]|\b(?:where|permits|requires)\b|$/));
  const from = head.search(/(?<!:):(?!:)|\b(?:extends|implements|with)\b/);
  return from < 0 ? [] : indexed(head.slice(from).split(','), from);
}

/** Names with namespaces, of which the last counts. */
const QUALIFIED = /[\p{L}_$][\p{L}\p{N}_$]*(?:\s*(?:::|[.\\])\s*[\p{L}_$][\p{L}\p{N}_$]*)*/gu;
const MODIFIERS = words(
  'abstract by extends final implements open override private protected public sealed typename virtual with',
);

/** The names in the parts of a list, which is at an index of the text; keyword arguments are none. */
function indexed(parts: readonly string[], from: number): number[] {
  let at = from;
  return parts.flatMap((part) => {
    const start = at;
    at += part.length + 1;
    const names = part.includes('=') ? [] : [...part.matchAll(QUALIFIED)];
    return names.flatMap(({ 0: name, index }) =>
      MODIFIERS.has(name) ? [] : start + index + name.search(/[\p{L}\p{N}_$]+$/u),
    );
  });
}

const COMMENT = /\/\*[\s\S]*?(?:\*\/|$)|\/\/.*/g;
const SCRIPT_COMMENT = /(?<=^|\s)#.*/gm;

/** Other characters keep their indexes. */
const withoutComments = (text: string, languageId: string): string =>
  text.replaceAll(/^(?:python|ruby|shellscript)$/.test(languageId) ? SCRIPT_COMMENT : COMMENT, blank);

const OPENS: Record<string, string> = { ...OPENERS, '>': '<' };

/** Blank is what is in brackets. An angle bracket that nothing closes is none, if it is in others; nor is that of an arrow. */
function withoutBrackets(text: string): string {
  const open: string[] = [];
  return text.replaceAll(/[=-]>|<[<=]|[^\n]/g, (one) => {
    const opener = OPENS[one];
    while (opener && opener !== '<' && open.at(-1) === '<') open.pop();
    if (opener && open.at(-1) === opener) open.pop();
    const shown = open.length === 0 ? one : blank(one);
    if (/^[([{<]$/.test(one)) open.push(one);
    return shown;
  });
}

/** From an opening parenthesis to the one that closes it. */
function closed(text: string, from: number): string {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    if (text[at] === '(') depth++;
    if (text[at] === ')' && --depth === 0) return text.slice(from, at + 1);
  }
  return text.slice(from);
}

const blank = (text: string): string => text.replaceAll(/[^\n]/g, ' ');
