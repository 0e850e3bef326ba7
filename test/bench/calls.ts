/** The calls that are measured, as each side spells them. */
import { join } from 'node:path';
import type { Client } from './client.ts';
import type { Side } from './samples.ts';
import type { BenchWindow } from './window.ts';

export type Call = (client: Client) => Promise<Buffer>;
export type Calls = { ours: Call } & { [S in Side]?: Call };

const tool =
  (name: string, args: () => object): Call =>
  (client) =>
    client.request('tools/call', { name, arguments: args() });

const echo =
  (bytes: number): Call =>
  (client) =>
    client.request('echo', { bytes });

/** Past the end: the whole file. Without it a long one is cut. */
const TO_THE_END = 1_000_000;

export const readCalls = ({ peerFolder }: BenchWindow, file: string, bytes: number): Calls => ({
  ours: tool('read_file', () => ({ path: file, endLine: TO_THE_END })),
  floor: echo(bytes),
  peer: tool('read_text_file', () => ({ path: join(peerFolder, file) })),
});

export const diagnosticsCalls: Calls = {
  ours: tool('get_diagnostics', () => ({ path: 'problem.ts' })),
  floor: echo(200),
};

/** Every edit changes the number that the one before has left. The floor is VS Code's own edit and save, nothing else. */
export function editCalls({ folder, peerFolder }: BenchWindow, file: string): Calls {
  const step = (equals: string) => {
    let count = 0;
    return () => {
      count++;
      return [`${equals}${((count + 1) % 2) + 1};`, `${equals}${(count % 2) + 1};`] as const;
    };
  };
  const equals = file.endsWith('.ts') ? 'number = ' : 'step = ';
  const edits = (next: ReturnType<typeof step>, path: string) => () => {
    const [oldText, newText] = next();
    return { path, edits: [{ oldText, newText }] };
  };
  const floor = step(equals);
  return {
    ours: tool('edit_file', edits(step(equals), file)),
    floor: (client) => {
      const [from, to] = floor();
      return client.request('edit', { path: join(folder, `floor-${file}`), from, to });
    },
    peer: tool('edit_file', edits(step(equals), join(peerFolder, file))),
  };
}
