import {
  applyEdits,
  type Edit,
  findNodeAtLocation,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser';
import { type Format, ParseProblem, type Path, withValue } from './format.ts';

/**
 * JSON with comments and trailing commas. jsonc-parser's own `modify` would remove comments beside the entry, and move a comment
 * behind the last property to ours.
 */
export const json: Format = {
  parse(text) {
    const root = rootOf(text);
    return root && getNodeValue(root);
  },

  set(text, path, value) {
    const root = rootOf(text);
    const layout = layoutOf(text);
    const old = root && findNodeAtLocation(root, [...path]);
    if (old) {
      const isInline = !text.slice(old.offset, endOf(old)).includes('\n');
      const content = isInline ? JSON.stringify(value) : written(value, indentAt(text, old.offset), layout);
      return applyEdits(text, [{ offset: old.offset, length: old.length, content }]);
    }
    if (!root) return `${text}${written(withValue({}, path, value), '', layout)}${layout.eol}`;
    const { node, rest } = deepest(root, path);
    const [name = '', ...inner] = rest;
    const wanted = typeof name === 'number' ? 'array' : 'object';
    if (node.type !== wanted) throw new ParseProblem(`not an ${wanted}`, lineAt(text, node.offset));
    return applyEdits(text, insertion(text, node, name, withValue(undefined, inner, value), layout));
  },

  remove(text, path) {
    const root = rootOf(text);
    const node = root && findNodeAtLocation(root, [...path]);
    const part = typeof path.at(-1) === 'number' ? node : node?.parent;
    return part ? applyEdits(text, removal(text, part)) : text;
  },
};

/** The line break of a text, and one step of its indentation. */
interface Layout {
  eol: string;
  unit: string;
}

const layoutOf = (text: string): Layout => ({
  eol: /\r?\n/.exec(text)?.[0] ?? '\n',
  unit: /^[ \t]+(?=\S)/m.exec(text)?.[0] ?? '  ',
});

/** Undefined if the text is empty. */
function rootOf(text: string): Node | undefined {
  if (text.trim() === '') return undefined;
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  const [error] = errors;
  if (error) throw new ParseProblem(printParseErrorCode(error.error), lineAt(text, error.offset));
  return root;
}

/** The innermost value on the way that exists, and the rest of the way. */
function deepest(node: Node, path: Path): { node: Node; rest: Path } {
  const [name, ...rest] = path;
  const inner = name === undefined ? undefined : findNodeAtLocation(node, [name]);
  return inner ? deepest(inner, rest) : { node, rest: path };
}

/** Adds a property, or an item of an array, behind the last one and the comments on its line. */
function insertion(text: string, outer: Node, name: string | number, value: unknown, layout: Layout): Edit[] {
  const last = outer.children?.at(-1);
  const start = last ? endOf(last) : outer.offset + 1;
  const { hasComma, end } = restOfLine(text, start);
  // Nothing can follow a comment on its line.
  const isInline =
    !/\/\/.*$/.test(text.slice(start, end).replaceAll(/\/\*.*?\*\//g, '')) &&
    (last ? !isFirstOnLine(text, last.offset) : isMinified(text));
  const indent = last ? indentAt(text, last.offset) : indentAt(text, outer.offset) + layout.unit;
  const space = isInline ? (last && /\s/.test(text) ? ' ' : '') : layout.eol + indent;
  const key = typeof name === 'number' ? '' : `${JSON.stringify(name)}: `;
  const content = space + key + (isInline ? JSON.stringify(value) : written(value, indent, layout));
  const close =
    !last && !isInline && !/^\s*\n/.test(text.slice(end)) ? layout.eol + indentAt(text, outer.offset) : '';
  return [
    ...(last && !hasComma ? [{ offset: start, length: 0, content: ',' }] : []),
    { offset: end, length: 0, content: `${content}${hasComma ? ',' : ''}${close}` },
  ];
}

/** A property or an item with the space before it, and one comma. Comments beside it stay. */
function removal(text: string, part: Node): Edit[] {
  const { children: siblings = [], offset } = part.parent ?? part;
  const before = siblings[siblings.indexOf(part) - 1];
  const end = endOf(part);
  const comma = [end, before ? endOf(before) : offset]
    .map((from) => next(text, from))
    .find((at) => text[at] === ',');
  const isAlone = siblings.length === 1 && comma === undefined && /[{[]\s*$/.test(text.slice(0, part.offset));
  const last = isAlone ? next(text, end) : end;
  // What is left of the line must not get behind a comment on the line above.
  const isLineOver = isAlone || /^,?[ \t]*(\r?\n|$)/.test(text.slice(last));
  const space = text.slice(0, part.offset);
  const start = isLineOver || !/\n[ \t]*$/.test(space) ? space.trimEnd().length : part.offset;
  // The comma may be next to the rest, and edits must not overlap.
  if (comma === start - 1) return [{ offset: comma, length: last - comma, content: '' }];
  return [
    { offset: start, length: last - start, content: '' },
    ...(comma === undefined ? [] : [{ offset: comma, length: 1, content: '' }]),
  ];
}

const endOf = ({ offset, length }: Node): number => offset + length;

/** The offset of what follows space and comments. */
function next(text: string, offset: number): number {
  const skipped = /(?:\s|\/\/[^\n]*|\/\*.*?\*\/)*/sy;
  skipped.lastIndex = offset;
  skipped.exec(text);
  return skipped.lastIndex;
}

/** Whether a comma follows a property on its line, and the end of its comments there. */
function restOfLine(text: string, start: number): { hasComma: boolean; end: number } {
  const space = String.raw`(?:[ \t]|//[^\r\n]*|/\*[^\n]*?\*/)*`;
  const rest = new RegExp(`${space}(,)?${space}`, 'y');
  rest.lastIndex = start;
  const [line = '', comma] = rest.exec(text) ?? [];
  return { hasComma: comma !== undefined, end: start + line.trimEnd().length };
}

const written = (value: unknown, indent: string, { eol, unit }: Layout): string =>
  JSON.stringify(value, null, unit).replaceAll('\n', eol + indent);

const indentAt = (text: string, offset: number): string =>
  /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', offset - 1) + 1))?.[0] ?? '';

const isFirstOnLine = (text: string, offset: number): boolean => /(^|\n)[ \t]*$/.test(text.slice(0, offset));

/** Whether a text that has something in it is on one line. */
const isMinified = (text: string): boolean => !text.trim().includes('\n') && !/^\s*\{\s*\}\s*$/.test(text);

const lineAt = (text: string, offset: number): number => text.slice(0, offset).split('\n').length;
