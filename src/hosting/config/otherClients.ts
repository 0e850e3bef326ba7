import { join } from 'node:path';
import { type Fields, fieldsOf, isObject } from '../../core/json.ts';
import { readSmallFile } from '../../disk/smallFile.ts';
import { parseDefinition } from './parseDefinition.ts';
import type { L10n } from './problems.ts';
import { parseServerFile } from './serverFile.ts';

/** Most bytes of a file of servers; Claude Code keeps its history in the same file. */
const MOST_BYTES = 16 * 1024 * 1024;

/** A server in the user's configuration of another client. */
export interface OtherServer {
  client: string;
  file: string;
  name: string;
  /** In the shape of our setting. Its texts may be secrets. */
  definition: Fields;
}

/**
 * The usable servers that the user has configured in other clients. Files that are missing or cannot be read have none.
 *
 * @param home absolute path of the user's home directory
 */
export async function serversOfOtherClients(
  home: string,
  platform: NodeJS.Platform,
  l10n: L10n,
): Promise<OtherServer[]> {
  const all = await Promise.all(
    Object.entries(filesOf(home, platform)).map(async ([client, file]) => {
      const bytes = await readSmallFile(file, MOST_BYTES).catch(() => undefined);
      const parsed =
        bytes && parseServerFile(bytes.toString('utf8').replace(/^\ufeff/, ''), 'mcpServers', l10n);
      if (!parsed || 'message' in parsed) return [];
      return parsed.servers
        .filter(({ value }) => isObject(value))
        .map(({ name, value }): OtherServer => {
          return { client, file, name, definition: ourShape(fieldsOf(value)) };
        });
    }),
  );
  return all.flat().filter(({ definition }) => 'definition' in parseDefinition(definition, 'settings', l10n));
}

function filesOf(home: string, platform: NodeJS.Platform): Record<string, string> {
  const data = {
    darwin: join(home, 'Library', 'Application Support'),
    win32: join(home, 'AppData', 'Roaming'),
  }[platform as string];
  return {
    'Claude Code': join(home, '.claude.json'),
    'Claude Desktop': join(data ?? join(home, '.config'), 'Claude', 'claude_desktop_config.json'),
    Cursor: join(home, '.cursor', 'mcp.json'),
    'Gemini CLI': join(home, '.gemini', 'settings.json'),
    Windsurf: join(home, '.codeium', 'windsurf', 'mcp_config.json'),
  };
}

/** Without the fields that only that client has; some call the URL by another name. */
function ourShape(value: Fields): Fields {
  const { command, args, env, cwd, headers, type } = value;
  const url = value.url ?? value.serverUrl ?? value.httpUrl;
  const fields: Fields = command === undefined ? { type, url, headers } : { command, args, env, cwd };
  return Object.fromEntries(Object.entries(fields).filter(([, field]) => field !== undefined));
}
