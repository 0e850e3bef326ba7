import type * as vscode from 'vscode';
import { UserError } from '../../../core/errors.ts';
import type { Fields } from '../../../core/json.ts';

const POSITION = '{"line":0,"character":0}, 0-based';

type Position = Pick<vscode.Position, 'line' | 'character'>;

const isNatural = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;

const isPosition = (value: unknown): value is Position =>
  isNatural((value as Position | undefined)?.line) && isNatural((value as Position).character);

/** The `params` of an LSP request, as VS Code's types. All methods throw a UserError that shows what is expected. */
export class Params {
  /** Most items that the agent wants. */
  readonly limit: number;
  readonly #values: Record<string, unknown>;
  readonly #code: typeof vscode;

  constructor(values: Record<string, unknown>, limit: number, code: typeof vscode) {
    this.#values = values;
    this.limit = limit;
    this.#code = code;
  }

  position(name = 'position'): vscode.Position {
    const value = this.#get(name);
    if (!isPosition(value)) throw wrong(name, POSITION);
    return new this.#code.Position(value.line, value.character);
  }

  positions(): vscode.Position[] {
    const found = this.#get('positions');
    if (!Array.isArray(found)) throw wrong('positions', `[${POSITION}]`);
    return found.map((_, index) => this.position(`positions.${index}`));
  }

  range(name = 'range'): vscode.Range {
    const [start, end] = [this.position(`${name}.start`), this.position(`${name}.end`)];
    return new this.#code.Range(start.line, start.character, end.line, end.character);
  }

  /** For code actions: some providers want no other range. */
  selection(): vscode.Selection {
    const { start, end } = this.range();
    return new this.#code.Selection(start, end);
  }

  textIfAny(name: string): string | undefined {
    const value = this.#get(name) ?? undefined;
    if (value !== undefined && typeof value !== 'string') throw wrong(name, 'a string');
    return value;
  }

  text(name: string): string {
    const value = this.textIfAny(name);
    if (value === undefined) throw wrong(name, 'a string');
    return value;
  }

  number(name: string): number {
    const value = this.#get(name);
    if (typeof value !== 'number') throw wrong(name, 'a number');
    return value;
  }

  /** VS Code takes one kind of code actions. */
  onlyKind(): string | undefined {
    const kinds = this.#get('context.only') ?? [];
    if (!Array.isArray(kinds) || kinds.length > 1) throw wrong('context.only', 'a list of one kind');
    return kinds.length === 0 ? undefined : this.text('context.only.0');
  }

  color(): vscode.Color {
    const part = (name: string) => this.number(`color.${name}`);
    return new this.#code.Color(part('red'), part('green'), part('blue'), part('alpha'));
  }

  formatting(): vscode.FormattingOptions {
    const insertSpaces = this.#get('options.insertSpaces');
    if (typeof insertSpaces !== 'boolean') throw wrong('options', '{"tabSize":2,"insertSpaces":true}');
    const tabSize = this.number('options.tabSize');
    return { ...(this.#get('options') as object), tabSize, insertSpaces };
  }

  /** Where the request is in its file. */
  place(): vscode.Range {
    const name = ['range', 'item.selectionRange'].find((one) => this.#get(one) !== undefined);
    if (name) return this.range(name);
    const at = isPosition(this.#get('position')) ? this.position() : new this.#code.Position(0, 0);
    return new this.#code.Range(at.line, at.character, at.line, at.character);
  }

  #get(name: string): unknown {
    const inside = (value: unknown, key: string) => (value as Fields | null | undefined)?.[key];
    return name.split('.').reduce<unknown>(inside, this.#values);
  }
}

const wrong = (name: string, expected: string): UserError =>
  new UserError(`params.${name} must be ${expected}.`);
