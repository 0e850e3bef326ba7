import * as z from 'zod';
import { UserError } from '../../core/errors.ts';
import { debugGrant } from '../../core/grants.ts';
import { fieldsOf, itemsOf } from '../../core/json.ts';
import { ask, type Frame, framesOf, membersOf } from '../../services/debug/inspect.ts';
import type { DebugThread } from '../../services/debug/threads.ts';
import { rethrowRedacted } from '../hosted/shown.ts';
import { defineTool, STARTS_PROGRAMS, text } from '../tool.ts';
import { debuggeeMeant, stoppedThread, whose } from './sessionText.ts';
import { boundsOf, membersText, shownValue } from './stopText.ts';

/** UTF-16 units of a value. */
const MOST_VALUE = 20_000;

export const debugEvaluate = defineTool({
  name: 'debug_evaluate',
  title: 'Evaluate in debugger',
  description:
    'Evaluates an expression in a frame of a stopped debug session, or sets a variable. Use it to look at values, or to try a change.',
  group: 'debug',
  needs: 'debuggers',
  operation: 'run',
  asksFor: 'debug',
  annotations: STARTS_PROGRAMS,
  input: z.strictObject({
    expression: z.string().trim().min(1).max(20_000),
    value: z.string().optional().describe('Sets the variable that expression names'),
    frame: z.int().min(0).default(0),
    depth: z.int().min(1).max(4).default(1).describe('Levels of members'),
    session: z.int().min(1).optional(),
    thread: z.int().min(1).optional(),
  }),
  async run({ expression, value, frame: index, depth, session, thread: number }, ctx, call) {
    const debuggee = debuggeeMeant(session, ctx);
    const thread = stoppedThread(debuggee, number);
    const { stop } = thread;
    const { key: id } = debuggee;
    const { name } = debuggee.root;
    await call.approve({
      kind: 'debug',
      intent: { type: 'evaluate' },
      subject: name,
      ...(debuggee.agent ? { grant: debugGrant({ what: 'evaluate', id, name }) } : { everyTime: true }),
      arguments: { session: whose(debuggee) },
      commandLine: value === undefined ? expression : `${expression} = ${value}`,
    });
    if (thread.stop !== stop)
      throw new UserError('The program has gone on meanwhile. Nothing was evaluated.');
    const frame = (await framesOf(thread, ctx.vscode.Uri, index, 1))[0];
    if (!frame) throw new UserError(`The thread has no frame ${index}: debug_state names them.`);
    const answer = await (value === undefined
      ? ask(thread.session, 'evaluate', { expression, frameId: frame.id, context: 'repl' })
      : set(thread, frame, expression, value)
    ).catch(rethrowRedacted(ctx));
    const { result, type } = fieldsOf(answer);
    const members = await membersOf(thread.session, fieldsOf(answer), boundsOf(depth, ctx));
    const { files } = ctx;
    const whole = String(result ?? '');
    const shown = files.redactor.text(`${expression} = ${shownValue(whole, String(type ?? ''), files)}`);
    const note =
      shown.length > MOST_VALUE && `The value has ${whole.length} characters; ${MOST_VALUE} are shown.`;
    const lines = members.members.length > 0 ? `\n${membersText(members.members, members.more, files)}` : '';
    return text(shown.slice(0, MOST_VALUE) + lines, note);
  },
});

/** Sets a variable of a frame in the way that the adapter has. @throws UserError if it has none */
async function set({ session }: DebugThread, { id }: Frame, expression: string, value: string) {
  const byExpression = await ask(session, 'setExpression', { expression, value, frameId: id }).catch(
    () => undefined,
  );
  if (byExpression) return { ...byExpression, result: byExpression.value };
  const { scopes } = await ask(session, 'scopes', { frameId: id });
  for (const { variablesReference, expensive } of itemsOf(scopes).map(fieldsOf)) {
    if (expensive === true) continue;
    const { variables } = await ask(session, 'variables', { variablesReference });
    if (!itemsOf(variables).some((one) => fieldsOf(one).name === expression)) continue;
    const answer = await ask(session, 'setVariable', { variablesReference, name: expression, value });
    return { ...answer, result: answer.value };
  }
  throw new UserError(
    `This debugger sets variables by name only, and no scope of the frame has "${expression}". Evaluate an assignment instead.`,
  );
}
