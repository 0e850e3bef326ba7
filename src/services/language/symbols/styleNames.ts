/** Names of CSS, which files of several languages use: no server knows these uses. */

/** Languages whose servers in VS Code know one document: a name in another file is another one to them. */
export const isOfOneFile = (languageId: string): boolean => /^(css|scss|less|html)$/.test(languageId);

const STYLES = ['*.css', '*.scss', '*.less'];
const MARKUP = ['*.html', '*.htm', '*.vue', '*.svelte', '*.astro', '*.jsx', '*.tsx', '*.js', '*.ts', '*.php'];

/** Where else a name of CSS would stand: a property as it is, a class or an id in selectors and in attributes. */
export function searchesFor(line: string, at: number): { query: string; include: string[] }[] {
  const found = [...line.matchAll(/(--|[.#])([\w-]+)/g)].find(
    ({ 0: whole, index }) => index <= at + 1 && at < index + whole.length,
  );
  const [, mark, name] = found ?? [];
  if (!mark || !name) return [];
  const end = '($|[^\\w-])';
  if (mark === '--') return [{ query: `(^|[^\\w-])--${name}${end}`, include: [...STYLES, ...MARKUP] }];
  const attribute = mark === '.' ? 'class(Name)?' : 'id';
  return [
    { query: `\\${mark}${name}${end}`, include: STYLES },
    { query: `\\b${attribute}\\s*=\\s*["'{\`][^>]*\\b${name}${end}`, include: MARKUP },
  ];
}
