/** Shells with different quoting. fish accepts POSIX quoting. */
export type Shell = 'posix' | 'powershell' | 'cmd';

/** @param path of the shell's program, from VS Code or `$SHELL`; may be empty */
export function shellOf(path: string, platform: NodeJS.Platform): Shell {
  const name = path
    .replace(/^.*[\\/]/, '')
    .replace(/\.exe$/i, '')
    .toLowerCase();
  if (name === 'pwsh' || name === 'powershell') return 'powershell';
  if (name === 'cmd') return 'cmd';
  return name === '' && platform === 'win32' ? 'powershell' : 'posix';
}

/** The words as one command line, quoted only if the shell needs it. */
export const commandLine = (words: readonly string[], shell: Shell): string =>
  words.map((word) => quoted(word, shell)).join(' ');

function quoted(word: string, shell: Shell): string {
  switch (shell) {
    case 'posix':
      return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
    case 'powershell':
      // PowerShell consumes a bare `--`, so it would not reach the .ps1 wrapper that npm creates.
      return /^[\w+=:./\\-]+$/.test(word) && word !== '--' ? word : `'${word.replaceAll("'", "''")}'`;
    case 'cmd':
      return /^[\w+=:./\\-]+$/.test(word) ? word : `"${word.replaceAll('"', '""')}"`;
  }
}

/** Whether the words of a command, also with variables, start a shim at one of its usual paths, or the given one. */
export const startsShim = (words: readonly string[], installed?: string): boolean =>
  words.some((word) => word === installed || /workspace-mcp[^\\/]*([\\/]dist)?[\\/]shim\.js\b/i.test(word));
