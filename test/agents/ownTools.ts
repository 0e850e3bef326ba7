/** How a model calls the own tools of the programs that run hooks. */
import { type Driven, driven, GPT } from './driven.ts';
import type { ProgramName } from './programs.ts';
import type { Call } from './scriptedModel.ts';

export interface Own extends Pick<Driven, 'id' | 'program' | 'drive'> {
  title: string;
  /** What lets it write without a question. */
  allow: readonly string[];
  /** Reads a file, where it has to be read before it is edited. */
  read?: (path: string) => Call;
  /** Replaces a word, which is the whole line. */
  edit: (path: string, old: string, by: string) => Call;
  shell: (command: string) => Call;
  /** The names of both in the journal, if hooks have others than models. */
  names?: readonly [edit: string, shell: string];
}

const patched = (path: string, old: string, by: string): string =>
  `*** Begin Patch\n*** Update File: ${path}\n@@\n-${old}\n+${by}\n*** End Patch\n`;

const byName =
  (name: string, path: string, old: string, by: string, more: object = {}) =>
  (file: string, one: string, other: string): Call => ({
    name,
    arguments: { [path]: file, [old]: one, [by]: other, ...more },
  });

const running =
  (name: string, more: object = {}) =>
  (command: string): Call => ({ name, arguments: { command, description: 'Edit', ...more } });

const reading =
  (name: string, field: string) =>
  (path: string): Call => ({ name, arguments: { [field]: path } });

interface Row extends Omit<Own, 'id' | 'drive' | 'title'> {
  /** Which of the program's rows it is driven by. */
  of?: string;
  /** The name of its model, if it is another one. */
  model?: string;
}

const patching = (path: string, old: string, by: string) => ({
  name: 'apply_patch',
  arguments: patched(path, old, by),
});

const rows: readonly Row[] = [
  {
    program: 'claude',
    allow: ['Read', 'Edit', 'Bash'],
    read: reading('Read', 'file_path'),
    edit: byName('Edit', 'file_path', 'old_string', 'new_string'),
    shell: running('Bash'),
  },
  {
    program: 'codex',
    allow: ['--dangerously-bypass-approvals-and-sandbox'],
    edit: patching,
    shell: (cmd) => ({ name: 'exec_command', arguments: { cmd } }),
    names: ['apply_patch', 'Bash'],
  },
  {
    program: 'copilot',
    of: 'Messages',
    allow: ['--allow-all-paths'],
    edit: byName('edit', 'path', 'old_str', 'new_str'),
    shell: running('bash'),
  },
  {
    program: 'copilot',
    of: 'Chat Completions',
    model: GPT,
    allow: ['--allow-all-paths'],
    edit: patching,
    shell: running('bash'),
  },
  {
    program: 'gemini',
    allow: [],
    edit: byName('replace', 'file_path', 'old_string', 'new_string', { instruction: 'Edit' }),
    shell: running('run_shell_command'),
  },
  {
    program: 'qwen',
    allow: [],
    read: reading('read_file', 'file_path'),
    edit: byName('edit', 'file_path', 'old_string', 'new_string'),
    shell: running('run_shell_command', { is_background: false }),
  },
  {
    program: 'opencode',
    allow: [],
    read: reading('read', 'filePath'),
    edit: byName('edit', 'filePath', 'oldString', 'newString'),
    shell: running('bash'),
  },
  {
    program: 'opencode',
    model: GPT,
    allow: [],
    edit: (...edit) => ({ name: 'apply_patch', arguments: { patchText: patched(...edit) } }),
    shell: running('bash'),
  },
];

/** Programs give some models other tools. */
const withModel =
  (drive: Driven['drive'], model: string): Driven['drive'] =>
  (url, surroundings) => {
    const { args, env = {} } = drive(url, surroundings);
    const values = Object.entries(env).map(([name, value]) => [name, value === 'scripted' ? model : value]);
    return { args: args.map((word) => word.replace(/scripted$/, model)), env: Object.fromEntries(values) };
  };

const drivenAs = (program: ProgramName, title?: string): Driven => {
  const found = driven.find((one) => one.program === program && one.title === title);
  if (!found) throw new Error(`${program} is not driven`);
  return found;
};

export const owns: readonly Own[] = rows.map(({ of, model, ...row }) => {
  const { id, drive } = drivenAs(row.program, of);
  const title = [row.program, of, model].filter(Boolean).join(', ');
  return { ...row, id, title, drive: model === undefined ? drive : withModel(drive, model) };
});
