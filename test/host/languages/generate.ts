/** Says how the C and C++ files are compiled, which takes whole paths: `node generate.ts WORKSPACE`. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const directory = join(process.argv[2] ?? '', 'cpp');
const compiled = [
  ...['shapes', 'use_shapes', 'broken'].map((name) => [`src/${name}.cpp`, 'g++', '-std=c++17']),
  ...['text', 'use_text', 'broken'].map((name) => [`c/${name}.c`, 'gcc', '-std=c99']),
];
const commands = compiled.map(([file, ...compiler]) => ({
  directory,
  file,
  arguments: [...compiler, '-Wall', '-Iinclude', '-c', file],
}));
writeFileSync(join(directory, 'compile_commands.json'), JSON.stringify(commands, null, 2));
