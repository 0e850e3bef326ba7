/** What the results of a run in Wine mean, by the list of what Wine cannot do. */
import { relative } from 'node:path';
import { projectRoot } from '../host/paths.ts';
import listed from './wine.json' with { type: 'json' };

export interface Result {
  title: string;
  state: 'passed' | 'skipped' | 'failed';
  file?: string;
  error?: string;
}

type Reasons = Record<string, readonly string[]>;
const titlesIn = (reasons: Reasons): string[] => Object.values(reasons).flat();
const always = new Set(titlesIn(listed.always));
const sometimes = new Set(titlesIn(listed.sometimes));
const errors = titlesIn(listed.errors);
const isKnown = ({ title, error = '' }: Result): boolean =>
  always.has(title) || sometimes.has(title) || errors.some((one) => error.startsWith(one));

/** What failed that is not listed, and what is listed and passed. @param isWhole all tests have run */
export function verdictOn(results: readonly Result[], isWhole: boolean): { text: string; isGood: boolean } {
  const failed = results.filter(({ state }) => state === 'failed');
  const unknown = failed.filter((one) => !isKnown(one));
  const run = new Set(results.map(({ title }) => title));
  const passed = results.filter(({ title, state }) => state === 'passed' && always.has(title));
  const gone = isWhole ? [...always, ...sometimes].filter((title) => !run.has(title)) : [];
  const count = (state: string) => results.filter((one) => one.state === state).length;
  const text = [
    ...unknown.map(({ title, file, error }) => `✗ ${title}\n  ${placeOf(file)}\n${indented(error)}\n`),
    ...passed.map(({ title }) => `✗ ${title}\n  passes now: take it out of test/windows/wine.json.\n`),
    ...gone.map((title) => `✗ ${title}\n  is in test/windows/wine.json, and there is no such test.\n`),
    `${count('passed')} passed, ${count('skipped')} skipped, ${failed.length - unknown.length} failed for Wine's own reasons, ${unknown.length} failed.`,
  ];
  const faults = unknown.length + passed.length + gone.length;
  return { text: text.join('\n'), isGood: faults === 0 && results.length > 0 };
}

const placeOf = (file = ''): string => relative(projectRoot, file.replace(/^Z:/, '').replaceAll('\\', '/'));
const indented = (text = ''): string => text.replace(/^/gm, '    ');
