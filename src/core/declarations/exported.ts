/** The other names by which files of TypeScript and JavaScript may know a symbol. */

/** What makes a symbol the one that a file is for: importers name it as they like, and name the file. */
const OF_FILE = /\bexport\s+default\b|\bas\s+default\b|\bexport\s*=|\bmodule\.exports\s*=/;

/**
 * Words that stand in files which use a symbol and do not name it.
 *
 * @param line a line with its name
 * @param path of the file with the line
 */
export function otherNames(name: string, line: string, path: string): string[] {
  const names = [...line.matchAll(/([\p{L}\p{N}_$]+)\s+as\s+([\p{L}_$][\p{L}\p{N}_$]*)/gu)]
    .filter(([, own, other]) => own === name && other !== 'default')
    .flatMap(([, , other]) => other ?? []);
  return OF_FILE.test(line) ? [...names, nameOfModule(path)] : names;
}

/** As in `import … from './name'`: a folder's name stands for its index. */
function nameOfModule(path: string): string {
  const [file = '', folder = ''] = path.split('/').reverse();
  const name = file.replace(/(\.d)?\.\w+$/, '');
  return name === 'index' ? folder : name;
}
