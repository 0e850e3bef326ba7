import { HOOK_PROGRAMS } from '../../core/hooks/hookPrograms.ts';
import type { Launch } from '../program.ts';
import type { Hook } from './hook.ts';

/**
 * The module that opencode loads. It adds what the window answers to the prompt and to results of tools. It never throws, and waits no
 * longer than a hook of another agent.
 */
export function openCodeModule({ command, shim, env }: Launch, hooks: readonly Hook[]): string {
  const limits = Object.fromEntries(hooks.map(({ event, limit }) => [event, limit]));
  return `// Made by "Workspace MCP: Connect Agent", which also removes it. Tells VS Code what opencode does, and opencode what is new there.
import { spawn } from 'node:child_process';

const COMMAND = ${JSON.stringify([command, shim, 'hook', 'opencode'])};
const VARIABLES = ${JSON.stringify(env)};
const TOOLS = /^(?:${HOOK_PROGRAMS.opencode.tools})$/;
const LIMITS = ${JSON.stringify(limits)};

/** What the window has to say; empty if it says nothing, or something fails. */
const ask = (moment, payload, began = () => {}) =>
  new Promise((resolve) => {
    try {
      const [program, ...words] = COMMAND;
      const child = spawn(program, [...words, moment], {
        env: { ...process.env, ...VARIABLES },
        stdio: ['pipe', 'pipe', 'ignore'],
        timeout: LIMITS[moment],
        windowsHide: true,
      });
      began(child);
      let text = '';
      child.stdout.setEncoding('utf8').on('data', (more) => (text += more));
      child.stdin.on('error', () => {});
      child.on('error', () => resolve(''));
      child.on('close', () => {
        try {
          resolve(JSON.parse(text).context ?? '');
        } catch {
          resolve('');
        }
      });
      child.stdin.end(JSON.stringify(payload));
    } catch {
      resolve('');
    }
  });

/** Runs while a session is idle: what the user sends to it from VS Code is its next prompt. */
let waiter;
process.on('exit', () => waiter?.kill());
const ended = async (sessionID, directory, client) => {
  const { data } = (await client.session.get({ path: { id: sessionID } }).catch(() => {})) ?? {};
  if (data?.parentID) return; // a helper of another session
  const session = { sessionID, cwd: directory };
  const goOn = await ask('stop', session);
  waiter?.kill();
  const text = goOn || (await ask('wait', session, (child) => (waiter = child)));
  if (text) await client.session.promptAsync({ path: { id: sessionID }, body: { parts: [{ type: 'text', text }] } });
};

export const WorkspaceMcp = async ({ client, directory }) => ({
  'chat.message': async ({ sessionID }, output) => {
    const part = output?.parts?.find(({ type, synthetic }) => type === 'text' && !synthetic);
    const context = part && (await ask('prompt', { sessionID, cwd: directory, prompt: part.text }));
    if (context) part.text += \`\\n\\n\${context}\`;
  },
  'tool.execute.before': async ({ tool, sessionID, callID }, output) => {
    if (TOOLS.test(tool)) await ask('before', { sessionID, cwd: directory, tool, callID, args: output?.args });
  },
  'tool.execute.after': async ({ tool, sessionID, callID, args }, output) => {
    const context = TOOLS.test(tool) && (await ask('after', { sessionID, cwd: directory, tool, callID, args }));
    if (context && typeof output?.output === 'string') output.output += \`\\n\\n\${context}\`;
  },
  event: async ({ event }) => {
    const sessionID = event?.type === 'session.idle' && event.properties?.sessionID;
    if (sessionID) ended(sessionID, directory, client).catch(() => {});
  },
});
`;
}
