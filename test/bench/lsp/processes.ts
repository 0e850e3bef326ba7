/** Processes of which the memory is compared. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Message, StreamMessageReader } from 'vscode-jsonrpc/node';
import { own } from '../../host/cleanup.ts';
import { ensureHeadlessHost } from '../../host/headless/install.ts';
import type { Program } from '../client.ts';
import { stage } from '../stage.ts';

/** MiB that a process holds, on Linux: what it shares with no other process (`private`, its USS), and all of it (`resident`). */
export function memoryOf(pid: number | undefined): Record<'private' | 'resident', number> {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  const of = (name: string) => Number(new RegExp(`^${name}: +(\\d+) kB`, 'm').exec(text)?.[1]) / 1024;
  return { private: of('Private_Clean') + of('Private_Dirty'), resident: of('Rss') };
}

/** VS Code's own TypeScript server, with the project of a file, once it has the file's problems. */
export async function tsserver({ command, cwd, env }: Program, file: string): Promise<ChildProcess> {
  const { serverMain } = await ensureHeadlessHost(stage);
  const script = join(serverMain, '../../extensions/node_modules/typescript/lib/tsserver.js');
  const args = [script, '--disableAutomaticTypingAcquisition'];
  const child = spawn(command, args, { cwd, env, stdio: ['pipe', 'pipe', 'inherit'] });
  own({ close: async () => void child.kill(), kill: () => child.kill('SIGKILL') });
  const ask = (seq: number, command: string, args: object) =>
    child.stdin.write(`${JSON.stringify({ seq, type: 'request', command, arguments: args })}\n`);
  ask(1, 'open', { file });
  ask(2, 'geterr', { files: [file], delay: 0 });
  await new Promise<void>((resolve) =>
    new StreamMessageReader(child.stdout).listen((message: Message & { event?: string }) => {
      if (message.event === 'requestCompleted') resolve();
    }),
  );
  return child;
}
