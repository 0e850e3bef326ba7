import type { PromptMessage } from '@modelcontextprotocol/server';
import { UserError } from '../../core/errors.ts';
import type { Files } from '../../workspace/files.ts';
import type { Location } from '../../workspace/read/location.ts';
import type { Context } from '../context.ts';
import { mimeTypeOf } from '../files/fileResources.ts';

/** Most files attached to one prompt, and most UTF-16 units of one and of all: whatever is left out can be read with a tool. */
const MOST_ATTACHED = 20;
const LONGEST_ATTACHED = 100_000;
const MOST_TEXT_ATTACHED = 300_000;

/** Collects what is attached to a prompt, as the agent may read it, and says what is not. */
export class Attachments {
  readonly #files: Files;
  readonly #messages = new Map<string, PromptMessage>();
  readonly #leftOut = new Set<string>();
  #room = MOST_TEXT_ATTACHED;

  constructor({ files }: Pick<Context, 'files'>) {
    this.#files = files;
  }

  /** @param path of the file that it is about. Returns whether there was room. */
  text(path: string, resource: { uri: string; text: string; mimeType?: string }): boolean {
    const { uri, text, mimeType = mimeTypeOf(path) ?? 'text/plain' } = resource;
    const isFull =
      this.#messages.size === MOST_ATTACHED || text.length > Math.min(LONGEST_ATTACHED, this.#room);
    if (isFull) this.#leftOut.add(`${path} is too long, or one file too many. Read it with a tool.`);
    if (isFull) return false;
    this.#room -= text.length;
    this.#messages.set(uri, {
      role: 'user',
      content: { type: 'resource', resource: { uri, mimeType, text } },
    });
    return true;
  }

  /** The whole text of a file, unsaved changes included. */
  async file(location: Location): Promise<void> {
    const uri = location.uri.toString();
    if (this.#messages.has(uri)) return;
    try {
      const content = await this.#files.read(location);
      if (content.kind === 'folder') throw new UserError(`${location.path} is a folder.`);
      if (content.kind === 'binary') throw new UserError(`${location.path} is not text.`);
      const notebook = content.notebook?.();
      const shown = { uri, text: notebook ?? content.text };
      const asText = notebook !== undefined && { mimeType: 'text/plain' };
      if (this.text(location.path, { ...shown, ...asText })) this.#files.edits.own.saw(location);
    } catch (error) {
      this.leaveOut(error);
    }
  }

  /** Says why something is not attached. @throws the error if it is no UserError */
  leaveOut(error: unknown): void {
    if (!(error instanceof UserError)) throw error;
    this.#leftOut.add(error.message);
  }

  /** The prompt: its text, with what is not attached, and what is. */
  after(task: string): PromptMessage[] {
    const notes = [...this.#leftOut].map((reason) => `- ${reason}`);
    const whole = notes.length > 0 ? [task, ['Not attached:', ...notes].join('\n')].join('\n\n') : task;
    return [{ role: 'user', content: { type: 'text', text: whole } }, ...this.#messages.values()];
  }
}
