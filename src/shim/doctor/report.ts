/** The doctor's report: text for the user, exit code for scripts. */
import { allVisible } from '../../core/text/visible.ts';

export interface Finding {
  /** `ok`: ready. `none`: not set up, and nothing is wrong. `warn`: worth knowing. `bad`: broken, and the user has to act. */
  level: keyof typeof MARKS;
  /** Says what to do, if anything. Further lines are indented below the first. */
  text: string;
}

export interface Section {
  title: string;
  findings: Finding[];
}

/** @param otherwise the only finding, if there are none */
export const section = (title: string, findings: Finding[], otherwise: Finding): Section => ({
  title,
  findings: findings.length > 0 ? findings : [otherwise],
});

export const ok = (text: string): Finding => ({ level: 'ok', text });
export const none = (text: string): Finding => ({ level: 'none', text });
export const warn = (text: string): Finding => ({ level: 'warn', text });
export const bad = (text: string): Finding => ({ level: 'bad', text });

const MARKS = { ok: '✔', none: '·', warn: '!', bad: '✘' } as const;

export type ExitCode = 0 | 1 | 2;

/** @param hasWindow whether an agent would get a window */
export function exitCode(sections: readonly Section[], hasWindow: boolean): ExitCode {
  if (sections.some(({ findings }) => findings.some(({ level }) => level === 'bad'))) return 2;
  return hasWindow ? 0 : 1;
}

export function render(sections: readonly Section[], code: ExitCode): string {
  const parts = sections.map(({ title, findings }) =>
    [allVisible(title), ...findings.map(lineOf), ''].join('\n'),
  );
  return `${parts.join('\n')}\n${RESULTS[code]} (exit code ${code})\n`;
}

const RESULTS = {
  0: 'An agent gets a window, and nothing is broken.',
  1: 'Nothing is broken, but an agent gets no window.',
  2: `Something is broken: see the lines with ${MARKS.bad}.`,
} as const;

const lineOf = ({ level, text }: Finding): string =>
  `  ${MARKS[level]} ${text.split('\n').map(allVisible).join('\n      ')}`;
