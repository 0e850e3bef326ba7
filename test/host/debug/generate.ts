/** Installs debugpy where Debian's packages can be: elsewhere its test is skipped, unless the machine has it. */
import { spawnSync } from 'node:child_process';
import { canInstall, install } from '../headless/debian.ts';

const has = spawnSync('/usr/bin/python3', ['-c', 'import debugpy']).status === 0;
if (!has && canInstall()) await install('python3-debugpy', console.error).catch(console.error);
