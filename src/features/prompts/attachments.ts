import type { PromptMessage } from '@modelcontextprotocol/server';
import { UserError } from '../../core/messages.ts';
import type { Location } from '../../workspace/read/location.ts';
import type { Context } from '../context.ts';
import { mimeTypeOf } from '../files/fileResources.ts';

/** Most files attached to one prompt, and most UTF-16 units of one and of all: whatever is left out can be read with a tool. */
const MOST_ATTACHED = 20;
const LONGEST_ATTACHED = 100_000;
const MOST_TEXT_ATTACHED = 300_000;

/** Collects what is attached to a prompt, as the agent may read it, and says what is not. */
export function attachmentsFor({ files }: Context) {
  const messages = new Map<string, PromptMessage>();
  const leftOut = new Set<string>();
  let room = MOST_TEXT_ATTACHED;

  /** @param path of the file that it is about. Returns whether there was room. */
  function text(path: string, resource: { uri: string; text: string; mimeType?: string }): boolean {
    const { length } = resource.text;
    const isFull = messages.size === MOST_ATTACHED || length > Math.min(LONGEST_ATTACHED, room);
    if (isFull) leftOut.add(`${path} is too long, or one file too many. Read it with a tool.`);
    if (isFull) return false;
    room -= length;
    const { uri, mimeType = mimeTypeOf(path) ?? 'text/plain' } = resource;
    const content = { type: 'resource' as const, resource: { uri, mimeType, text: resource.text } };
    messages.set(uri, { role: 'user', content });
    return true;
  }

  /** Says why something is not attached. @throws the error if it is no UserError */
  function leaveOut(error: unknown): void {
    if (!(error instanceof UserError)) throw error;
    leftOut.add(error.message);
  }

  return {
    text,
    leaveOut,
    /** The whole text of a file, unsaved changes included. */
    async file(location: Location): Promise<void> {
      const uri = location.uri.toString();
      if (messages.has(uri)) return;
      try {
        const content = await files.read(location);
        if (content.kind === 'folder') throw new UserError(`${location.path} is a folder.`);
        if (content.kind === 'binary') throw new UserError(`${location.path} is not text.`);
        const notebook = content.notebook?.();
        const shown = { uri, text: notebook ?? content.text };
        const isAttached = text(
          location.path,
          notebook === undefined ? shown : { ...shown, mimeType: 'text/plain' },
        );
        if (isAttached) files.edits.own.saw(location);
      } catch (error) {
        leaveOut(error);
      }
    },
    /** The prompt: its text, with what is not attached, and what is. */
    after(task: string): PromptMessage[] {
      const notes = [...leftOut].map((reason) => `- ${reason}`);
      const whole = notes.length > 0 ? [task, ['Not attached:', ...notes].join('\n')].join('\n\n') : task;
      return [{ role: 'user', content: { type: 'text', text: whole } }, ...messages.values()];
    },
  };
}

export type Attachments = ReturnType<typeof attachmentsFor>;
