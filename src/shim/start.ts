/** What an agent starts. Node keeps the compiled code of the rest, which saves 5 ms in each start. */
import { existsSync } from 'node:fs';
import module from 'node:module';
import { join } from 'node:path';
import { CODE } from '../ipc/installedShim.ts';

const code = join(__dirname, CODE);
// Only the installed copy has that folder. Node 22.8 and newer have the function, which does not throw.
if (existsSync(code)) module.enableCompileCache?.(code);
/** What a first argument starts. A hook needs little, and an agent waits for it. */
const PROGRAMS: Partial<Record<string, () => Promise<{ run(): void }>>> = {
  hook: () => import('./hook.ts'),
  lsp: () => import('./lsp/main.ts'),
};
const program = PROGRAMS[process.argv[2] ?? ''] ?? (() => import('./main.ts'));
void program().then(({ run }) => run());
