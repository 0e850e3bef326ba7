/** Codex, asked over its own protocol. */
import { type ChildProcess, spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { environment, installed, isWindows, type Surroundings } from './programs.ts';

/** What `codex app-server` answers to one request. */
export async function askCodex(
  { home, cwd }: Surroundings,
  method: string,
  params: object,
): Promise<Record<string, unknown>> {
  const options = { cwd, env: environment(home), shell: isWindows };
  const codex = spawn(await installed('codex'), ['app-server'], {
    ...options,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  try {
    const clientInfo = { name: 'test', version: '1' };
    await request(codex, 1, 'initialize', { clientInfo });
    codex.stdin.write('{"method":"initialized"}\n');
    return await request(codex, 2, method, params);
  } finally {
    codex.kill();
  }
}

/** As the person does with `/hooks`. */
export async function reviewHooks(surroundings: Surroundings): Promise<void> {
  const { data } = await askCodex(surroundings, 'hooks/list', { cwds: [surroundings.cwd] });
  const [{ hooks } = { hooks: [] }] = data as { hooks: { key: string; currentHash: string }[] }[];
  const states = hooks.map(
    ({ key, currentHash }) => `\n[hooks.state.${JSON.stringify(key)}]\ntrusted_hash = "${currentHash}"\n`,
  );
  appendFileSync(join(surroundings.home, '.codex', 'config.toml'), states.join(''));
}

async function request(
  { stdin, stdout }: ChildProcess,
  id: number,
  method: string,
  params: object,
): Promise<Record<string, unknown>> {
  stdin?.write(`${JSON.stringify({ id, method, params })}\n`);
  for await (const line of createInterface({ input: stdout as NodeJS.ReadableStream })) {
    const message = JSON.parse(line);
    if (message.id === id) return message.result;
  }
  throw new Error(`Codex ended before it answered ${method}`);
}
