/** What an agent is told with a prompt: what the user has selected, and which of its lines they have changed. */
import { ifUserError } from '../../core/errors.ts';
import { counted } from '../../core/text/cut.ts';
import { withLf } from '../../core/text/replacements.ts';
import { visible } from '../../core/text/visible.ts';
import type { ChangedLines } from '../../workspace/edit/usersChanges.ts';
import type { Context } from '../context.ts';
import { type EditorState, readActive } from '../editor/readEditorState.ts';
import { MOST_TOLD, withinBytes } from './told.ts';

type Selected = NonNullable<NonNullable<EditorState['active']>['selections']>[number];

/** Lines of all selections that are quoted. */
const MOST_LINES = 40;
/** Bytes for changed lines: the selection gets the rest. */
const MOST_CHANGES = 300;

/** One for each session of an agent: what it was told with the last prompt is not told again. */
export class PromptContext {
  /** The agent's newest. */
  ctx: Context;
  #selected: string | undefined;
  /** By path. */
  readonly #changed = new Map<string, string>();

  constructor(ctx: Context) {
    this.ctx = ctx;
  }

  /** At most 1 KB; undefined if there is nothing new. */
  async of(changedSince: readonly ChangedLines[]): Promise<string | undefined> {
    const changes = await this.#newChanges(changedSince);
    const selection = await this.#newSelection(MOST_TOLD - Buffer.byteLength(changes) - 1);
    return [changes, selection].filter(Boolean).join('\n') || undefined;
  }

  async #newChanges(changedSince: readonly ChangedLines[]): Promise<string> {
    const texts: string[] = [];
    for (const { path, lines } of changedSince) {
      const shown = lines.map(([from, to]) => (from === to ? from : `${from}-${to}`)).join(', ');
      const isKnown = this.#changed.get(path) === shown;
      this.#changed.set(path, shown);
      // A rule may have closed it since the agent wrote it.
      const isOpen = !isKnown && (await this.ctx.files.locateShown(path).catch(ifUserError(undefined)));
      if (isOpen && shown) texts.push(`${visible(path)}:${shown}`);
    }
    if (texts.length === 0) return '';
    const lead = 'The user has changed lines in files that you wrote: ';
    for (let count = texts.length; count > 0; count--) {
      const rest = texts.length - count;
      const text = `${lead}${texts.slice(0, count).join('; ')}${rest > 0 ? ` and in ${counted(rest, 'more file')}` : ''}`;
      if (Buffer.byteLength(text) <= MOST_CHANGES) return text;
    }
    return withinBytes(`${lead}${texts[0]}`, MOST_CHANGES);
  }

  async #newSelection(most: number): Promise<string> {
    const { active } = await readActive(this.ctx);
    const { path, unsaved, selections = [] } = active ?? {};
    const now = selections.length > 0 ? JSON.stringify([path, selections]) : undefined;
    const isKnown = now === this.#selected;
    this.#selected = now;
    if (isKnown || path === undefined) return '';
    let [bytes, lines] = [most, MOST_LINES];
    const texts: string[] = [];
    for (const one of selections) {
      const text = selectedText(visible(path), unsaved === true, one, bytes, lines);
      if (!text) break;
      bytes -= Buffer.byteLength(text) + 1;
      lines -= text.split('\n').length - 1;
      texts.push(text);
    }
    return texts.join('\n');
  }
}

/** Empty if there is no room for a line of it. */
function selectedText(
  path: string,
  isUnsaved: boolean,
  { line, endLine = line, endColumn, text, length }: Selected,
  bytes: number,
  most: number,
): string {
  // A selection of whole lines ends before the first character of the next one.
  const last = endColumn === 1 && endLine > line ? endLine - 1 : endLine;
  const place = `${path}:${last === line ? line : `${line}-${last}`}`;
  const head = (note: string) => `The user has selected ${place}${isUnsaved ? ', unsaved' : ''}${note}:`;
  const all = withLf(text).replace(/\n$/, '').split('\n');
  const isWhole = length === undefined && all.length <= most && fits(head(''), all, bytes);
  if (isWhole) return [head(''), ...all].join('\n');
  for (let count = Math.min(all.length, most); count > 0; count--) {
    const lead = head(` (its first ${count === 1 ? 'line' : `${count} lines`})`);
    if (fits(lead, all.slice(0, count), bytes)) return [lead, ...all.slice(0, count)].join('\n');
  }
  const cut = withinBytes(`${head(' (its beginning)')}\n${all[0]}`, bytes);
  return most > 0 && cut.includes('\n') ? cut : '';
}

const fits = (lead: string, lines: readonly string[], bytes: number): boolean =>
  Buffer.byteLength([lead, ...lines].join('\n')) <= bytes;
