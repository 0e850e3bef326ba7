import { levelsOf } from '../access/accessSettings.ts';
import { withLf } from '../core/text/replacements.ts';
import type { Asked, Explanation } from './explanation.ts';
import { locateUri } from './read/locate.ts';
import { type Content, readContent } from './read/readContent.ts';

/** What is in a file, as far as that decides what agents may do with it. */
export async function explainContent(asked: Asked): Promise<Pick<Explanation, 'kind' | 'redaction'>> {
  const content = await contentOf(asked);
  const redaction = redactionOf(asked, content);
  const kind = content?.kind === 'text' ? undefined : content?.kind;
  return { ...(kind && { kind }), ...(redaction && { redaction }) };
}

/** Undefined where it cannot be read: others say why. */
function contentOf({ code, world, policy, uri }: Asked): Promise<Content | undefined> {
  const locator = { vscode: code, world, policy };
  return locateUri(locator, uri.toString())
    .then((location) => readContent(locator, location))
    .catch(() => undefined);
}

/** The patterns of all folders count everywhere. */
function redactionOf({ code, world, uri }: Asked, content: Content | undefined): Explanation['redaction'] {
  const redaction = world.redaction();
  if (redaction.isOff) return undefined;
  const folders = code.workspace.workspaceFolders ?? [{ uri: undefined }];
  const all = folders.flatMap((one) => levelsOf(code.workspace, one.uri, 'redact', () => true));
  const levels = [...new Set(all)];
  if (redaction.broken) return { levels, broken: redaction.broken.reason };
  if (content?.kind !== 'text') return undefined;
  try {
    const places = redaction.of(uri.path).spans(withLf(content.text)).length;
    return places > 0 ? { levels, places } : undefined;
  } catch (error) {
    return { levels, broken: (error as Error).message };
  }
}
