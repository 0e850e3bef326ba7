import * as z from 'zod';
import { visible, visibleText } from '../../core/text/escapeInvisible.ts';
import { fitting } from '../../core/text/fitting.ts';
import { globMatchers, LONGEST_GLOB, MOST_GLOBS } from '../../util/glob.ts';
import type { Files } from '../../workspace/files.ts';
import { MOST_HITS } from '../../workspace/search/foundLines.ts';
import { isMultiline } from '../../workspace/search/ripgrepArguments.ts';
import type { SearchLine } from '../../workspace/search/ripgrepEvents.ts';
import { inFolder } from '../../workspace/search/searchGlobs.ts';
import * as args from '../arguments.ts';
import { defineTool, LOOKS_ONLY, text } from '../tool.ts';

const NUL = '\0';
/** A program argument cannot contain NUL. */
const withoutNul = (text: string) => !text.includes(NUL);
const NO_NUL = 'cannot contain a NUL character';

const globs = z.array(z.string().max(LONGEST_GLOB).refine(withoutNul, NO_NUL)).max(MOST_GLOBS).default([]);

/** About the size of the largest answer, in bytes: an agent may start a thousand searches at once. */
const LARGEST = 1024 * 1024;

const SEVERAL_LINES =
  'Files with redacted text were not searched, because the query may match several lines.';
const SLOW = 'Some files were not searched: redacting took too long. Narrow include.';

/** Searches text in files, unsaved text included. */
export const searchText = defineTool({
  name: 'search_text',
  title: 'Search text in VS Code',
  description:
    'Searches all workspace files as the user has them in VS Code, unsaved text included. Use it instead of grep. Returns "line: text" by file; skips ignored files.',
  group: 'files',
  operation: 'read',
  annotations: LOOKS_ONLY,
  input: z.strictObject({
    query: z
      .string()
      .min(1)
      .refine(withoutNul, NO_NUL)
      .describe('Text; with isRegex a ripgrep regular expression'),
    isRegex: z.boolean().default(false),
    caseSensitive: z.boolean().default(false),
    wholeWord: z.boolean().default(false),
    include: globs.describe('Globs or folders to search'),
    exclude: globs.describe('Globs or folders to skip'),
    contextLines: z.int().min(0).max(20).default(0).describe('Lines around each hit'),
    limit: z.int().min(1).max(MOST_HITS).default(200),
    maxCharacters: args.maxCharacters,
  }),
  async run({ limit, maxCharacters, ...asked }, { files }, { signal, makeRoom }) {
    await makeRoom?.(LARGEST);
    let isSlow = false;
    const query = {
      ...asked,
      onSlow() {
        isSlow = true;
      },
    };
    const lines = await files.search(query, signal);
    const hits = lines.filter(({ hit }) => hit).length;
    // Always noted: otherwise the note would reveal hits in redacted text.
    const several = files.redactor.isOn && isMultiline(query) ? SEVERAL_LINES : '';
    const leftOut = [several, isSlow ? SLOW : ''];
    if (hits === 0) {
      const note = await noteOnGlobs(query.include, files, signal);
      return text(`No hit for "${visible(query.query)}".`, note, ...leftOut);
    }
    const wanted = grouped(lines.slice(0, endOf(lines, limit, query.contextLines)));
    const fit = wanted.slice(
      0,
      fitting(wanted, maxCharacters, (line) => line.text.length + 1),
    );
    const shown = fit.filter(({ hit }) => hit).length;
    const all = `${hits}${hits >= MOST_HITS ? ' or more' : ''}`;
    const raise = shown < limit ? 'maxCharacters' : 'limit';
    const more =
      shown < hits ? `${shown} of ${all} hits. Narrow the query or raise ${raise} for the rest.` : '';
    return text(fit.map((line) => line.text).join('\n'), more, ...leftOut);
  },
});

/** Index after the last shown hit and its context. */
function endOf(lines: readonly SearchLine[], limit: number, contextLines: number): number {
  let hits = 0;
  const index = lines.findIndex(({ hit }) => hit && ++hits === limit);
  const last = lines[index];
  if (!last) return lines.length;
  const isContext = ({ path, line, hit }: SearchLine) =>
    !hit && path === last.path && (line ?? 0) <= (last.line ?? 0) + contextLines;
  let end = index + 1;
  for (let next = lines[end]; next && isContext(next); next = lines[end]) end++;
  return end;
}

/** The lines of the answer. A path is part of its first line, so that no file is named without its hits. */
function grouped(lines: readonly SearchLine[]): { text: string; hit: boolean }[] {
  let last: SearchLine | undefined;
  return lines.map((line) => {
    const isNext = line.path === last?.path;
    const isGap = isNext && (line.line ?? 0) > (last?.line ?? 0) + 1 && !(line.hit && last?.hit);
    const lead = isNext ? (isGap ? '  --\n' : '') : `${last ? '\n' : ''}${visible(line.path)}\n`;
    last = line;
    const text = `${lead}  ${line.line ?? '?'}${line.hit ? ':' : '-'} ${visibleText(line.text)}`;
    return { text, hit: line.hit };
  });
}

/** A note if no file matches the globs; else empty. */
async function noteOnGlobs(include: readonly string[], files: Files, signal: AbortSignal): Promise<string> {
  if (include.length === 0) return '';
  const globs = files.folders().flatMap((folder) => include.flatMap((glob) => inFolder(glob, folder)));
  const matchers = globMatchers(globs);
  const all = await files.list(signal);
  for (const { inside } of all) if (matchers.some((matches) => matches(inside))) return '';
  return `No file matches include: ${include.map(visible).join(', ')}.`;
}
