import type { Diagnostic, Parser } from '../../../src/tsserver/configErrors.ts';

/** A TypeScript that finds these errors, on a disk with one file. */
export const parserOf = (
  errors: readonly Diagnostic[],
  raw: object = {},
  ...references: string[]
): Parser => ({
  sys: { fileExists: (path) => path === '/w/there.json', directoryExists: () => false },
  DiagnosticCategory: { 0: 'Warning', 1: 'Error' },
  getParsedCommandLineOfConfigFile: () => ({
    raw,
    errors,
    projectReferences: references.map((path) => ({ path })),
  }),
  resolveProjectReferencePath: ({ path }) => path,
  flattenDiagnosticMessageText: (text) => `${text}`,
  getLineAndCharacterOfPosition: (_, at) => ({ line: 2, character: at }),
});
