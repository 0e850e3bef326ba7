/** What a tool takes longer than the command of VS Code that it asks, called in the extension host. */
import { join } from 'node:path';
import { atMostMore } from '../aims.ts';
import type { Client } from '../client.ts';
import { textsOf, writeZod } from '../code/zod.ts';
import { Meter } from '../economy/meter.ts';
import { inScratch } from '../places.ts';
import { interleaved, timed } from '../samples.ts';
import { stage } from '../stage.ts';
import { type Row, row } from '../table.ts';
import { openWindow } from '../window.ts';

/** A tool, and the command of VS Code that it asks. */
interface Comparison {
  measure: string;
  path: string;
  /** Where it is asked: a text of the file, with `|` at the place. */
  at: string;
  tool: string;
  args: object;
  command: string;
  /** Arguments of the command after the document and the place; `alone`: it takes no place. */
  more?: readonly unknown[];
  alone?: boolean;
}

const UTIL = 'src/v4/core/util.ts';
const ABORTED = [UTIL, 'function |aborted('] as const;

const compared = (
  what: string,
  command: string,
  [path, at]: readonly [path: string, at: string],
  tool: string,
  args: object,
  more: Pick<Comparison, 'more' | 'alone'> = {},
): Comparison => ({
  measure: `${what} (\`${tool}\`)`,
  command: `vscode.execute${command}Provider`,
  path,
  at,
  tool,
  args,
  ...more,
});

const SYMBOL = { symbol: 'aborted' };
const USED = ['src/v4/core/schemas.ts', 'let isAborted = util.|aborted(payload)'] as const;
const RENAMED = [UTIL, 'function |prefixIssues('] as const;
const NAMES = { symbol: 'prefixIssues', newName: 'prefixed', dryRun: true };

const COMPARISONS: readonly Comparison[] = [
  compared('references', 'Reference', ABORTED, 'find_references', SYMBOL),
  compared('definition', 'Definition', USED, 'find_definition', { line: 240, ...SYMBOL }),
  compared('hover', 'Hover', ABORTED, 'get_symbol', SYMBOL),
  compared('symbols', 'DocumentSymbol', ABORTED, 'list_symbols', {}, { alone: true }),
  compared('rename of 3 files, dry run', 'DocumentRename', RENAMED, 'rename_symbol', NAMES, {
    more: [NAMES.newName],
  }),
];

type Clients = Record<'ours' | 'floor' | 'sdk', Client>;

const ROUNDS = 200;
const WARM_UP = 20;

export const languageFigures = (): Promise<Row[]> =>
  inScratch(async (at) => {
    writeZod(at('workspace'));
    stage("opening zod's sources");
    const window = await openWindow(at);
    const clients = await window.connect('ours', 'floor', 'peer', 'sdk');
    const texts = textsOf(window.folder);
    const rows: Row[] = [];
    for (const one of COMPARISONS) {
      stage(one.measure);
      const sides = sidesOf(one, clients, window.folder, texts.get(one.path) ?? '');
      await new Meter(clients.ours).call('open_file', { path: one.path });
      await interleaved(WARM_UP, sides);
      rows.push(row(one.measure, 'ms', await interleaved(ROUNDS, sides), atMostMore(1)));
    }
    await window.close();
    return rows;
  });

/** Milliseconds of an agent's call, of the command alone, and of a call of the SDK's server whose tool is the command. */
function sidesOf(one: Comparison, { ours, floor, sdk }: Clients, folder: string, text: string) {
  const [agent, bare] = [new Meter(ours), new Meter(sdk)]; // they fail if the tool does
  const direct = { command: one.command, path: join(folder, one.path), args: argumentsOf(one, text) };
  return {
    ours: () => timed(() => agent.call(one.tool, { path: one.path, ...one.args })),
    floor: async () => {
      const { result } = JSON.parse((await floor.request('command', direct)).toString());
      if (!(result.count > 0)) throw new Error(`${one.command} has no answer.`);
      return result.time as number;
    },
    sdk: () => timed(() => bare.call('command', direct)),
  };
}

/** The command's arguments after the document: the place first, 0-based. */
function argumentsOf({ at, more = [], alone }: Comparison, text: string): unknown[] {
  if (alone) return [];
  const start = text.indexOf(at.replace('|', ''));
  const before = text.slice(0, start + at.indexOf('|')).split('\n');
  if (start < 0) throw new Error(`No "${at}" in the file.`);
  return [{ line: before.length - 1, character: before.at(-1)?.length ?? 0 }, ...more];
}
