import type {
  CreateMessageRequestParams,
  SamplingMessageContentBlock,
  Tool,
} from '@modelcontextprotocol/server';
import type * as vscode from 'vscode';
import type { LanguageModelChat } from 'vscode';
import { throwIfCancelled, UserError } from '../../core/errors.ts';
import { allVisible } from '../../core/text/visible.ts';
import { clock } from '../../util/clock.ts';
import type { QuestionHandler } from '../connection/asked.ts';
import { askModel, type ModelCode } from './askModel.ts';
import { blocksOf, chatMessages, samplingParams } from './chatMessages.ts';
import { rejected } from './refusals.ts';

const REQUESTS_PER_MINUTE = 10;

const REPLY_TOKENS = 16_384;

/** Most UTF-16 units of all that the model gets: the user has to see it. */
const SHOWN_LENGTH = 1_000_000;

/** What the user decides about. Texts of the server are not escaped. */
export interface SamplingRequest {
  /** The messages, the system prompt and the tools, as the model would get them. */
  texts: readonly string[];
  /** The name of the model, for the user. */
  model: string;
  maxTokens: number;
}

export interface SamplingOptions {
  /** The server's name, for VS Code's own question. */
  server: string;
  /** Asks the user. @returns whether the model may be asked. @throws CancelledError once the signal is aborted */
  consent(request: SamplingRequest, signal: AbortSignal): Promise<boolean>;
  /** Ids, families or `vendor/id` of the models that the server may use; by default all. */
  models?: readonly string[] | undefined;
  /** Most tokens of one reply; 16,384 by default. */
  maxTokens?: number | undefined;
  /** Most requests within a minute, those that the user denies included; 10 by default. */
  perMinute?: number | undefined;
}

export type SamplingCode = ModelCode & Pick<typeof vscode, 'lm' | 'l10n'>;

/**
 * Answers `sampling/createMessage` with VS Code's language models. `includeContext` is ignored, as the specification allows.
 * One answer for each server, because it counts the server's requests.
 */
export function samplingAnswer(code: SamplingCode, options: SamplingOptions): QuestionHandler {
  const {
    server,
    consent,
    models,
    perMinute = REQUESTS_PER_MINUTE,
    maxTokens: most = REPLY_TOKENS,
  } = options;
  const requireFew = limitOf(perMinute);
  return async (params, signal) => {
    const sent = samplingParams(params);
    requireFew();
    chatMessages(code, sent); // what the model cannot take is refused before the user is asked
    const model = chooseModel(await code.lm.selectChatModels(), sent.modelPreferences, models);
    const request = { ...sent, maxTokens: Math.min(sent.maxTokens, most) };
    const { maxTokens } = request;
    const texts = shownMessages(request);
    if (texts.reduce((sum, { length }) => sum + length, 0) > SHOWN_LENGTH)
      throw new UserError(
        `The messages are too long to be shown to the user (${SHOWN_LENGTH} characters). Send less.`,
      );
    const isAllowed = await consent({ texts, model: model.name, maxTokens }, signal);
    throwIfCancelled(signal);
    if (!isAllowed) throw rejected('User rejected sampling request');
    const justification = code.l10n.t('The MCP server {0} asks a language model.', allVisible(server));
    return await askModel(code, { model, request, justification }, signal);
  };
}

/** What of a model is needed to choose it. */
type ModelNames = Pick<LanguageModelChat, 'id' | 'family' | 'name' | 'vendor'>;

/**
 * The model for a request: the first hint that names one decides, then the priorities. VS Code does not say what models cost, so
 * small ones are recognized by their names.
 *
 * @param allowed ids or families, `vendor/id` too; by default all
 * @throws UserError if there is no allowed model
 */
function chooseModel<M extends ModelNames>(
  models: readonly M[],
  preferences: CreateMessageRequestParams['modelPreferences'] = {},
  allowed?: readonly string[],
): M {
  if (models.length === 0)
    throw new UserError(
      'VS Code has no language model. Ask the user to install or sign in to an extension that offers one, such as GitHub Copilot.',
    );
  const usable = models.filter((model) => !allowed || namesOf(model).some((name) => allowed.includes(name)));
  const hinted = (preferences.hints ?? [])
    .map(({ name }) => usable.filter((model) => name && matches(model, name)))
    .find((found) => found.length > 0);
  const { costPriority = 0, speedPriority = 0, intelligencePriority = 0 } = preferences;
  const isSmallBetter = costPriority + speedPriority > 2 * intelligencePriority;
  const candidates = hinted ?? usable;
  const [first] = candidates;
  if (!first)
    throw new UserError(
      `VS Code offers none of the language models that this server may use: ${allowed?.join(', ')}.`,
    );
  return candidates.find((model) => isSmall(model) === isSmallBetter) ?? first;
}

const namesOf = ({ id, family, vendor }: ModelNames): string[] => [id, family, `${vendor}/${id}`];

/** `claude-3-5-sonnet` and `Claude 3.5 Sonnet` are the same model to those who write hints. */
const matches = ({ id, family, name }: ModelNames, hint: string): boolean =>
  [id, family, name].some((one) => plain(one).includes(plain(hint)));

const plain = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');

const isSmall = ({ id, family, name }: ModelNames): boolean =>
  /\b(mini|nano|flash|haiku|lite|small|fast|turbo)\b/i.test(`${id} ${family} ${name}`);

const MINUTE_MS = 60_000;

/** Call it for each request. @param most requests within any minute. @returns what throws a UserError if there were too many */
function limitOf(most: number): () => void {
  let times: number[] = [];
  return () => {
    const now = clock.now();
    times = times.filter((time) => time > now - MINUTE_MS);
    const [first = now] = times;
    if (times.length >= most)
      throw new UserError(
        `This server may ask a language model ${most} times a minute. Try again in ${Math.ceil((first + MINUTE_MS - now) / 1_000)} s.`,
      );
    times.push(now);
  };
}

/** All that the model would get, as texts for the user, each with a heading. Not yet escaped. */
function shownMessages({ systemPrompt, messages, tools = [] }: CreateMessageRequestParams): string[] {
  return [
    ...(systemPrompt ? [part('system', systemPrompt)] : []),
    ...messages.map((message) => part(message.role, blocksOf(message).map(shownBlock).join('\n'))),
    ...tools.map((tool) => part('tool', shownTool(tool))),
  ];
}

const part = (heading: string, text: string): string => `${heading}:\n${text.replaceAll(/^/gm, '    ')}`;

function shownBlock(block: SamplingMessageContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'image':
    case 'audio':
      return `[${block.type}, ${block.mimeType}, ${Buffer.byteLength(block.data, 'base64')} bytes]`;
    default:
      return JSON.stringify(block, undefined, 2);
  }
}

const shownTool = ({ name, description = '', inputSchema }: Tool): string =>
  `${name}\n${description}\n${JSON.stringify(inputSchema)}`;
