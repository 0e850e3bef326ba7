import type { Snippet, SnippetNode, TabStopNode, VariableNode } from './syntax.ts';
import { walk } from './syntax.ts';
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

/** Turns nodes into text, with the given values of tab stops and variables. */
export class Expander {
  /** By number, the occurrence that defines the stop: the first with a default, otherwise the last. */
  readonly stops = new Map<number, TabStopNode>();
  #room = MAX_TEXT;
  #depth = 0;
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

  #node(node: SnippetNode): string {
    if (node.kind === 'text') return node.text;
    const text = node.kind === 'tabStop' ? this.#tabStop(node) : this.#valueOf(node);
    return node.transform ? applyTransform(text, node.transform) : text;
  }

  /** `$0` has no mirrors and takes no value: each occurrence uses its own default. */
  #tabStop({ number, fallback }: TabStopNode): string {
    return number === 0 ? this.text(fallback) : this.textOfStop(number);
  }

  #valueOf({ name, fallback }: VariableNode): string {
    return (isKnownVariable(name) ? this.#variable(name) : undefined) ?? this.text(fallback);
  }
}
