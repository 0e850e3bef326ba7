import * as z from 'zod';
import { REDACTED } from '../../access/redaction/redaction.ts';
import { UserError } from '../../core/errors.ts';
import { cutText } from '../../core/text/cutText.ts';
import { visible } from '../../core/text/escapeInvisible.ts';
import { noteOnHidden } from '../../core/text/hiddenCharacters.ts';
import { countLines, offsetOfLine } from '../../core/text/lines.ts';
import type { Shown } from '../../workspace/read/readContent.ts';
import * as args from '../arguments.ts';
import { defineTool, LOOKS_ONLY, text } from '../tool.ts';
import { mimeTypeOf } from './mimeType.ts';

/** What is sent when the caller names no end: lines, and UTF-16 units. */
const DEFAULT_LINES = 2000;
const DEFAULT_LENGTH = 100_000;

/** The text of a file, as the person sees it. */
export const readFile = defineTool({
  name: 'read_file',
  title: 'Read file',
  description: `Reads a file as the person has it in VS Code, unsaved text included; images as images. Without endLine, at most ${DEFAULT_LINES} lines are sent and the rest is named. The text comes as it is, without line numbers.`,
  group: 'files',
  operation: 'read',
  annotations: LOOKS_ONLY,
  input: z.strictObject({
    path: args.path,
    startLine: z.int().min(1).nullish().describe('First line, 1-based'),
    endLine: z.int().min(1).nullish().describe('Last line, included; past the end means to the end'),
  }),
  async run({ path, ...range }, { files }, { makeRoom }) {
    const startLine = range.startLine ?? 1;
    const endLine = range.endLine ?? undefined;
    const location = await files.locate(path);
    const content = await files.read(location, makeRoom);
    if (content.kind === 'folder')
      throw new UserError(`${location.path} is a folder. list_directory lists what is in it.`);
    if (content.kind === 'binary') return image(location.path, content.bytes);
    const unsaved = noteOn(content);
    if (content.text === '') return text(`${visible(location.path)} is empty.`, unsaved); // an empty block tells a model nothing
    if (startLine === 1 && content.text.length <= DEFAULT_LENGTH && endLine === undefined) {
      const whole = countLines(content.text);
      if (whole <= DEFAULT_LINES)
        return text(content.text, notes(unsaved, noteOnRedacted(content), noteOnHidden(content.text)));
    }
    const part = linesOf(content.text, location.path, startLine, endLine);
    const note = notes(
      unsaved,
      part.note,
      noteOnRedacted({ ...content, ...part }),
      noteOnHidden(part.text, startLine),
    );
    return text(part.text || `Line ${startLine} is empty, and the last.`, note);
  },
});

const notes = (...all: (string | undefined)[]): string | undefined =>
  all.filter(Boolean).join(' ') || undefined;

const noteOnRedacted = ({ text, isRedacted }: { text: string; isRedacted?: true }): string | undefined =>
  isRedacted && text.includes(REDACTED) ? `${REDACTED} stands for text that agents may not see.` : undefined;

function noteOn({ document, unsavedNotebook }: Extract<Shown, { kind: 'text' }>): string | undefined {
  if (unsavedNotebook)
    return 'The person has changed this notebook in VS Code and not saved it: that is not in this text.';
  return document?.isDirty ? 'This text has changes that are not saved yet.' : undefined;
}

function image(path: string, bytes: Uint8Array) {
  const mimeType = mimeTypeOf(path);
  if (!mimeType?.startsWith('image/')) {
    throw new UserError(`${path} is not text (${bytes.length} bytes). resources/read gives its bytes.`);
  }
  return { content: [{ type: 'image' as const, data: Buffer.from(bytes).toString('base64'), mimeType }] };
}

/** The lines from start to end as they stand, line breaks included, and what was left out. */
function linesOf(content: string, path: string, startLine: number, endLine: number | undefined) {
  if (endLine !== undefined && endLine < startLine) {
    throw new UserError(`endLine ${endLine} lies before startLine ${startLine}.`);
  }
  const total = countLines(content);
  if (startLine > total)
    throw new UserError(`${path} has ${total} lines; startLine ${startLine} lies past its end.`);
  const from = offsetOfLine(content, startLine);
  const last = Math.min(endLine ?? startLine + DEFAULT_LINES - 1, total);
  const to = last === total ? content.length : offsetOfLine(content, last + 1, from, startLine);
  if (endLine === undefined && to - from > DEFAULT_LENGTH)
    return cutByLength(content, from, startLine, total);
  const note = endLine === undefined && last < total ? leftOut(startLine, last, total) : undefined;
  return { text: content.slice(from, to), note };
}

/** Ends with the last whole line that fits; a single line that does not fit is cut in itself. */
function cutByLength(content: string, from: number, startLine: number, total: number) {
  const end = content.lastIndexOf('\n', from + DEFAULT_LENGTH - 1) + 1;
  if (end <= from) {
    const lineEnd = content.indexOf('\n', from);
    const length = (lineEnd < 0 ? content.length : lineEnd) - from;
    const shown = cutText(content.slice(from, from + DEFAULT_LENGTH + 1), DEFAULT_LENGTH);
    const note = `Line ${startLine} has ${length} characters; the first ${shown.length} are shown. Pass startLine and endLine for whole lines.`;
    return { text: shown, note };
  }
  const shown = content.slice(from, end);
  return { text: shown, note: leftOut(startLine, startLine + countLines(shown) - 2, total) };
}

const leftOut = (first: number, last: number, total: number): string =>
  `Lines ${first} to ${last} of ${total}. Continue with startLine ${last + 1}, or pass endLine for more at once.`;
