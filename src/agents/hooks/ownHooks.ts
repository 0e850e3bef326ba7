import { fieldsOf } from '../../core/json.ts';
import { whole } from '../formats/whole.ts';
import type { HookPlace, HookStart, Place } from '../program.ts';
import { hookLine, hooksOf, slashed } from './hook.ts';
import { openCodeModule } from './openCodeModule.ts';

/** A file of our own: its whole text is what we write. */
const ownHooks = (files: Place['files'], textOf: (start: HookStart) => string): HookPlace => ({
  format: whole,
  files,
  found: (value) => {
    const { text } = fieldsOf(value);
    return typeof text === 'string' && text.includes('shim.js') ? [{ path: ['text'], value: text }] : [];
  },
  wanted: (_, start) => [{ path: ['text'], value: textOf(start) }],
});

/** Copilot CLI reads all files of the folder. */
export const copilotHooks = (files: Place['files']): HookPlace =>
  ownHooks(files, (start) => {
    const events = hooksOf('copilot-cli').map((hook) => [
      hook.event,
      [
        {
          type: 'command',
          bash: hookLine(hook, start, 'posix'),
          powershell: hookLine(hook, start, 'powershell'),
          ...hook.matcher,
          timeoutSec: hook.limit,
        },
      ],
    ]);
    return `${JSON.stringify({ version: 1, hooks: Object.fromEntries(events) }, null, 2)}\n`;
  });

export const openCodeHooks = (files: Place['files']): HookPlace =>
  ownHooks(files, ({ launch, platform }) =>
    openCodeModule({ ...launch, shim: slashed(launch.shim, platform) }, hooksOf('opencode')),
  );
