/** The shells whose quoting differs. fish reads what is quoted for POSIX shells. */
export type Shell = 'posix' | 'powershell' | 'cmd';

/** @param path of the shell's program, as VS Code or `$SHELL` tells it; may be empty */
export function shellOf(path: string, platform: NodeJS.Platform): Shell {
  const name = path
    .replace(/^.*[\\/]/, '')
    .replace(/\.exe$/i, '')
    .toLowerCase();
  if (name === 'pwsh' || name === 'powershell') return 'powershell';
  if (name === 'cmd') return 'cmd';
  return name === '' && platform === 'win32' ? 'powershell' : 'posix';
}

/** The words as one line for that shell, quoted where it needs that and nowhere else. */
export const commandLine = (words: readonly string[], shell: Shell): string =>
  words.map((word) => quoted(word, shell)).join(' ');

function quoted(word: string, shell: Shell): string {
  switch (shell) {
    case 'posix':
      return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
    case 'powershell':
      // A bare `--` never reaches the .ps1 that npm makes of a program: PowerShell takes it for itself.
      return /^[\w+=:./\\-]+$/.test(word) && word !== '--' ? word : `'${word.replaceAll("'", "''")}'`;
    case 'cmd':
      return /^[\w+=:./\\-]+$/.test(word) ? word : `"${word.replaceAll('"', '""')}"`;
  }
}
