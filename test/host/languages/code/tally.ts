/** How many answers about a code base were right. */
export const VERDICTS = ['right', 'incomplete, said', 'incomplete, silent', 'wrong'] as const;
export type Verdict = (typeof VERDICTS)[number];

export interface Tally {
  /** By what was asked, then by verdict: what it was about. */
  add(what: string, verdict: Verdict, about: string): void;
  print(title: string): void;
  /** What was wrong. */
  wrong(): string[];
}

export function tally(): Tally {
  const seen = new Map<string, Map<Verdict, string[]>>();
  return {
    add(what, verdict, about) {
      const verdicts = seen.get(what) ?? new Map<Verdict, string[]>();
      seen.set(what, verdicts.set(verdict, [...(verdicts.get(verdict) ?? []), about]));
    },
    wrong: () => [...seen.values()].flatMap((verdicts) => verdicts.get('wrong') ?? []),

    print(title) {
      const row = (name: string, cells: readonly (string | number)[]) =>
        console.log(`      ${name.padEnd(24)}${cells.map((cell) => `${cell}`.padStart(20)).join('')}`);
      row(title, VERDICTS);
      for (const [what, verdicts] of seen) {
        row(
          what,
          VERDICTS.map((verdict) => verdicts.get(verdict)?.length ?? 0),
        );
        for (const verdict of VERDICTS.slice(2))
          for (const about of (verdicts.get(verdict) ?? []).slice(0, MOST_SHOWN))
            console.log(`        ${verdict}: ${about}`);
      }
    },
  };
}

const MOST_SHOWN = 4;
