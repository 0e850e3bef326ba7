/** Values that are code: debuggers for JavaScript show a function by its source, which may be in a file that is closed to agents. */

/** Types, as debuggers for JavaScript and Python name them. */
const FUNCTION = /^(?:async)?(?:generator)?function$/i;
const CODE = /^(?:(?:builtin_function_or_)?method|type|code|frame|module)$/i;
const TEXT = /^str(?:ing)?$/i;

/** How a function or class begins; the first group is what it is, the second its name. */
const HEAD = /^((?:async\s+)?(?:ƒ|function\b)\s?\*?|class\b)\s*(?!extends\b)([\w$.#]*)/;
const ARROW = /^(?:async\s*)?(?:[\w$]+|\(.*\))\s*=>/s;
/** In the words of a debugger for Python. */
const NAMED = /^<(?:function|class|module|code object|frame|bound method)\b/;

/** Whether its members may tell the code of other files: constants, variables around a function, those of a module. */
export const isCode = (value: string, type = ''): boolean =>
  FUNCTION.test(type) || CODE.test(type) || NAMED.test(value) || isSource(value, type);

const isSource = (value: string, type: string): boolean =>
  !TEXT.test(type) && (HEAD.test(value) || FUNCTION.test(type) || (type === '' && ARROW.test(value)));

/** A function or class by its name only; any other value as it is. */
export function withoutSource(value: string, type = ''): string {
  if (isEntryWithSource(value, type)) return '{… => …}';
  if (!isSource(value, type) || value.startsWith('<')) return value;
  const [, head = 'ƒ', name = ''] = HEAD.exec(value) ?? [];
  if (head === 'class') return `class ${name}`.trimEnd();
  return `${head.replace('function', 'ƒ').replace(/\s*(\*?)\s*$/, '$1')} ${name}(…)`;
}

/** An entry of a Map, whose key or value is a function. Ruby has hashes that look like it. */
function isEntryWithSource(value: string, type: string): boolean {
  const at = value.startsWith('{') ? value.indexOf(' => ') : -1;
  if (at < 0 || !/^(?:Object)?$/.test(type)) return false;
  const [key, entry] = [value.slice(1, at), value.slice(at + 4)];
  return entry.includes('=>') || isSource(key, '') || isSource(entry, '');
}

/** Without the stack of an error, which names files. */
export function withoutStack(value: string): string {
  const from = value.search(/(?:\n|\\n) +at /);
  const last = from < 0 ? undefined : [...value.slice(from).matchAll(/:\d+\)?/g)].at(-1);
  return last ? value.slice(0, from) + value.slice(from + last.index + last[0].length) : value;
}
