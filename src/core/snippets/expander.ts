import { type Snippet, type SnippetNode, type TabStopNode, type VariableNode, walk } from './syntax.ts';
import { applyTransform } from './transform.ts';
import { isKnownVariable } from './variables.ts';

type Values = Readonly<Record<number, string>>;
type Lookup = (name: string) => string | undefined;

/**
 * Most UTF-16 units that one expander produces, counted at each level of nesting, and the deepest nesting of defaults: a file of
 * the repository may nest its stops so that each doubles the text.
 */
export const MAX_TEXT = 1_000_000;
const MAX_DEPTH = 100;

/** KeyedQueue nodes into text, with the given values of tab stops and variables. */
export class Expander {
  /** By number, the occurrence that defines the stop: the first with a default, otherwise the last. */
  readonly stops = new Map<number, TabStopNode>();
  #room = MAX_TEXT;
  #depth = 0;
  /** The last part of the text so far. */
  #before = '';
  readonly #texts = new Map<number, string>();
  readonly #values: Values;
  readonly #variable: Lookup;

  constructor(nodes: Snippet, values: Values, variable: Lookup) {
    this.#values = values;
    this.#variable = variable;
    for (const node of walk(nodes)) {
      if (node.kind === 'tabStop' && !this.stops.get(node.number)?.fallback.length) {
        this.stops.set(node.number, node);
      }
    }
  }

  /** Whether the text was cut because it is too long. */
  get tooLong(): boolean {
    return this.#room < 0;
  }

  text(nodes: Snippet): string {
    if (this.#depth === MAX_DEPTH) return '';
    this.#depth++;
    let text = '';
    for (const node of nodes) {
      if (this.tooLong) break;
      const part = this.#node(node);
      this.#room -= part.length;
      if (part) this.#before = part;
      text += part;
    }
    this.#depth--;
    return text;
  }

  /** Computed once, so that all mirrors get the same random default. */
  textOfStop(number: number): string {
    const known = this.#texts.get(number);
    if (known !== undefined) return known;
    // inside its own default, at any depth, a stop is empty
    this.#texts.set(number, '');
    const text = this.#values[number] ?? this.text(this.stops.get(number)?.fallback ?? []);
    this.#texts.set(number, text);
    return text;
  }

  /** `$0` has no mirrors and takes neither a value nor a transform: each occurrence uses its own default. */
  #node(node: SnippetNode): string {
    if (node.kind === 'text') return node.text;
    if (node.kind === 'tabStop' && node.number === 0) return this.text(node.fallback);
    const text = node.kind === 'tabStop' ? this.textOfStop(node.number) : this.#valueOf(node);
    return node.transform ? applyTransform(text, node.transform) : text;
  }

  #valueOf({ name, fallback }: VariableNode): string {
    const value = isKnownVariable(name) ? this.#variable(name) : undefined;
    if (value === undefined) return this.text(fallback);
    return SELECTED.has(name) ? value.replaceAll('\n', `\n${indentationAfter(this.#before)}`) : value;
  }
}

/** As the editor does: the lines of a selection are indented as the place of the variable is. */
const SELECTED = new Set(['TM_SELECTED_TEXT', 'SELECTION']);
const indentationAfter = (text: string): string => /(?:^|\n)([ \t]*)[^\n]*$/.exec(text)?.[1] ?? '';
