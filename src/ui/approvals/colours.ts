/** The colours of code in a question, by Prism. Runs in the question's page, never in the extension host: it may take long. */
import Prism from 'prismjs';
import 'prismjs/components/prism-typescript.js';
import 'prismjs/components/prism-python.js';
import 'prismjs/components/prism-json.js';
import 'prismjs/components/prism-yaml.js';

/** Languages by the extensions of files. One that is like another in comments, texts and numbers has its colours: a page stays small. */
const LANGUAGES: Record<string, string> = Object.fromEntries(
  Object.entries({
    typescript: 'ts tsx mts cts',
    javascript: 'js jsx mjs cjs',
    python: 'py pyi sh bash zsh rb toml r',
    clike: 'c h cc cpp hpp hh cs java kt kts go rs swift php scala dart',
    json: 'json jsonc',
    yaml: 'yml yaml',
    markup: 'html xml svg vue',
    css: 'css scss less',
  }).flatMap(([language, extensions]) => extensions.split(' ').map((extension) => [extension, language])),
);

/** The few colours that a question has, by Prism's names of tokens. */
const COLOURS: Record<string, string> = Object.fromEntries(
  Object.entries({
    comment: 'comment prolog doctype cdata',
    string: 'string char template-string attr-value regex url triple-quoted-string',
    number: 'number boolean constant symbol',
    keyword: 'keyword atrule important selector module',
    function: 'function function-variable macro',
    type: 'class-name builtin tag namespace',
    property: 'property attr-name key literal-property',
  }).flatMap(([colour, types]) => types.split(' ').map((type) => [type, colour])),
);

/** A piece of a text: its length in UTF-16 units, and its colour, if it has one. */
type Piece = [length: number, colour: string | undefined];

/** The pieces of a text, in order; undefined if its language is not known. @param extension of its file, in lower case */
export function coloursOf(text: string, extension: string): Piece[] | undefined {
  const grammar = Prism.languages[LANGUAGES[extension] ?? ''];
  return grammar && piecesOf(Prism.tokenize(text, grammar), undefined);
}

const piecesOf = (stream: Prism.TokenStream, colour: string | undefined): Piece[] =>
  [stream].flat().flatMap((token): Piece[] => {
    if (typeof token === 'string') return [[token.length, colour]];
    return piecesOf(token.content, COLOURS[token.type] ?? colour);
  });

Object.assign(globalThis, { coloursOf });
