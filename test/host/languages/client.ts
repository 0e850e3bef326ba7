/** The extension of a language, as small as one can be: it starts the server that its package.json names. */
import type { ExtensionContext } from 'vscode';
import { LanguageClient } from 'vscode-languageclient/node';
import type { Manifest } from './extensions.ts';

let client: LanguageClient | undefined;

export async function activate({ extension }: ExtensionContext): Promise<void> {
  const { displayName, server }: Manifest = extension.packageJSON;
  const { command, args, env, languages, initializationOptions } = server;
  client = new LanguageClient(
    extension.id,
    displayName,
    { command, args, options: { env: { ...process.env, ...env } } },
    { documentSelector: languages.map((language) => ({ scheme: 'file', language })), initializationOptions },
  );
  await client.start();
}

export const deactivate = (): Promise<void> | undefined => client?.stop();
