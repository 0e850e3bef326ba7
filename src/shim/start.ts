/** What an agent starts. Node keeps the compiled code of the rest, which saves 5 ms in each start. */
import { existsSync } from 'node:fs';
import module from 'node:module';
import { join } from 'node:path';
import { CODE } from '../ipc/installedShim.ts';

const code = join(__dirname, CODE);
// Only the installed copy has that folder. Node 22.8 and newer have the function, which does not throw.
if (existsSync(code)) module.enableCompileCache?.(code);
// A hook needs little, and an agent waits for it.
const program = process.argv[2] === 'hook' ? import('./hook.ts') : import('./main.ts');
void program.then(({ run }) => run());
