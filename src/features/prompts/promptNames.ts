/**
 * The longest name of a prompt: agents show it as `/mcp__workspace-mcp__NAME`, and some take at most 64 characters for all of
 * it.
 */
const LONGEST = 64 - 'mcp__workspace-mcp__'.length;

/** Names for prompts by their titles, in the same order: each unique, and without spaces, to be typed as a slash command. */
export function promptNames(titles: readonly string[]): string[] {
  const taken = new Map<string, number>();
  return titles.map((title) => {
    const base = slug(title) || 'prompt';
    let name = base;
    for (let count = taken.get(base) ?? 2; taken.has(name); count++) {
      name = `${cut(base, LONGEST - `_${count}`.length)}_${count}`;
      taken.set(base, count + 1);
    }
    if (!taken.has(name)) taken.set(name, 2);
    return name;
  });
}

/** Keeps letters of all scripts, so that Chinese titles get distinct names. */
const slug = (title: string): string =>
  cut(
    title
      .normalize('NFKC')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, '_')
      .replace(/^_+|_+$/g, ''),
    LONGEST,
  );

/** At most so many UTF-16 units: whole words if that leaves at least half of them, and never half a character. */
function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const whole = text.slice(0, length + 1).lastIndexOf('_');
  const end = whole >= length / 2 ? whole : length;
  return text
    .slice(0, end)
    .toWellFormed()
    .replace(/\ufffd$|_+$/g, '');
}
