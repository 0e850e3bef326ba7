/** VS Code's language models: what they get is kept, and they reply what the test says. */
import type * as vscode from 'vscode';
import type { SamplingCode } from '../../../../src/hosting/answers/sampling.ts';
import { values } from '../../../fakes/values.ts';
import { english } from '../english.ts';

/** A class whose instances have the values that its constructor gets, by these names. */
const classOf = (...names: string[]) =>
  class {
    constructor(...values: unknown[]) {
      Object.assign(this, Object.fromEntries(names.map((name, index) => [name, values[index]])));
    }
  };
const TextPart = classOf('value');
const CallPart = classOf('callId', 'name', 'input');
const ResultPart = classOf('callId', 'content');

const message = (role: string) => (content: unknown) => ({
  role,
  content: typeof content === 'string' ? [new TextPart(content)] : content,
});

export class ModelError extends Error {
  static NoPermissions = { name: 'NoPermissions' };
  code = 'NoPermissions';
}

// biome-ignore lint/suspicious/noExplicitAny: requests as the model gets them
type Sent = { model: string; messages: any[]; options: any };

export class FakeModels {
  readonly sent: Sent[] = [];
  /** Parts of each reply. A text has a token for each four characters. */
  reply: (sent: Sent, token: vscode.CancellationToken) => AsyncIterable<unknown> = async function* () {};

  readonly code: SamplingCode;

  /** @param names ids of the models */
  constructor(...names: string[]) {
    const models = names.map((id) => ({
      id,
      family: id,
      name: id.toUpperCase(),
      vendor: 'fake',
      countTokens: async (text: string) => Math.ceil(text.length / 4),
      sendRequest: async (messages: unknown[], options: object, token: vscode.CancellationToken) => {
        const sent = { model: id, messages, options };
        this.sent.push(sent);
        return { stream: this.reply(sent, token) };
      },
    }));
    this.code = {
      lm: { selectChatModels: async () => models },
      l10n: english,
      LanguageModelChatMessage: { User: message('user'), Assistant: message('assistant') },
      LanguageModelTextPart: TextPart,
      LanguageModelToolCallPart: CallPart,
      LanguageModelToolResultPart: ResultPart,
      LanguageModelChatToolMode: { Auto: 1, Required: 2 },
      LanguageModelDataPart: {
        image: (data: Uint8Array, mimeType: string) => ({ bytes: data.length, mimeType }),
      },
      LanguageModelError: ModelError,
      CancellationTokenSource: values.CancellationTokenSource,
    } as unknown as SamplingCode;
  }

  /** Replies with these texts, a part each. */
  says(...texts: string[]): void {
    this.reply = async function* () {
      for (const text of texts) yield new TextPart(text);
    };
  }

  /** Replies with a text and a tool call. */
  calls(text: string, name: string, input: object): void {
    this.reply = async function* () {
      yield new TextPart(text);
      yield new CallPart('call-1', name, input);
    };
  }
}
