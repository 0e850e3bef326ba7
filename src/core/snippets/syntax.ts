import { attempt } from '../errors.ts';

/**
 * VS Code's snippet syntax (https://code.visualstudio.com/docs/editing/userdefinedsnippets#_snippet-syntax), parsed as the editor
 * does: text that does not parse is literal, so every string is a snippet.
 */

/** A parsed body: its nodes in order. */
export type Snippet = readonly SnippetNode[];

export type SnippetNode = { kind: 'text'; text: string } | TabStopNode | VariableNode;

/** `$1`, `${1}`, `${1:default}`, `${1|one,two|}` or `${1/regexp/format/flags}`. */
export interface TabStopNode {
  kind: 'tabStop';
  number: number;
  /** The placeholder, or the first choice; empty if there is neither. */
  fallback: Snippet;
  choices?: string[];
  transform?: Transform;
}

/** `$NAME`, `${NAME}`, `${NAME:default}` or `${NAME/regexp/format/flags}`. */
export interface VariableNode {
  kind: 'variable';
  name: string;
  fallback: Snippet;
  transform?: Transform;
}

export interface Transform {
  regexp: RegExp;
  format: FormatPart[];
}

/** Literal text, or a capture group: unchanged, changed by a `shorthand`, or only tested for a match. */
export type FormatPart =
  | string
  | { group: number; shorthand?: string; whenMatched?: string; otherwise?: string };

/** Limits, because a file of the repository may contain anything. Real snippets are far below them. */
const MAX_BODY = 100_000;
const MAX_DEPTH = 50;

/** Parses a snippet's body (its lines joined by `\n`). Never throws; a body over 100,000 characters is literal text. */
export function parseSnippet(body: string): Snippet {
  return body.length > MAX_BODY ? [literal(body)] : new Parser(body).nodes(0);
}

/** All nodes, outer before inner, in the order of the text. */
export function* walk(snippet: Snippet): Generator<SnippetNode> {
  for (const node of snippet) {
    yield node;
    if (node.kind !== 'text') yield* walk(node.fallback);
  }
}

class Parser {
  readonly #body: string;
  #at = 0;

  constructor(body: string) {
    this.#body = body;
  }

  /** All nodes up to the end or, inside an element, up to its `}`. */
  nodes(depth: number): SnippetNode[] {
    const nodes: SnippetNode[] = [];
    while (this.#at < this.#body.length && !(depth > 0 && this.#body[this.#at] === '}')) {
      for (const node of this.#next(depth)) append(nodes, node);
    }
    return nodes;
  }

  /** Usually one node; an element that is never closed becomes several nodes. */
  #next(depth: number): SnippetNode[] {
    const escaped = this.#take(ESCAPED)?.[1];
    if (escaped) return [literal(escaped)];
    const whole = this.#plain() ?? this.#choices() ?? this.#transformed();
    if (whole) return [whole];
    return this.#withDefault(depth) ?? [literal(this.#take(TEXT)?.[0] ?? '')];
  }

  #plain(): SnippetNode | undefined {
    const match = this.#take(BARE) ?? this.#take(BRACED);
    return match && element(match, []);
  }

  #withDefault(depth: number): SnippetNode[] | undefined {
    const open = depth < MAX_DEPTH ? this.#take(OPEN_DEFAULT) : undefined;
    if (!open) return undefined;
    const fallback = this.nodes(depth + 1);
    return this.#take(CLOSE) ? [element(open, fallback)] : [literal(open[0]), ...fallback];
  }

  #choices(): SnippetNode | undefined {
    const match = this.#take(CHOICES);
    const choices = match?.groups?.list?.match(EACH_CHOICE);
    if (!match || !choices) return undefined;
    const number = Number(match.groups?.number);
    const [first = '', ...rest] = choices.map((choice) => choice.replace(/\\([,|\\])/g, '$1'));
    return { kind: 'tabStop', number, fallback: [literal(first)], choices: [first, ...rest] };
  }

  #transformed(): SnippetNode | undefined {
    const start = this.#at;
    const open = this.#take(OPEN_TRANSFORM);
    if (!open) return undefined;
    const format = this.#format();
    const flags = this.#take(CLOSE_TRANSFORM)?.[1];
    const pattern = (open.groups?.pattern ?? '').replaceAll('\\/', '/');
    const regexp = flags === undefined ? undefined : attempt(() => new RegExp(pattern, flags));
    if (regexp) return { ...element(open, []), transform: { regexp, format } };
    this.#at = start;
    return undefined;
  }

  #format(): FormatPart[] {
    const parts: FormatPart[] = [];
    for (;;) {
      const group = this.#take(GROUP) ?? this.#take(BRACED_GROUP);
      const text = group ? undefined : (this.#take(FORMAT_ESCAPED)?.[1] ?? this.#take(FORMAT_TEXT)?.[0]);
      if (group) parts.push(formatGroup(group.groups ?? {}));
      else if (text) parts.push(text);
      else return parts;
    }
  }

  #take(expected: RegExp): RegExpExecArray | undefined {
    expected.lastIndex = this.#at;
    const match = expected.exec(this.#body) ?? undefined;
    this.#at += match?.[0].length ?? 0;
    return match;
  }
}

const literal = (text: string): SnippetNode => ({ kind: 'text', text });

const element = ({ groups }: RegExpExecArray, fallback: Snippet): TabStopNode | VariableNode =>
  groups?.number
    ? { kind: 'tabStop', number: Number(groups.number), fallback }
    : { kind: 'variable', name: groups?.name ?? '', fallback };

function formatGroup(groups: Record<string, string | undefined>): FormatPart {
  const { shorthand } = groups;
  const whenMatched = unescaped(groups.plus ?? groups.then);
  const otherwise = unescaped(groups.else ?? groups.otherwise);
  return {
    group: Number(groups.group),
    ...(shorthand && { shorthand }),
    ...(whenMatched && { whenMatched }),
    ...(otherwise && { otherwise }),
  };
}

const unescaped = (text: string | undefined) => text?.replace(/\\([$}\\])/g, '$1');

/** Adds a node; text is joined to text before it. */
function append(nodes: SnippetNode[], node: SnippetNode): void {
  const last = nodes.at(-1);
  if (last?.kind === 'text' && node.kind === 'text') last.text += node.text;
  else nodes.push(node);
}

/**
 * The terminals of the snippet grammar, as sticky regexps. Their alternatives never overlap, so a malicious body cannot cause long
 * backtracking.
 */
const INT = String.raw`\d+`;
const NAME = String.raw`(?:(?<number>${INT})|(?<name>[A-Za-z_]\w*))`;
const CHOICE = String.raw`(?:\\[,|\\]|\\(?![,|\\])|[^\\,|])+`;
const PATTERN = String.raw`(?:\\\/|\\(?!\/)|[^\\\/])*`;
/** Text of a format up to the given end. Its length is limited, so that many unclosed formats do not take quadratic time. */
const until = (end: string) => String.raw`(?:\\[$}\\]|[^\\${end}]){1,1000}`;
const rule = (source: string) => new RegExp(source, 'y');

const ESCAPED = /\\([$}\\])/y;
const BARE = rule(String.raw`\$${NAME}`);
const BRACED = rule(String.raw`\$\{${NAME}\}`);
const OPEN_DEFAULT = rule(String.raw`\$\{${NAME}:`);
const CLOSE = /\}/y;
/** One choice of a list, for `match`. */
const EACH_CHOICE = new RegExp(CHOICE, 'g');
/** `$0` is the final cursor and has no choices. */
const CHOICES = rule(String.raw`\$\{(?<number>(?!0+\|)${INT})\|(?<list>${CHOICE}(?:,${CHOICE})*)\|\}`);
const OPEN_TRANSFORM = rule(String.raw`\$\{${NAME}\/(?<pattern>${PATTERN})\/`);
const CLOSE_TRANSFORM = /\/([a-z]*)\}/y;
const TEXT = /[^$\\}]+|[\s\S]/y;

const GROUP = rule(String.raw`\$(?<group>${INT})`);
const BRACED_GROUP = rule(
  String.raw`\$\{(?<group>${INT})(?::(?:\/(?<shorthand>[A-Za-z_]\w*)|\+(?<plus>${until('}')})` +
    String.raw`|\?(?<then>${until(':')}):(?<else>${until('}')})|(?:-|(?![+?\/-]))(?<otherwise>${until('}')})))?\}`,
);
const FORMAT_ESCAPED = /\\([\\/])/y;
const FORMAT_TEXT = /[^$\\/]+|[^/]/y;
