import type { GetPromptResult, Prompt } from '@modelcontextprotocol/server';
import { fieldsOf } from '../../core/json.ts';
import { type Hosted, namesInList } from '../../hosting/index.ts';
import type { Argument, Call, Completion } from '../call.ts';
import type { Context } from '../context.ts';
import type { PromptProvider } from '../features.ts';
import { send, sendAsking } from './request.ts';
import { redactedItems } from './shown.ts';

/** The prompts of the hosted servers: `mysql__explain`. */
export const hostedPrompts: PromptProvider = {
  async list(ctx) {
    return ctx.hosted.all.flatMap((server) => {
      const names = namesOf(server);
      const prompts = (server.catalogue?.prompts ?? []).map(
        (prompt) => ({ ...prompt, name: names.get(`${prompt.name}`) }) as Prompt,
      );
      return redactedItems(prompts, 'name', ctx);
    });
  },

  async get(name, args, ctx, call) {
    const found = find(name, ctx);
    if (!found) return undefined;
    const { server, own } = found;
    const params = { name: own, arguments: args };
    const outcome = await sendAsking(server, ['prompts/get', params], ctx, call, { readOnly: true });
    return 'asks' in outcome ? outcome.asks : (outcome.result as GetPromptResult);
  },

  async complete(name, argument, ctx, call) {
    const found = find(name, ctx);
    return found && complete(found.server, { type: 'ref/prompt', name: found.own }, argument, ctx, call);
  },

  watch: (ctx, onList) => ctx.hosted.onDidChangeLists(onList) as { dispose(): void },
};

/** Values of an argument, as the server sends them. */
export async function complete(
  server: Hosted,
  ref: object,
  { name, value, others }: Argument,
  ctx: Context,
  call: Call,
): Promise<Completion> {
  const more = Object.keys(others).length > 0 ? { context: { arguments: others } } : {};
  const params = { ref, argument: { name, value }, ...more };
  const answer = await send(server, ['completion/complete', params], ctx, call, { readOnly: true });
  return fieldsOf(answer).completion as Completion;
}

function find(name: string, ctx: Context): { server: Hosted; own: string } | undefined {
  const [slug = ''] = name.split('__', 1);
  const server = ctx.hosted.find(slug);
  const own = server && [...namesOf(server)].find(([, hosted]) => hosted === name)?.[0];
  return own === undefined || !server ? undefined : { server, own };
}

const namesOf = ({ slug, catalogue }: Hosted): Map<string, string> =>
  namesInList(slug, catalogue?.prompts ?? []);
