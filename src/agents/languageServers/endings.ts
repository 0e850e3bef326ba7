import type { ServedLanguage } from '../../core/lsp/door.ts';

/** Languages by the file extensions that agents understand: VS Code's may be any ends of names. Of two languages the last. */
export const languageByEnding = (languages: readonly ServedLanguage[]): Record<string, string> =>
  Object.fromEntries(
    languages.flatMap(({ id, extensions }) =>
      extensions.filter((one) => one.startsWith('.')).map((one) => [one, id] as const),
    ),
  );
