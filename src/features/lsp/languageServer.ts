import * as z from 'zod';
import { UserError } from '../../core/errors.ts';
import { type Fields, fieldsOf } from '../../core/json.ts';
import {
  CHECK,
  CHECK_USERS,
  CONTENT_MODIFIED,
  DOOR_TOOL,
  type DoorAnswer,
  isDoorName,
  LANGUAGES,
  REQUEST_FAILED,
} from '../../core/lsp/door.ts';
import { switchedOff } from '../../core/windowTools.ts';
import { servedLanguages } from '../../services/language/servedLanguages.ts';
import type { Context } from '../context.ts';
import { getDiagnostics } from '../language/getDiagnostics.ts';
import { lspRequest } from '../language/lspRequest.ts';
import { LOOKS_ONLY, type Tool, type ToolSource, Unchecked } from '../tool.ts';
import { ClientTexts, DifferingText } from './clientTexts.ts';
import { checkFiles, checkUsers, diagnosticsOf } from './problems.ts';
import { type Answer, answerRequest, noted } from './requests.ts';

const input = z.object({
  method: z.string(),
  params: z.record(z.string(), z.unknown()),
  open: z.record(z.string(), z.string()),
  texts: z.record(z.string(), z.string()).optional(),
});

type Asked = z.output<typeof input>;

const uris = z.array(z.string());
const checkParams = z.object({ uris, known: uris.default([]) });

/** What `shim.js lsp` calls for its client. To a model it would be `lsp_request` with other texts. */
const languageServer: Tool = {
  name: DOOR_TOOL,
  title: 'Language server',
  description: 'For `shim.js lsp`. Models use lsp_request.',
  group: 'language',
  operation: 'read',
  annotations: LOOKS_ONLY,
  input,
  requireOn(ctx) {
    for (const tool of [lspRequest, getDiagnostics]) {
      const setting = ctx.switches.offBy(tool);
      if (setting) throw new UserError(switchedOff(tool.name, setting));
    }
  },
  async run(asked: Asked, ctx, { signal }) {
    const structuredContent = await answered(asked, ctx, signal);
    return new Unchecked({ content: [], structuredContent });
  },
};

async function answered(asked: Asked, ctx: Context, signal: AbortSignal): Promise<DoorAnswer> {
  const texts = new ClientTexts(ctx, asked.open, asked.texts);
  try {
    const answer = await answerTo(asked, texts, ctx, signal);
    return texts.needed.size > 0 ? { needs: [...texts.needed] } : answer;
  } catch (error) {
    if (texts.needed.size > 0) return { needs: [...texts.needed] };
    if (!(error instanceof UserError)) throw error;
    const code = error instanceof DifferingText ? CONTENT_MODIFIED : REQUEST_FAILED;
    return { error: { code, message: error.message } };
  }
}

async function answerTo(
  asked: Asked,
  texts: ClientTexts,
  ctx: Context,
  signal: AbortSignal,
): Promise<Answer> {
  const { method, params } = asked;
  if (method === LANGUAGES) return { result: servedLanguages(ctx.vscode) };
  if (method === CHECK || method === CHECK_USERS) {
    const { uris, known } = checkParams.parse(params);
    const { files, notes } =
      method === CHECK
        ? await checkFiles(uris, texts, ctx, signal)
        : await checkUsers(uris, known, texts, ctx, signal);
    return { result: files, ...noted(...notes) };
  }
  if (method === 'textDocument/diagnostic') return pulled(params, texts, ctx, signal);
  return answerRequest(method, params, texts, ctx, signal);
}

async function pulled(
  params: Fields,
  texts: ClientTexts,
  ctx: Context,
  signal: AbortSignal,
): Promise<Answer> {
  const { uri } = fieldsOf(params.textDocument);
  const location = await ctx.files.locateUri(`${uri}`);
  const items = await diagnosticsOf(location, texts, ctx, signal);
  return { result: { kind: 'full', items } };
}

const isFor = ({ author }: Context): boolean => isDoorName(author().agent);

/** In no list. A session of `shim.js lsp` takes a changed list for other languages. */
export const doorSource: ToolSource = {
  list: () => ({ listed: [], hidden: [] }),
  find: (name) => (name === DOOR_TOOL ? languageServer : undefined),
  watch: (ctx, onList) =>
    ctx.vscode.extensions.onDidChange(() => {
      if (isFor(ctx)) onList();
    }),
};
