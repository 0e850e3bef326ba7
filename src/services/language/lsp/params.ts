import type * as vscode from 'vscode';
import type { Fields } from '../../../core/json.ts';
import { UserError } from '../../../core/messages.ts';

const POSITION = '{"line":0,"character":0}, 0-based';

type Position = Pick<vscode.Position, 'line' | 'character'>;

const isNatural = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;

const isPosition = (value: unknown): value is Position =>
  isNatural((value as Position | undefined)?.line) && isNatural((value as Position).character);

/** The `params` of an LSP request, as VS Code's types. All functions throw a UserError that shows what is expected. */
export type Params = ReturnType<typeof paramsOf>;

/** @param limit most items that the agent wants */
export function paramsOf(values: Record<string, unknown>, limit: number, code: typeof vscode) {
  const get = (name: string): unknown => {
    const inside = (value: unknown, key: string) => (value as Fields | null | undefined)?.[key];
    return name.split('.').reduce<unknown>(inside, values);
  };

  function position(name = 'position'): vscode.Position {
    const value = get(name);
    if (!isPosition(value)) throw wrong(name, POSITION);
    return new code.Position(value.line, value.character);
  }

  function range(name = 'range'): vscode.Range {
    const [start, end] = [position(`${name}.start`), position(`${name}.end`)];
    return new code.Range(start.line, start.character, end.line, end.character);
  }

  function textIfAny(name: string): string | undefined {
    const value = get(name) ?? undefined;
    if (value !== undefined && typeof value !== 'string') throw wrong(name, 'a string');
    return value;
  }

  function text(name: string): string {
    const value = textIfAny(name);
    if (value === undefined) throw wrong(name, 'a string');
    return value;
  }

  function number(name: string): number {
    const value = get(name);
    if (typeof value !== 'number') throw wrong(name, 'a number');
    return value;
  }

  return {
    ...{ limit, position, range, text, textIfAny, number },

    positions(): vscode.Position[] {
      const found = get('positions');
      if (!Array.isArray(found)) throw wrong('positions', `[${POSITION}]`);
      return found.map((_, index) => position(`positions.${index}`));
    },

    /** For code actions: some providers want no other range. */
    selection(): vscode.Selection {
      const { start, end } = range();
      return new code.Selection(start, end);
    },

    /** VS Code takes one kind of code actions. */
    onlyKind(): string | undefined {
      const kinds = get('context.only') ?? [];
      if (!Array.isArray(kinds) || kinds.length > 1) throw wrong('context.only', 'a list of one kind');
      return kinds.length === 0 ? undefined : text('context.only.0');
    },

    color(): vscode.Color {
      const part = (name: string) => number(`color.${name}`);
      return new code.Color(part('red'), part('green'), part('blue'), part('alpha'));
    },

    formatting(): vscode.FormattingOptions {
      const insertSpaces = get('options.insertSpaces');
      if (typeof insertSpaces !== 'boolean') throw wrong('options', '{"tabSize":2,"insertSpaces":true}');
      return { ...(get('options') as object), tabSize: number('options.tabSize'), insertSpaces };
    },

    /** Where the request is in its file. */
    place(): vscode.Range {
      const name = ['range', 'item.selectionRange'].find((one) => get(one) !== undefined);
      if (name) return range(name);
      const at = isPosition(get('position')) ? position() : new code.Position(0, 0);
      return new code.Range(at.line, at.character, at.line, at.character);
    },
  };
}

const wrong = (name: string, expected: string): UserError =>
  new UserError(`params.${name} must be ${expected}.`);
