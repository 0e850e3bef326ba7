import { ifUserError } from '../../core/errors.ts';
import { urisIn } from '../../hosting/names/rewriteUris.ts';
import type { Hosted } from '../../hosting/servers/hosted.ts';
import { inParallel } from '../../util/inParallel.ts';
import type { Context } from '../context.ts';

const LOOKS_AT_ONCE = 16;

/**
 * The URIs in a server's result that name files of workspace folders which the agent may read itself. Many servers link to files, but
 * do not serve them as resources. What a server lists it serves.
 */
export async function workspaceLinks(
  method: string,
  result: unknown,
  { catalogue }: Hosted,
  { files }: Context,
): Promise<ReadonlySet<string>> {
  const named = new Set(urisIn(method, result).filter((uri) => /^file:/i.test(uri)));
  if (named.size === 0 || method === 'resources/read') return new Set(); // that has the URI which was asked for
  for (const { uri } of catalogue?.resources ?? []) named.delete(`${uri}`);
  const found = await inParallel([...named], LOOKS_AT_ONCE, async (uri) => {
    const location = await files.locateUri(uri).catch(ifUserError(undefined));
    return location?.folder ? [uri] : [];
  });
  return new Set(found.flat());
}
