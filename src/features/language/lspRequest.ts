import * as z from 'zod';
import { jsonText } from '../../core/json.ts';
import { counted, cutText } from '../../core/text/cut.ts';
import { answerLsp } from '../../services/language/lsp/request.ts';
import * as args from '../arguments.ts';
import { noteOnClosed } from '../symbols/shown.ts';
import { defineReadTool, text } from '../tool.ts';

export const lspRequest = defineReadTool({
  name: 'lsp_request',
  title: 'LSP request in VS Code',
  description:
    'Sends LSP 3.17 requests to the language servers in VS Code, with LSP types and 0-based positions. Use it for what no other tool has: completion, signature help, inlay hints, semantic tokens. Edits are returned, not made.',
  group: 'language',
  hints: { search: 'language server: completion, signature help, hover, folding, inlay hints' },
  input: z.strictObject({
    method: z.string().min(1).describe('Such as "textDocument/hover"'),
    params: z.record(z.string(), z.unknown()).describe('As in LSP; a URI may be a path'),
    limit: args.limit(200),
    maxCharacters: args.maxCharacters,
  }),
  async run(request, ctx, { signal }) {
    const { result, more, closed, why } = await answerLsp(request, ctx, signal);
    const json = jsonText(result);
    const first = cutText(json, request.maxCharacters);
    return text(
      first,
      more > 0 && `${counted(more, 'more item')}: raise limit and maxCharacters.`,
      first !== json &&
        `Not the whole JSON, but ${first.length} of ${json.length} characters: raise maxCharacters.`,
      why,
      noteOnClosed(closed),
    );
  },
});
