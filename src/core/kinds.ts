/** `vscode.SymbolKind` by its numbers; macros of C have none there. */
export const KINDS =
  'file module namespace package class method property field constructor enum interface function variable constant string number boolean array object key null enumMember struct event operator typeParameter macro'.split(
    ' ',
  );

export const MACRO = KINDS.indexOf('macro');

/** @param kind a `vscode.SymbolKind` */
export const kindName = (kind: number): string => KINDS[kind] ?? 'other';

/** Kinds with a body of statements. Servers give few symbols as `operator`: most of them are functions. */
export const FUNCTIONS: ReadonlySet<string> = new Set(['function', 'method', 'constructor', 'operator']);
/** Kinds with members. */
export const TYPES: ReadonlySet<string> = new Set(['class', 'interface', 'struct', 'enum']);

/** Languages whose symbols are headings, keys and selectors: what they name is mostly meant in the code. */
const DOCUMENTS = /^(markdown|restructuredtext|json.*|yaml|toml|ini|properties|xml|html|css|scss|less)$/;

/** Whether the symbols of a language are declarations of code. */
export const isCode = (languageId: string): boolean => !DOCUMENTS.test(languageId);

/** Languages of texts for people, whose names are any words. */
export const PROSE: ReadonlySet<string> = new Set(
  'markdown plaintext restructuredtext latex asciidoc'.split(' '),
);

/** C and its relatives, whose headers serve all of them. */
export const C_FAMILY: readonly string[] = ['c', 'cpp', 'objective-c', 'objective-cpp', 'cuda-cpp'];
export const isCFamily = (languageId: string): boolean => C_FAMILY.includes(languageId);
