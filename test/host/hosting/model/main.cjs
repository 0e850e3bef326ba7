/** A language model that repeats the last message, or calls the first tool. */
const vscode = require('vscode');

const textOf = ({ content }) => content.map((part) => part.value ?? '').join('');

const provider = {
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

exports.activate = ({ subscriptions }) =>
  subscriptions.push(vscode.lm.registerLanguageModelChatProvider('fake', provider));
