import * as z from 'zod';
import { REDACTED } from '../../access/redaction/redaction.ts';
import { UserError } from '../../core/errors.ts';
import { pictureKind } from '../../core/picture.ts';
import { cutText } from '../../core/text/cut.ts';
import { countLines, offsetOfLine } from '../../core/text/lines.ts';
import { noteOnHidden, visible } from '../../core/text/visible.ts';
import type { Location } from '../../workspace/read/location.ts';
import type { ShownContent } from '../../workspace/read/readContent.ts';
import * as args from '../arguments.ts';
import { defineReadTool, pictureBlock, text } from '../tool.ts';

type TextShown = Extract<ShownContent, { kind: 'text' }>;

export const readFile = defineReadTool({
  name: 'read_file',
  title: 'Read file in VS Code',
  description:
    'Reads a file or image as the user has it in VS Code, unsaved text included. Use it instead of reading from disk. A first line "[Note: …]" is not part of the file.',
  group: 'files',
  input: z.strictObject({
    path: args.path,
    startLine: args.line.optional().describe('Default 1; of a notebook, in its JSON'),
    endLine: args.line.optional().describe('Inclusive'),
    maxCharacters: args.maxCharacters,
  }),
  async run({ path, startLine, endLine, maxCharacters }, { files }, { makeRoom }) {
    const location = await files.locateMeant(path);
    const content = await files.read(location, makeRoom);
    files.edits.own.saw(location);
    if (content.kind === 'folder') throw new UserError(`${location.path} is a folder. Use list_directory.`);
    if (content.kind === 'binary') return image(location, content.bytes);
    const cells = startLine === undefined && endLine === undefined ? content.notebook?.() : undefined;
    if (cells !== undefined) return ofNotebook(cells, content, maxCharacters);
    const range = { startLine: startLine ?? 1, endLine, maxCharacters };
    const unsaved = noteOn(content);
    if (content.text === '') return text(`${visible(location.path)} is empty.`, unsaved); // an empty text tells a model nothing
    const part = linesOf(content.text, location.path, range);
    return text(
      part.text || `Line ${range.startLine} is the last line and empty.`,
      location.note,
      part.note,
      unsaved,
      noteOnRedacted({ ...content, ...part }),
      noteOnHidden(part.text, range.startLine),
    );
  },
});

const CELLS = 'The cells, with the numbers of edit_notebook. For lines of the JSON pass startLine.';

/** Its JSON would be pictures in base64 more than anything else. */
function ofNotebook(cells: string, content: TextShown, most: number) {
  const shown = cutText(cells, most);
  const cut =
    shown.length < cells.length &&
    `The first ${shown.length} of ${cells.length} characters. Raise maxCharacters for more.`;
  const unsaved = content.unsavedNotebook && 'The notebook has unsaved changes.';
  return text(shown, CELLS, cut, unsaved, noteOnRedacted({ ...content, text: shown }));
}

const noteOnRedacted = ({ text, isRedacted }: { text: string; isRedacted?: true }): string | undefined =>
  isRedacted && text.includes(REDACTED) ? `${REDACTED} replaces text that agents may not see.` : undefined;

function noteOn({ document, unsavedNotebook }: TextShown): string | undefined {
  if (unsavedNotebook)
    return 'The user has unsaved changes to this notebook in VS Code. They are not in this text.';
  return document?.isDirty ? 'This text has unsaved changes.' : undefined;
}

function image({ path, note }: Location, bytes: Uint8Array) {
  const kind = pictureKind(bytes);
  if (!kind)
    throw new UserError(`${path} is not text (${bytes.length} bytes). Use resources/read for its bytes.`);
  if ('problem' in kind)
    throw new UserError(
      `${path} is a picture that cannot be shown: ${kind.problem}. resources/read has its bytes.`,
    );
  const picture = pictureBlock(bytes, kind.mimeType);
  return { content: note ? [...text('', note).content, picture] : [picture] };
}

interface Range {
  startLine: number;
  endLine?: number | undefined;
  maxCharacters: number;
}

/** The lines from start to end, unchanged and with line breaks, as far as they fit; and how to continue. */
function linesOf(content: string, path: string, { startLine, endLine, maxCharacters }: Range) {
  if (endLine !== undefined && endLine < startLine)
    throw new UserError(`endLine ${endLine} is before startLine ${startLine}.`);
  const isWhole = startLine === 1 && endLine === undefined && content.length <= maxCharacters;
  if (isWhole) return { text: content }; // without counting the lines of a large file
  const total = countLines(content);
  if (startLine > total)
    throw new UserError(`${path} has ${total} lines; startLine ${startLine} is past its end.`);
  const from = offsetOfLine(content, startLine);
  const last = Math.min(endLine ?? total, total);
  const to = offsetOfLine(content, last + 1, from, startLine);
  if (to - from <= maxCharacters) return { text: content.slice(from, to) };
  const end = content.lastIndexOf('\n', from + maxCharacters - 1) + 1;
  if (end <= from) return cutLine(content, from, startLine, maxCharacters);
  const shown = content.slice(from, end);
  const next = startLine + countLines(shown) - 1;
  const note = `Lines ${startLine} to ${next - 1} of ${total}. Continue with startLine ${next}, or raise maxCharacters.`;
  return { text: shown, note };
}

/** The beginning of a line that is longer than the answer may be. */
function cutLine(content: string, from: number, line: number, most: number) {
  const lineEnd = content.indexOf('\n', from);
  const whole = content.slice(from, lineEnd < 0 ? content.length : lineEnd);
  const shown = cutText(whole, most);
  const rest = lineEnd < 0 ? '' : ` The next line is ${line + 1}.`;
  const note = `Line ${line} has ${whole.length} characters; the first ${shown.length} are shown. Raise maxCharacters for more.${rest}`;
  return { text: shown, note };
}
