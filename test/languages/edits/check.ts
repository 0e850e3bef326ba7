import { readFileSync } from 'node:fs';
import type { Judge } from './judges.ts';
import { type Sources as Opened, symbolsOf } from './server.ts';
import { ACTIONS, applied, type BodyFor, together, type Variant, variantsOf } from './variants.ts';

export interface Sources extends Opened {
  judge: Judge;
  bodyFor: BodyFor;
}

interface Count {
  right: number;
  refused: number;
  broken: number;
}

export interface Result {
  language: string;
  symbols: number;
  counts: Record<string, Count>;
  /** What is broken, with the errors. */
  broken: string[];
  /** Why edits are refused: how often, and of which symbol for example. */
  refusals: Map<string, { count: number; example: string }>;
}

/** Makes every edit of every symbol of files, and lets the language's own parser judge what comes of it. */
export async function check(
  command: readonly [command: string, ...args: string[]],
  sources: Sources,
): Promise<Result> {
  const { language, judge, bodyFor } = sources;
  const counts = Object.fromEntries(ACTIONS.map((action) => [action, { right: 0, refused: 0, broken: 0 }]));
  const result: Result = { language, symbols: 0, counts, broken: [], refusals: new Map() };
  for (const [path, symbols] of await symbolsOf(command, sources)) {
    const text = readFileSync(path, 'utf8').replaceAll('\r\n', '\n');
    const variants = variantsOf(text, symbols, language, bodyFor);
    result.symbols += variants.filter(({ action }) => action === 'replace').length;
    const errors = (texts: readonly string[]) => judge(texts, path);
    const least = errors([text])[0]?.length ?? 0;
    for (const action of ACTIONS) {
      const own = variants.filter((one) => one.action === action);
      const made = own.filter(({ edit }) => edit);
      const broken = action === 'replace' ? otherIn(text, made) : brokenIn(text, made, least, errors);
      for (const [{ title }, why] of broken) result.broken.push(`${path} ${action} ${title}: ${why}`);
      for (const one of own) count(one, path, result);
      const counted = counts[action];
      if (!counted) continue;
      counted.broken += broken.size;
      counted.right += made.length - broken.size;
      counted.refused += own.length - made.length;
    }
  }
  return result;
}

function count({ action, title, refusal }: Variant, path: string, { refusals }: Result): void {
  if (refusal === undefined) return;
  const why = refusal
    .replace(/^.* is not written.*$/, 'It is not written …')
    .replaceAll(/lines? [\d, ]+/g, 'line … ');
  const { count = 0, example = `${path} ${action} ${title}` } = refusals.get(why) ?? {};
  refusals.set(why, { count: count + 1, example });
}

/** The edits with a symbol's own text that change something. */
const otherIn = (text: string, variants: readonly Variant[]): Map<Variant, string> =>
  new Map(
    variants
      .filter(({ edit }) => applied(text, edit?.edits ?? []) !== text)
      .map((one) => [one, 'the text is not the same']),
  );

/**
 * The edits that break a text, with the errors. Many are made at once, and one by one if that breaks something.
 *
 * @param least how many errors there are without them
 */
function brokenIn(
  text: string,
  variants: readonly Variant[],
  least: number,
  errors: (texts: readonly string[]) => string[][],
): Map<Variant, string> {
  const broken = new Map<Variant, string>();
  const groups = together(variants);
  const whole = errors(
    groups.map((group) =>
      applied(
        text,
        group.flatMap(({ edit }) => edit?.edits ?? []),
      ),
    ),
  );
  const doubtful = groups.filter((_, at) => (whole[at]?.length ?? 0) > least).flat();
  const single = errors(doubtful.map(({ edit }) => applied(text, edit?.edits ?? [])));
  for (const [at, one] of doubtful.entries()) {
    const found = single[at] ?? [];
    if (found.length > least) broken.set(one, found.join(' | '));
  }
  return broken;
}
