/** Markdown as it reads without its marks. Agents write it where VS Code shows plain text. What may be meant as it is stays. Pure. */
export const plainMarkdown = (text: string): string =>
  text
    .split(/^(```[\s\S]*?^```[^\n]*$)/m)
    .map((part) =>
      part.startsWith('```') ? part.replace(/^```[^\n]*\n?|\n?```[^\n]*$/g, '') : withoutMarks(part),
    )
    .join('');

const withoutMarks = (text: string): string =>
  text
    .replace(/^#{1,6} +/gm, '')
    .replace(/\*\*(?=[^\s*])([^\n]*?[^\s])\*\*(?!\w)/g, '$1')
    .replace(/(`+)([^`\n]+)\1/g, '$2')
    .replace(/\[([^\]\n]+)\]\(([^()\s]+)\)/g, (_, shown, target) =>
      shown === target ? shown : `${shown} (${target})`,
    );

/** A text in a Markdown code block that nothing in it can end, unchanged: one that ends with a line end has an empty last line. */
export function fenced(text: string, language = ''): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}
