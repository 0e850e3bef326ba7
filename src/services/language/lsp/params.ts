import type * as vscode from 'vscode';
import { UserError } from '../../../core/errors.ts';

const POSITION = '{"line":0,"character":0}, 0-based';

interface Position {
  line: number;
  character: number;
}

const isNatural = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;

const isPosition = (value: unknown): value is Position =>
  isNatural((value as Position | undefined)?.line) && isNatural((value as Position).character);

/** The `params` of an LSP request, as VS Code's types. All methods throw a UserError that shows what is expected. */
export class Params {
  readonly #values: Record<string, unknown>;
  readonly #vscode: typeof vscode;
  /** Most items that the agent wants. */
  readonly limit: number;

  constructor(values: Record<string, unknown>, limit: number, code: typeof vscode) {
    this.#values = values;
    this.#vscode = code;
    this.limit = limit;
  }

  position(name = 'position'): vscode.Position {
    const value = this.#get(name);
    if (!isPosition(value)) throw wrong(name, POSITION);
    return new this.#vscode.Position(value.line, value.character);
  }

  positions(): vscode.Position[] {
    const values = this.#get('positions');
    if (!Array.isArray(values)) throw wrong('positions', `[${POSITION}]`);
    return values.map((_, index) => this.position(`positions.${index}`));
  }

  range(name = 'range'): vscode.Range {
    const { start, end } = { start: this.position(`${name}.start`), end: this.position(`${name}.end`) };
    return new this.#vscode.Range(start.line, start.character, end.line, end.character);
  }

  /** For code actions: some providers want no other range. */
  selection(): vscode.Selection {
    const { start, end } = this.range();
    return new this.#vscode.Selection(start, end);
  }

  text(name: string): string {
    const value = this.textIfAny(name);
    if (value === undefined) throw wrong(name, 'a string');
    return value;
  }

  textIfAny(name: string): string | undefined {
    const value = this.#get(name) ?? undefined;
    if (value !== undefined && typeof value !== 'string') throw wrong(name, 'a string');
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
    return new this.#vscode.Color(part('red'), part('green'), part('blue'), part('alpha'));
  }

  formatting(): vscode.FormattingOptions {
    const insertSpaces = this.#get('options.insertSpaces');
    if (typeof insertSpaces !== 'boolean') throw wrong('options', '{"tabSize":2,"insertSpaces":true}');
    return { ...(this.#get('options') as object), tabSize: this.number('options.tabSize'), insertSpaces };
  }

  /** Where the request is in its file. */
  place(): vscode.Range {
    const names = ['range', 'item.selectionRange'].filter((name) => this.#get(name) !== undefined);
    if (names[0]) return this.range(names[0]);
    const at = isPosition(this.#get('position')) ? this.position() : new this.#vscode.Position(0, 0);
    return new this.#vscode.Range(at.line, at.character, at.line, at.character);
  }

  #get(name: string): unknown {
    const inside = (value: unknown, key: string) =>
      (value as Record<string, unknown> | null | undefined)?.[key];
    return name.split('.').reduce<unknown>(inside, this.#values);
  }
}

const wrong = (name: string, expected: string): UserError =>
  new UserError(`params.${name} must be ${expected}.`);
