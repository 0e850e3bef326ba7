import * as z from 'zod';
import { UserError } from '../../core/errors.ts';
import { fieldsOf } from '../../core/json.ts';
import {
  CHECK,
  CHECK_USERS,
  CONTENT_MODIFIED,
  DOOR_TOOL,
  type DoorAnswer,
  isDoorName,
  LANGUAGES,
  REQUEST_FAILED,
  SERVER_CANCELLED,
} from '../../core/lsp/door.ts';
import { switchedOff } from '../../core/windowTools.ts';
import { servedLanguages } from '../../services/language/servedLanguages.ts';
import type { Context } from '../context.ts';
import { getDiagnostics } from '../language/getDiagnostics.ts';
import { lspRequest } from '../language/lspRequest.ts';
import { LOOKS_ONLY, type Tool, type ToolSource, Unchecked } from '../tool.ts';
import { ClientTexts, DifferingText } from './clientTexts.ts';
import { checkFile, checkUsers, diagnosticsOf, PendingError } from './problems.ts';
import { type Answer, answerRequest, noted } from './requests.ts';

const input = z.object({
  method: z.string(),
  params: z.record(z.string(), z.unknown()),
  open: z.record(z.string(), z.string()),
  texts: z.record(z.string(), z.string()).optional(),
});

type Asked = z.output<typeof input>;

const uris = z.array(z.string());
const checked = z.object({ uri: z.string() });
const used = z.object({ uris, known: uris });

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
  const texts = await ClientTexts.of(ctx, asked.open, asked.texts);
  const answer = await answerTo(asked, texts, ctx, signal).catch((error): DoorAnswer => {
    if (!(error instanceof UserError)) throw error;
    return { error: { code: codeOf(error), message: error.message } };
  });
  return texts.needed.size > 0 ? { needs: [...texts.needed] } : answer;
}

function codeOf(error: UserError): number {
  if (error instanceof PendingError) return SERVER_CANCELLED;
  return error instanceof DifferingText ? CONTENT_MODIFIED : REQUEST_FAILED;
}

async function answerTo(
  { method, params }: Asked,
  texts: ClientTexts,
  ctx: Context,
  signal: AbortSignal,
): Promise<Answer> {
  if (method === LANGUAGES) return { result: servedLanguages(ctx.vscode) };
  if (method === CHECK) return told(await checkFile(checked.parse(params).uri, texts, ctx, signal));
  if (method === CHECK_USERS) {
    const { uris, known } = used.parse(params);
    return told(await checkUsers(uris, known, texts, ctx, signal));
  }
  if (method === 'textDocument/diagnostic') {
    const location = await ctx.files.locateUri(`${fieldsOf(params.textDocument).uri}`);
    const items = await diagnosticsOf(location, 'hint', texts, ctx, signal);
    return { result: { kind: 'full', items } };
  }
  return answerRequest(method, params, texts, ctx, signal);
}

const told = ({ files, notes }: Awaited<ReturnType<typeof checkFile>>): Answer => ({
  result: files,
  ...noted(...notes),
});

const isFor = ({ author }: Context): boolean => isDoorName(author().agent);

/** In no list. A session of `shim.js lsp` takes a changed list for other languages, or other texts. */
export const doorSource: ToolSource = {
  list: () => ({ listed: [], hidden: [] }),
  find: (name) => (name === DOOR_TOOL ? languageServer : undefined),
  watch(ctx, onList) {
    const { extensions, workspace, Disposable } = ctx.vscode;
    const changed = () => {
      if (isFor(ctx)) onList();
    };
    // So VS Code tells that a text was saved, or taken back to that of the disk.
    const becomesClean = workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (contentChanges.length === 0 && !document.isDirty) changed();
    });
    return Disposable.from(extensions.onDidChange(changed), becomesClean);
  },
};
