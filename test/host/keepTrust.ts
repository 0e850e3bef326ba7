/**
 * Starts VS Code as `runTests` wants it, but with workspace trust in force: `runTests` always switches it off.
 *
 *   node keepTrust.ts EXECUTABLE [ARGUMENT…]
 */
import { spawn } from 'node:child_process';

const [executable, ...args] = process.argv.slice(2);
if (!executable) throw new Error('Which executable?');
const child = spawn(
  executable,
  args.filter((arg) => arg !== '--disable-workspace-trust'),
  { stdio: 'inherit' },
);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
child.on('exit', (code) => process.exit(code ?? 1));
