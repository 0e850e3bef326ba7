/** What a hover says in plain text: people see it as Markdown, models read it beside the code. */

const COMMAND_LINK = /\[([^\]]*)\]\(command:[^)]*\)/g;
/** A link of gopls to the documentation that it has just shown. */
const OWN_PAGE = /^\[.* on pkg\.go\.dev\]\(.*\)$/;
/** clangd puts the kind and name of a symbol above all else. */
const CLANGD_HEADING = /^### [\w-]+ `[^`\n]*`\s*$/m;
/** What clangd says of a symbol besides its documentation: the code says it too. */
const CLANGD_FACT = /^(→ |Parameters:\s*$|- `|(Type|Offset|Size|Passed|provided by)\b)/;
/** What servers put above a declaration: clangd its scope, Intelephense the start of a file. */
const CODE_HEAD = /^(\/\/ In .*|<\?php)\n/;
/** The name of a symbol of PHP: the title has it. */
const PHP_HEADING = /^__[\w\\:$]+__$/;
const RULE = /^(-{3,}|\*{3,}|_{3,})$/;

/** The parts of a hover's Markdown, those in fences by themselves, without marks that say nothing. */
export function hoverParts(markdown: string): string[] {
  const isOfClangd = CLANGD_HEADING.test(markdown.split('\n', 1)[0] ?? '');
  const parts = markdown.replaceAll(COMMAND_LINK, '$1').split(/^ {0,3}```.*$/m);
  return parts.flatMap((part, index) => {
    const isCode = index % 2 === 1;
    const text = isCode ? part.trim().replace(CODE_HEAD, '') : prose(part, isOfClangd);
    return text === '' ? [] : [text];
  });
}

function prose(part: string, isOfClangd: boolean): string {
  const lines = part.split('\n').map((line) => line.trimEnd());
  const facts = isOfClangd ? factsAt(lines) : new Set<number>();
  const kept = lines.filter(
    (line, at) => !facts.has(at) && !RULE.test(line) && !OWN_PAGE.test(line) && !PHP_HEADING.test(line),
  );
  return kept
    .join('\n')
    .replaceAll('&nbsp;', ' ')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}

/** The lines of clangd's facts: up to the first that is none, which begins the comment of the code. */
function factsAt(lines: readonly string[]): Set<number> {
  const isFact = (line: string) =>
    line === '' || RULE.test(line) || CLANGD_HEADING.test(line) || CLANGD_FACT.test(line);
  const first = lines.findIndex((line) => !isFact(line));
  return new Set(lines.keys().take(first < 0 ? lines.length : first));
}
