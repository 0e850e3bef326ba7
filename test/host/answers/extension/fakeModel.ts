/** A language model that repeats the last message, or calls the first tool. */
import * as vscode from 'vscode';

/** As VS Code 1.104 has it; our oldest one does not. */
interface Provider {
  provideLanguageModelChatInformation(): object[];
  provideLanguageModelChatResponse(
    model: object,
    messages: readonly vscode.LanguageModelChatMessage[],
    options: vscode.LanguageModelChatRequestOptions,
    progress: vscode.Progress<unknown>,
  ): Promise<void>;
  provideTokenCount(model: object, text: unknown): Promise<number>;
}

const provider: Provider = {
  provideLanguageModelChatInformation: () => [
    {
      ...{ id: 'fake-1', name: 'Fake Model', family: 'fake', version: '1' },
      ...{ maxInputTokens: 10_000, maxOutputTokens: 10_000, capabilities: { toolCalling: true } },
    },
  ],
  provideLanguageModelChatResponse: async (_model, messages, { tools = [] }, progress) => {
    const [tool] = tools;
    if (tool) progress.report(new vscode.LanguageModelToolCallPart('call-1', tool.name, { city: 'Bern' }));
    else
      for (const text of ['You said: ', textOf(messages.at(-1))])
        progress.report(new vscode.LanguageModelTextPart(text));
  },
  provideTokenCount: async (_model, text) => String(text).length,
};

const textOf = (message: vscode.LanguageModelChatMessage | undefined): string =>
  (message?.content ?? []).map((part) => (part as { value?: string }).value ?? '').join('');

export const registerFakeModel = (): vscode.Disposable =>
  (
    vscode.lm as unknown as {
      registerLanguageModelChatProvider(vendor: string, provider: Provider): vscode.Disposable;
    }
  ).registerLanguageModelChatProvider('fake', provider);
