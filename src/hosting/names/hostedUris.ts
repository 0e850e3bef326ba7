/**
 * URIs of hosted resources: `hosted://<slug>/<original>`. The original follows as it is, because a path may contain every character
 * of a URI. Percent-encoding it would break templates: `{id}` is expanded by the agent, which encodes only once.
 */
const HOSTED = /^hosted:\/\/([a-z0-9-]+)\/(.*)$/is;

/** VS Code's `Uri.toString()` encodes the colon. An absolute URI has no other `%3A` directly after its scheme. */
const ENCODED_COLON = /^([a-z][a-z0-9+.-]*)%3A/i;

/** The URI, or URI template, that agents see for one of a server. */
export const hostedUri = (slug: string, original: string): string => `hosted://${slug}/${original}`;

/** The server and its own URI or template; undefined if it is not hosted. */
export function originalUri(uri: string): { slug: string; uri: string } | undefined {
  const [, slug, original] = HOSTED.exec(uri) ?? [];
  if (slug === undefined || original === undefined) return undefined;
  return { slug: slug.toLowerCase(), uri: original.replace(ENCODED_COLON, '$1:') };
}
