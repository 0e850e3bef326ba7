import * as z from 'zod';
import { UserError } from '../../core/errors.ts';
import * as args from '../arguments.ts';
import { defineTool, STARTS_PROGRAMS, text } from '../tool.ts';
import { runText } from './runText.ts';

/** As a terminal sends them. */
const KEYS = {
  enter: '\r',
  'ctrl+c': '\x03',
  'ctrl+d': '\x04',
  escape: '\x1b',
  tab: '\t',
  up: '\x1b[A',
  down: '\x1b[B',
  right: '\x1b[C',
  left: '\x1b[D',
} as const;

const KEY_NAMES = Object.keys(KEYS) as [keyof typeof KEYS];

/** Types into the program of a run. */
export const sendToRun = defineTool({
  name: 'send_to_run',
  title: 'Type into run',
  description:
    'Types text or a key into the program of a run, and returns what it prints. Use it if the program asks something. Leave secrets to the user, who can type too.',
  group: 'run',
  operation: 'run',
  annotations: STARTS_PROGRAMS,
  input: z.strictObject({
    run: z.int().min(1),
    text: z.string().max(10_000).optional().describe('Then Enter'),
    key: z.enum(KEY_NAMES).optional().describe('Replaces Enter'),
    wait: args.wait(2),
  }),
  async run({ run: id, text: typed, key, wait }, ctx, call) {
    const run = ctx.agentRuns.get(id);
    if (typed === undefined && !key) throw new UserError('Pass text, key, or both.');
    if (run.result) throw new UserError(`Run ${id} has ended. Nothing was sent.`);
    const { send, isTerminal, inputNote } = run.running ?? {};
    if (!send) throw new UserError(`Run ${id} takes no input. Nothing was sent.`);
    await call.approve({
      kind: 'run',
      subject: run.title,
      arguments: { text: typed ?? '', ...(key && { key }), ...(inputNote && { note: inputNote }) },
    });
    if (run.result) throw new UserError(`Run ${id} has ended meanwhile. Nothing was sent.`);
    const input = (typed ?? '') + (key ? KEYS[key] : KEYS.enter);
    send(isTerminal ? input : input.replaceAll('\r', '\n'));
    const from = run.output.count;
    await run.wait(args.waitTime(wait), call.signal);
    return text(runText(run, ctx, args.DEFAULT_CHARACTERS, Math.max(1, from)));
  },
});
