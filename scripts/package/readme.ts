/** The README for who installs the package: without the part for who works on it, and with one picture for both themes. */
export const packagedReadme = (readme: string): string =>
  readme
    .split(/^(?=## )/m)
    .filter((part) => !part.startsWith('## Development\n'))
    .join('')
    .replace(/^ *<\/?(picture|source)\b.*\n/gm, '')
    .replace(/^ *<img alt="([^"]*)" src="([^"]*)">$/gm, '![$1]($2)');

/**
 * The README for a package whose repository nobody can name yet: marketplaces and VS Code show its pictures and links only
 * by absolute addresses, so that they are left out. With `repository` in package.json, vsce makes absolute ones.
 */
export const standaloneReadme = (readme: string): string =>
  readme
    .replace(/^!\[[^\]]*\]\((?!https:)[^)]*\)\n+/gm, '')
    .replace(/(?<!!)\[([^\]]+)\]\((?!https:|#)[^)]*\)/g, '$1');
