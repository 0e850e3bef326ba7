import {
  type CallToolResult,
  type InputRequiredResult,
  isInputRequiredResult,
  ProtocolError,
  type Result,
  Server,
} from '@modelcontextprotocol/server';
import type { Operation } from '../access/accessSettings.ts';
import { isPlainChange } from '../access/consent/changes.ts';
import { takesForms } from '../access/consent/form.ts';
import type { Approver, Inquirer, PlannedAction, WaitingCall } from '../access/consent/types.ts';
import { CALL_TOOL, calledBy } from '../core/calledTool.ts';
import { CancelledError, UserError } from '../core/errors.ts';
import { wholePage } from '../core/page.ts';
import { switchedOff } from '../core/windowTools.ts';
import type { Call, Context } from '../features/context.ts';
import { type Tool, type ToolCallParams, Unchecked, withNote } from '../features/tool.ts';
import { clock } from '../util/clock.ts';
import { blockedBy } from './blocked.ts';
import { hasApps, refusedUnlisted } from './closedToApps.ts';
import { cursorParams, type Serve, type ServedConnection } from './connection.ts';
import { invalidParams, messageFor, reportError } from './errors.ts';
import { withCall } from './requestCall.ts';
import { takesTasks } from './taskMethods.ts';
import { entriesFor, searchTools, toolsFor } from './toolList.ts';
import { validate } from './toolSchema.ts';

/** `tools/list` and `tools/call`. The SDK checks the params of calls itself. */
export function serveTools(serve: Serve, connection: ServedConnection): void {
  const { server, ctx, features, roots } = connection;
  const { toolSources = [] } = features;
  const tools = new Map(features.tools.map((tool) => [tool.name, tool]));
  /** One of the two that reach hidden tools. */
  const searching = (name: string): Tool | undefined =>
    searchTools(toolsFor(features, ctx)).find((tool) => tool.name === name);
  /** The tool of a call, and the call that it stands for. */
  const meantBy = (given: ToolCallParams): { tool: Tool | undefined; params: ToolCallParams } => {
    const isCalling = given.name === CALL_TOOL.name && !ctx.switches.offBy(CALL_TOOL);
    const inner = isCalling ? calledBy({ ...given }) : undefined;
    const asked = inner ?? given;
    let found = tools.get(asked.name);
    for (const source of toolSources) found ??= source.find(asked.name, ctx);
    const tool = found ?? searching(asked.name);
    // Only apps call some, by their names: models find no such tool.
    if (!tool || (inner && tool.apps === 'only')) return { tool: searching(given.name), params: given };
    const requireBothOn = (now: Context) => {
      const setting = inner && now.switches.offBy(CALL_TOOL);
      if (setting) throw new UserError(switchedOff(CALL_TOOL.name, setting));
      tool.requireOn?.(now);
    };
    return { tool: inner ? { ...tool, requireOn: requireBothOn } : tool, params: asked };
  };
  /** Why an app of a hosted server is not to make a call. */
  const closed = (name: string): UserError | undefined => {
    const own = toolsFor(features, ctx);
    if (!hasApps(own.listed, ctx)) return undefined;
    const isOfSource = !tools.has(name) && toolSources.some((source) => source.find(name, ctx));
    return refusedUnlisted(name, own, isOfSource);
  };
  const list = async ({ cursor }: { cursor?: string | undefined }) => {
    await ctx.switches.known();
    return wholePage('tools', entriesFor(features, ctx), ({ name }) => name, cursor);
  };
  serve('tools/list', cursorParams, list, { isForAnyRoots: true });
  server.setRequestHandler('tools/call', ({ params: given }, context) =>
    withCall(context, given.name, connection, async (call) => {
      await roots.known();
      const { tool, params } = meantBy(given);
      const refusal = tool && ctx.hosted.showsApps ? closed(given.name) : undefined;
      const meant = tool && refusal ? { ...tool, run: () => Promise.reject(refusal) } : tool;
      const perform = (own: Call) => callTool(meant, params, connection, own);
      const result = takesTasks(connection, call) ? connection.tasks.run(call, perform) : perform(call);
      // What is unchecked passes around the SDK's types as well.
      return (await result) as CallToolResult;
    }),
  );
}

/**
 * Every tool call: check that it is on and the access policy, validate, run, shape the result or error. The tool asks for approval
 * through its `call`. Its errors become results with `isError`, because the model reads those.
 *
 * @throws ProtocolError −32602 if there is no such tool; CancelledError
 */
export async function callTool(
  tool: Tool | undefined,
  { name, arguments: given }: ToolCallParams,
  connection: Pick<ServedConnection, 'ctx' | 'approvals' | 'grantee'>,
  call: Call,
): Promise<CallToolResult | InputRequiredResult | Unchecked> {
  if (!tool) throw invalidParams(`Unknown tool "${name}". See tools/list.`);
  const { ctx } = connection;
  const started = clock.now();
  try {
    const requireMayRun = () => {
      const blocked = blockedBy(tool, ctx);
      if (blocked) throw blocked;
      tool.requireOn?.(ctx);
    };
    requireMayRun();
    const args = validate(tool, given ?? {});
    const getsProgress = call.meta?.progressToken !== undefined;
    const waiting = {
      signal: call.signal,
      requireOn: requireMayRun,
      ...(getsProgress && { progress: call.progress }),
      ...(call.becomeTask && { becomeTask: call.becomeTask }),
      ...(takesForms(call.input.capabilities) && call.form && { form: call.form }),
    };
    const { requireAsked, ...approver } = approvalOf(tool, args, connection, waiting);
    const isRestored = await ctx.files.restored();
    const result = await tool.run(args as never, ctx, { ...call, ...approver, tool: name });
    requireAsked();
    const done = `${name} done in ${(clock.now() - started).toFixed(1)} ms`;
    ctx.log.debug(done);
    call.log('debug', done);
    if (result instanceof Unchecked) return result;
    const notes = [isRestored ? undefined : NOT_RESTORED, ctx.files.place.note()].filter(Boolean).join(' ');
    return notes ? withNote(result, notes) : result;
  } catch (error) {
    if (error instanceof CancelledError || error instanceof ProtocolError) throw error;
    reportError(ctx.log, call, name, error);
    return { content: [{ type: 'text', text: messageFor(error, name) }], isError: true };
  }
}

const NOT_RESTORED =
  'VS Code is still restoring the editors of this window: unsaved text may be missing. Ask again in a few seconds.';

/** What could be done, but not answered, if a pattern of redaction cannot be used: it is not begun. */
const UNREAD: ReadonlySet<Operation> = new Set(['run', 'command', 'server']);

/**
 * The one place where tools ask for approval: every operation other than reading needs it. `requireAsked` is called when
 * the tool has answered.
 *
 * @throws Error if a read-only call asks, or another call answers without asking: a bug in the tool
 */
export function approvalOf(
  tool: Tool,
  args: unknown,
  { approvals, grantee, ctx }: Pick<ServedConnection, 'approvals' | 'grantee' | 'ctx'>,
  waiting: WaitingCall,
): Approver & Inquirer & { requireAsked(): void } {
  const { name } = tool;
  const requireMayBegin = () => {
    waiting.requireOn?.();
    if (UNREAD.has(tool.operation)) ctx.files.redactor.redaction.require();
  };
  const isNeeded = tool.operation !== 'read' && tool.onlyLooks?.(args as never) !== true;
  let isAsked = false;
  const request = (action: PlannedAction) => {
    if (!isNeeded) throw new Error(`${name} asks for approval of a read-only call`);
    return { ...action, tool: name };
  };
  /** Whether the user has just accepted it in a diff editor, which may hide differences in white space. */
  let isAccepted: ((action: PlannedAction) => boolean) | undefined;
  return {
    async propose(proposal) {
      const decision = await approvals.propose(
        proposal,
        request({ kind: 'edit', subject: '' }).tool,
        grantee,
        waiting,
      );
      isAsked = true;
      if (decision && 'accepted' in decision)
        isAccepted = ({ diffs: [diff, ...others] = [] }) =>
          others.length === 0 && !diff?.guard && diff?.path === proposal.path && isPlainChange(diff);
      return decision;
    },
    async approve(action) {
      if (isAccepted?.(action)) {
        approvals.isAllowed(request(action), grantee, waiting);
        return 'allowed';
      }
      const consent = await approvals.approve(request(action), grantee, {
        ...waiting,
        requireOn: requireMayBegin,
      });
      isAsked = true;
      return consent;
    },
    inquire: (inquiry) => approvals.inquire(inquiry, grantee, waiting),
    isAllowed: (action) =>
      approvals.isAllowed(request(action), grantee, waiting) || isAccepted?.(action) === true,
    skipQuestion(action) {
      if (action) approvals.isAllowed({ ...action, tool: name }, grantee, waiting);
      isAsked = true;
    },
    requireAsked() {
      if (isNeeded && !isAsked) throw new Error(`${name} answered without asking for approval`);
    },
  };
}

type Handler = Parameters<Server['_wrapHandler']>[1];

const EMPTY: Result = { content: [] };

/**
 * The SDK checks results of tools: those of hosted servers would lose fields and contents that it does not know, and our own are right
 * by their types. So they pass around it; requests for input do not.
 */
export class PassingServer extends Server {
  protected override _wrapHandler(method: string, handler: Handler): Handler {
    if (method !== 'tools/call') return super._wrapHandler(method, handler);
    return async (request, context) => {
      let passed: Result | undefined;
      const checked = super._wrapHandler(method, async (...given) => {
        const result: unknown = await handler(...given);
        if (isInputRequiredResult(result)) return result;
        passed = (result instanceof Unchecked ? result.result : result) as Result;
        return EMPTY;
      });
      const result = await checked(request, context);
      return passed ?? result;
    };
  }
}
