/** The calls that are measured, as each side spells them. */
import { join } from 'node:path';
import type { Side } from './samples.ts';
import type { BenchWindow } from './window.ts';

/** Who makes calls, by whatever transport. */
export interface Caller {
  request(method: string, params: object): Promise<Buffer>;
}

export type Call = (client: Caller) => Promise<Buffer>;
export type Calls = { ours: Call } & { [S in Side]?: Call };

export const tool =
  (name: string, args: object): Call =>
  (client) =>
    client.request('tools/call', { name, arguments: args });

const echo =
  (bytes: number): Call =>
  (client) =>
    client.request('echo', { bytes });

/** The whole file: without a limit of its own a long one is cut. @param file relative to the workspace */
export const readCall = (file: string): Call => tool('read_file', { path: file, maxCharacters: 2_000_000 });

/** The peer's call that reads a file. @param file absolute */
export const peerReadCall = (file: string): Call => tool('read_text_file', { path: file });

/** The SDK's server reads with the peer's functions, so its column tells what the peer would take in the extension host. */
export function readCalls({ peerFolder }: BenchWindow, file: string, bytes: number): Calls {
  const peer = peerReadCall(join(peerFolder, file));
  return { ours: readCall(file), floor: echo(bytes), sdk: peer, peer };
}

export const diagnosticsCalls = ({ folder }: BenchWindow): Calls => ({
  ours: tool('get_diagnostics', { path: 'problem.ts' }),
  floor: echo(200),
  sdk: tool('get_diagnostics', { path: join(folder, 'problem.ts') }),
});

/** Every edit changes the number that the one before has left. The floor is VS Code's own edit, save and, of code, TypeScript's report. */
export function editCalls({ folder, peerFolder }: BenchWindow, file: string): Calls {
  const edits = (path: string): Call => {
    const next = alternating();
    return (client) => tool('edit_file', { path, edits: [next()] })(client);
  };
  const next = alternating();
  return {
    ours: edits(file),
    floor: (client) => client.request('edit', { path: join(folder, `floor-${file}`), ...next() }),
    peer: edits(join(peerFolder, file)),
  };
}

function alternating(): () => { oldText: string; newText: string } {
  let [oldText, newText] = ['= 2;', '= 1;'];
  return () => {
    [oldText, newText] = [newText, oldText];
    return { oldText, newText };
  };
}
