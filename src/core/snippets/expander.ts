import type { Snippet, SnippetNode, TabStopNode, VariableNode } from './syntax.ts';
import { walk } from './syntax.ts';
import { applyTransform } from './transform.ts';
import { isKnownVariable } from './variables.ts';

type Values = Readonly<Record<number, string>>;
type Lookup = (name: string) => string | undefined;

/**
 * UTF-16 units that one expander produces at most, counted at each level of nesting, and how far defaults lead on to
 * other defaults: a file of the repository may name its stops so that the text doubles with every one.
 */
export const MAX_TEXT = 1_000_000;
const MAX_DEPTH = 100;

/** Turns nodes into text, with these values of tab stops and variables. */
export class Expander {
  /** By number, the occurrence that defines the stop: the first that has a default, if any has. */
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

  /** Whether text is missing because there was too much of it. */
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

  /** Computed once, so that all mirrors agree also on a random default. */
  textOfStop(number: number): string {
    const known = this.#texts.get(number);
    if (known !== undefined) return known;
    // a default that holds its own stop, however far down, finds it empty
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

  /** `$0` has no mirrors and takes no value: each is its own default. */
  #tabStop({ number, fallback }: TabStopNode): string {
    return number === 0 ? this.text(fallback) : this.textOfStop(number);
  }

  #valueOf({ name, fallback }: VariableNode): string {
    return (isKnownVariable(name) ? this.#variable(name) : undefined) ?? this.text(fallback);
  }
}
