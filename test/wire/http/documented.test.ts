/** The examples of docs/transports.md, run as they stand there, by programs that are none of ours. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { ensureFromDebian } from '../../host/headless/debian.ts';
import { onPosix } from '../../temporary.ts';
import { useMachine } from '../harness.ts';
import { TOKEN } from './rawClients.ts';

const page = readFileSync(new URL('../../../docs/transports.md', import.meta.url), 'utf8');
const PROGRAMS = { sh: 'curl', python: 'python3' };

describe('HTTP as documented', () => {
  const machine = useMachine();

  for (const [language, program] of Object.entries(PROGRAMS))
    onPosix(`by ${program}`, async () => {
      await ensureFromDebian([program], program, () => {});
      const [, example = ''] = new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``).exec(page) ?? [];
      const { port } = await (await machine.open()).serveHttp();
      const env = { ...process.env, PORT: `${port}`, TOKEN, NO_PROXY: '127.0.0.1' };
      const shell = language === 'sh' ? 'sh' : program;
      const { stdout } = await promisify(execFile)(shell, ['-c', example], { env });
      assert.match(stdout, /Fake Code .*window1/);
    });
});
