import { fieldsOf } from '../../core/json.ts';
import { json } from '../formats/json.ts';
import { type LanguagePlace, stdio } from '../program.ts';
import { languageByEnding } from './endings.ts';

/** Where two servers have a file extension, Copilot CLI asks the first in the file. */
export const copilotLanguageServers = (files: LanguagePlace['files']): LanguagePlace[] => {
  const servers = (whole: unknown) => fieldsOf(whole).lspServers;
  const pathOf = (name: string) => ['lspServers', name];
  return [
    {
      format: json,
      files,
      servers,
      found: (whole, name) =>
        name === undefined ? [] : [{ path: pathOf(name), value: fieldsOf(servers(whole))[name] }],
      wanted: (_, { server, name, languages }) => [
        { path: pathOf(name), value: { ...stdio(server), fileExtensions: languageByEnding(languages) } },
      ],
    },
  ];
};
