/**
 * The longest name of a prompt: agents show it as `/mcp__workspace-mcp__NAME`, and some take at most 64 characters for all of
 * it.
 */
const LONGEST = 64 - 'mcp__workspace-mcp__'.length;

export interface Titled {
  /** Redacted. */
  title: string;
  /** The URI of its file; empty if it is in none. */
  file: string;
}

/**
 * Gives prompts names for one agent, in the same order: each unique, and without spaces, to be typed as a slash command. A prompt keeps
 * its name while it exists. Names depend on no prompts but the given ones, so they tell the agent of no others.
 *
 * @param arrivals of the window; of equal titles, the prompt that any agent saw first gets the plain name
 */
export function promptNamer(arrivals: Map<string, number>): (prompts: readonly Titled[]) => string[] {
  let kept = new Map<string, string>();
  return (prompts) => {
    const all = idsOf(prompts).map((id, index) => ({ id, index, title: prompts[index]?.title ?? '' }));
    for (const { id } of all) if (!arrivals.has(id)) arrivals.set(id, arrivals.size);
    const rank = (id: string): number => (kept.has(id) ? -1 : (arrivals.get(id) ?? 0));
    const names: string[] = [];
    const taken = new Map<string, number>();
    for (const { id, index, title } of all.toSorted((a, b) => rank(a.id) - rank(b.id)))
      names[index] = unique(kept.get(id) ?? (slug(title) || 'prompt'), taken);
    kept = new Map(all.map(({ id, index }) => [id, names[index] ?? '']));
    return names;
  };
}

/** By file and title; a file may have several of one title. */
function idsOf(prompts: readonly Titled[]): string[] {
  const counts = new Map<string, number>();
  return prompts.map(({ file, title }) => {
    const id = `${file} ${title}`;
    const count = counts.get(id) ?? 0;
    counts.set(id, count + 1);
    return `${id} ${count}`;
  });
}

/** Numbers a name that is taken. `taken` has the next number of each. */
function unique(base: string, taken: Map<string, number>): string {
  let name = base;
  for (let count = taken.get(base) ?? 2; taken.has(name); count++) {
    name = `${cut(base, LONGEST - `_${count}`.length)}_${count}`;
    taken.set(base, count + 1);
  }
  taken.set(name, taken.get(name) ?? 2);
  return name;
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
