/** Names that lines of code seem to declare, found without a parser: for a text that no language server has any more. */

const NAME = String.raw`[\p{L}_$][\p{L}\p{N}_$]*`;
const WORDS = String.raw`(?:[\w@]+(?:\([^()\n]*\))?[ \t]+)*`;
/** Parameters, with one level of parentheses in them. */
const PARAMETERS = String.raw`\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)`;

const DECLARATIONS = [
  // What is in a function has other words than these; a receiver of Go is before the name.
  String.raw`(?:\b(?:function[ \t]*\*?|class|interface|type|enum|namespace|module|def|func|fn|struct|trait|union|protocol|record)|#define)[ \t]+(?:\([^)\n]*\)[ \t]*)?(?<name>${NAME})`,
  String.raw`^${WORDS}(?:const|let|var|val|static)[ \t]+(?:mut[ \t]+)?(?<name>${NAME})(?![\p{L}\p{N}_$]|[ \t]+[\w*])`,
  String.raw`^(?<name>${NAME})[ \t]*(?::[^=\n]+)?=(?![=>])`,
  // Functions of C, and methods: with a body, or with the type of the result.
  String.raw`^[ \t]*(?:[\w<>[\],.:*&@]+[ \t]+)*[*&]*(?<name>${NAME})[ \t]*(?:<[^>\n]*>)?${PARAMETERS}(?:[^(){};=\n]*\{[ \t]*$|[ \t]*:[ \t]*[^;{\n]+;?[ \t]*$)`,
  String.raw`^[ \t]+(?:(?:public|private|protected|readonly|static|abstract|declare|override)[ \t]+)*(?<name>${NAME})[?!]?[ \t]*:[ \t]`,
  String.raw`^[ \t]+(?:(?:public|private|protected|readonly|static|abstract|override)[ \t]+)+(?<name>${NAME})[ \t]*[=;]`,
].map((pattern) => new RegExp(pattern, 'gmu'));

const NO_NAMES = new Set('if for while switch catch return await else do try with case default'.split(' '));

/** Longer lines are no code that somebody writes, in UTF-16 units. */
const LONGEST = 1_000;

export function namesDeclared(text: string): Set<string> {
  const code = text
    .split('\n')
    .filter(({ length }) => length < LONGEST)
    .join('\n');
  const found = DECLARATIONS.flatMap((pattern) =>
    [...code.matchAll(pattern)].flatMap(({ groups }) => groups?.name ?? []),
  );
  return new Set(found.filter((name) => !NO_NAMES.has(name)));
}
