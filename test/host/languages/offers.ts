/** Asks each language tool once in a way whose right answer is known: the rows of the table in docs/tools.md. */
import { compilerLines, linesIn, linesWith } from './judges.ts';
import type { Behind, Name, Place } from './projects.ts';
import { type Tested, textOf } from './tested.ts';

/** An answer, and whether it has each thing that a right one has. */
export interface Judged {
  answer: string;
  wanted: readonly boolean[];
}

/** Nothing where the language has nothing of the kind. */
type Row = (one: Tested) => Promise<Judged> | undefined;

export const ROWS: Readonly<Record<string, Row>> = {
  '`list_symbols` of a file': (one) =>
    asked(one, 'list_symbols', { path: one.at(outlineOf(one).path) }, outlineOf(one).lines),
  '`list_symbols` by name': (one) =>
    asked(one, 'list_symbols', { query: functionOf(one).name }, [
      new RegExp(`^ *\\d+-\\d+ function .*\\b${functionOf(one).name}`, 'm'),
    ]),
  '`get_symbol`': (one) => {
    const { name, first, last } = functionOf(one);
    const ends = [new RegExp(`^${first}: .*${name}`, 'm'), new RegExp(`^${last}: `, 'm')];
    return asked(one, 'get_symbol', symbol(one, functionOf(one)), ends);
  },
  '`find_definition`, definition': (one) => {
    const { name, path, first, callers } = functionOf(one);
    return definition(one, 'definition', { name, at: callers.at(-1) ?? '', to: [`${path}:${first}`] });
  },
  '`find_definition`, declaration': (one) => {
    const { name, path, first, callers } = functionOf(one);
    const declared = one.project.declaration ?? `${path}:${first}`;
    return definition(one, 'declaration', { name, at: callers.at(-1) ?? '', to: [declared] });
  },
  '`find_definition`, type': (one) => definition(one, 'type_definition', one.project.variable),
  '`find_definition`, implementation': (one) => definition(one, 'implementation', one.project.method),
  '`find_references`': (one) =>
    leading(
      one,
      'find_references',
      symbol(one, functionOf(one)),
      linesWith(functionOf(one).name, one.directory),
    ),
  '`find_calls`, in': (one) =>
    leading(one, 'find_calls', symbol(one, functionOf(one)), functionOf(one).callers),
  '`find_calls`, out': (one) => {
    const { caller } = one.project;
    return leading(one, 'find_calls', { ...symbol(one, caller), direction: 'out' }, caller.to);
  },
  '`find_types`, subtypes': (one) => {
    const { type } = one.project;
    return type && leading(one, 'find_types', symbol(one, type), type.to);
  },
  '`find_types`, supertypes': (one) => {
    const { subtype } = one.project;
    return (
      subtype && leading(one, 'find_types', { ...symbol(one, subtype), direction: 'supertypes' }, subtype.to)
    );
  },
  '`get_change_impact`': (one) => {
    const { path, callers } = functionOf(one);
    const elsewhere = callers.filter((place) => !place.startsWith(path));
    return leading(one, 'get_change_impact', { paths: [one.at(path)] }, elsewhere);
  },
  '`rename_symbol`': (one) => {
    const { name } = functionOf(one);
    const args = { ...symbol(one, functionOf(one)), newName: `${name}_new`, dryRun: true };
    const changed = new RegExp(`^\\+.*\\b${name}_new\\b`, 'gm');
    return judged(one, 'rename_symbol', args, (answer) =>
      linesWith(name, one.directory).map((_, index) => (answer.match(changed) ?? []).length > index),
    );
  },
  '`edit_symbol`': (one) => {
    const { path, last } = functionOf(one);
    const end = escaped(lineOf(one, `${path}:${last}`));
    const args = { ...symbol(one, functionOf(one)), action: 'insert_after', body: 'MARK', dryRun: true };
    return asked(one, 'edit_symbol', args, [new RegExp(`^ ${end}\\n(^[ +]\\n)*\\+MARK$`, 'm')]);
  },
  '`format_file`': (one) =>
    asked(one, 'format_file', { path: one.at(one.project.unformatted), dryRun: true }, [/^\+[^+]/m]),
  '`apply_code_action`': (one) => {
    const { path, action } = one.project.fix;
    return asked(one, 'apply_code_action', { path: one.at(path), list: true }, [action]);
  },
  '`get_diagnostics` of a file': (one) => diagnostics(one, one.project.broken.at(-1) ?? ''),
  '`get_diagnostics` of a folder': (one) => diagnostics(one, one.project.folder),
  '`move_path`, imports': moved,
  '`lsp_request`, hover': (one) => {
    const { name, callers } = functionOf(one);
    return requested(one, 'hover', { at: callers.at(-1) ?? '', text: name, offers: name }, -1);
  },
  '`lsp_request`, completion': (one) => requested(one, 'completion', one.project.completion),
  '`lsp_request`, signatureHelp': (one) => {
    const { signature } = one.project;
    return signature && requested(one, 'signatureHelp', signature);
  },
};

const functionOf = ({ project }: Tested) => project.function;
const outlineOf = ({ project }: Tested) => project.outline;
const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

const symbol = (one: Tested, { name, path }: { name: string; path: string }) => ({
  symbol: name,
  path: one.at(path),
});

const split = (place: Place): [path: string, line: number] => {
  const [path = '', line] = place.split(':');
  return [path, Number(line)];
};

function lineOf(one: Tested, place: Place): string {
  const [path, line] = split(place);
  return textOf(one, path).split('\n')[line - 1] ?? '';
}

async function judged(
  one: Tested,
  tool: string,
  args: Record<string, unknown>,
  judge: (answer: string) => boolean[],
): Promise<Judged> {
  const answer = await one.ask(tool, args);
  return { answer, wanted: judge(answer) };
}

const asked = (one: Tested, tool: string, args: Record<string, unknown>, wanted: readonly RegExp[]) =>
  judged(one, tool, args, (answer) => wanted.map((pattern) => pattern.test(answer)));

const leading = (one: Tested, tool: string, args: Record<string, unknown>, wanted: readonly Place[]) =>
  judged(one, tool, args, (answer) => {
    const lines = linesIn(answer);
    return wanted.map((place) => lines.includes(one.at(place)));
  });

function definition(one: Tested, kind: string, from: Name | undefined): Promise<Judged> | undefined {
  if (!from) return undefined;
  const [path, line] = split(from.at);
  return leading(one, 'find_definition', { path: one.at(path), line, symbol: from.name, kind }, from.to);
}

async function diagnostics(one: Tested, path: string): Promise<Judged> {
  const broken = one.project.broken.filter(
    (file) => file === path || path === '.' || file.startsWith(`${path}/`),
  );
  const wanted: RegExp[] = [];
  for (const file of broken)
    for (const line of await compilerLines(one.server.language, one.directory, file))
      wanted.push(new RegExp(`^${escaped(one.at(file))}\\n(?: .*\\n)*? +${line}:\\d+ error`, 'm'));
  return asked(one, 'get_diagnostics', { path: one.at(path) }, wanted);
}

/** Either the diff has the imports, or the answer names all lines that have them. */
async function moved(one: Tested): Promise<Judged> {
  const { source, destination, importers } = one.project.move;
  const answer = await one.ask('move_path', {
    source: one.at(source),
    destination: one.at(destination),
    dryRun: true,
  });
  const wanted = importers.map((place) => {
    const [path] = split(place);
    return new RegExp(`^\\+\\+\\+ ${escaped(one.at(path))}\\b`, 'm').test(answer);
  });
  const unnamed = importers.filter((place, index) => !wanted[index] && !answer.includes(one.at(place)));
  if (unnamed.length > 0) throw new Error(`${unnamed.join(', ')} not named:\n${answer}`);
  return { answer, wanted };
}

function requested(one: Tested, method: string, { at, text, offers }: Behind, shift = 0): Promise<Judged> {
  const [path, line] = split(at);
  const start = lineOf(one, at).indexOf(text);
  if (start < 0) throw new Error(`${at} has no ${text}`);
  const character = start + text.length + shift;
  const params = { textDocument: { uri: one.at(path) }, position: { line: line - 1, character } };
  return judged(one, 'lsp_request', { method: `textDocument/${method}`, params }, (answer) => [
    answer.includes(offers),
  ]);
}
