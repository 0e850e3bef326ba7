import { UserError } from '../../core/errors.ts';
import { applyHunks } from '../../core/patch/applyHunks.ts';
import type { FileChange } from '../../core/patch/combined.ts';
import type { Hunk } from '../../core/patch/filePatch.ts';
import type { Place } from '../../core/patch/placeHunk.ts';
import { counted } from '../../core/text/counted.ts';
import { visible } from '../../core/text/escapeInvisible.ts';
import { withLf } from '../../core/text/replacements.ts';
import type { FileEdit } from '../../workspace/edit/fileEdit.ts';
import type { Operation } from '../../workspace/edit/operations/operation.ts';
import type { Location } from '../../workspace/read/location.ts';
import type { Context } from '../context.ts';
import type { ToolCall } from '../tool.ts';
import { inexact } from './inexactHunks.ts';

/** What a patch does to the files of the workspace. */
export class PatchPlan {
  readonly edits: FileEdit[] = [];
  readonly operations: Operation[] = [];
  readonly #ctx: Context;
  readonly #call: ToolCall;
  /** Where the hunks were when they were last placed, by the path of the result. */
  readonly #places = new Map<string, Place[]>();
  /** Texts from which new files are made. */
  readonly #sources: { location: Location; text: string }[] = [];

  private constructor(ctx: Context, call: ToolCall) {
    this.#ctx = ctx;
    this.#call = call;
  }

  /** @throws UserError if a file is closed, missing or there already, or a hunk of a renamed file does not fit; NotFoundError */
  static async make(changes: readonly FileChange[], ctx: Context, call: ToolCall): Promise<PatchPlan> {
    const plan = new PatchPlan(ctx, call);
    for (const change of changes) await plan.#add(change);
    return plan;
  }

  async #add(change: FileChange): Promise<void> {
    const { files } = this.#ctx;
    const { type, path, steps } = change;
    if (type === 'create' || type === 'create_from') {
      const target = await files.locateNew(path);
      if (type === 'create') {
        const text = this.#patched('', steps, target.path);
        this.operations.push({ type, target, text });
        return;
      }
      const location = await files.locate(change.source);
      if (steps.length === 0) this.operations.push({ type: 'copy', location, target });
      else
        this.operations.push({
          type: 'create',
          target,
          like: location,
          text: await this.#renamed(location, target.path, steps),
        });
      return;
    }
    const location = await files.locate(path);
    const plan = (text: string) => this.#patched(type === 'replace' ? '' : text, steps, location.path);
    if (type !== 'delete') this.edits.push({ location, plan });
    else {
      this.operations.push({ type, location });
      if (steps.length > 0) await this.#requireEmptied(location, plan);
    }
  }

  #patched(text: string, steps: readonly Hunk[][], path: string): string {
    const places: Place[] = [];
    let after = text;
    for (const hunks of steps) {
      const one = applyHunks(after, hunks, path);
      places.push(...one.places);
      after = one.text;
    }
    this.#places.set(path, places);
    return after;
  }

  /** The new text of a file that is renamed, with its line ends. */
  async #renamed(location: Location, path: string, steps: readonly Hunk[][]): Promise<string> {
    const { files } = this.#ctx;
    const { encoding } = files.openDocument(location) ?? (await files.loadDocument(location));
    if (encoding !== 'utf8') throw this.#moveFirst(location, `is not UTF-8 (${encoding})`);
    const text = await this.#textOf(location);
    this.#sources.push({ location, text });
    const after = this.#patched(withLf(text), steps, path);
    return text.includes('\r\n') ? after.replaceAll('\n', '\r\n') : after;
  }

  async #textOf(location: Location): Promise<string> {
    const content = await this.#ctx.files.read(location, this.#call.makeRoom);
    if (content.kind !== 'text') throw this.#moveFirst(location, 'is not text');
    if (content.isRedacted) throw this.#moveFirst(location, 'has redacted text');
    return content.text;
  }

  #moveFirst({ path }: Location, why: string): UserError {
    return new UserError(`Nothing was changed: ${path} ${why}. Move it with move_path, then patch it.`);
  }

  /** A patch that deletes a file lists its whole text. */
  async #requireEmptied(location: Location, plan: (text: string) => string): Promise<void> {
    const { after } = await this.#ctx.files.edits.preview(location, { plan }, this.#call);
    if (after === '') return;
    throw new UserError(
      `Nothing was changed: the patch deletes ${location.path}, but the file has more text than the patch removes. Read it again.`,
    );
  }

  /** @throws UserError if a file changed from which a new one is made */
  async requireSame(): Promise<void> {
    for (const { location, text } of this.#sources)
      if ((await this.#textOf(location)) !== text)
        throw new UserError(`Nothing was changed: ${location.path} changed meanwhile. Try again.`);
  }

  /** What was done in an edited file. */
  did(index: number): string {
    const places = this.#places.get(this.edits[index]?.location.path ?? '') ?? [];
    const notes = inexact(places);
    return counted(places.length, 'hunk') + (notes.length > 0 ? ` (${notes.join('; ')})` : '');
  }

  /** About hunks that were not exactly where the patch states. @param of only files that these create */
  notes(of?: readonly Operation[]): string[] {
    const created = of?.flatMap((one) => (one.type === 'create' ? [one.target.path] : []));
    return [...this.#places]
      .filter(([path, places]) => inexact(places).length > 0 && (created?.includes(path) ?? true))
      .map(([path, places]) => `${visible(path)}: ${inexact(places).join('; ')}.`);
  }
}
