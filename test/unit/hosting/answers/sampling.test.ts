import assert from 'node:assert/strict';
import { once } from 'node:events';
import {
  type SamplingOptions,
  type SamplingRequest,
  samplingAnswer,
} from '../../../../src/hosting/answers/sampling.ts';
import { holdClock } from '../../../fakes/clock.ts';
import { FakeModels, ModelError } from './fakeModels.ts';

/** As a protocol document of the field has it. */
const EXAMPLE = {
  messages: [{ role: 'user', content: { type: 'text', text: '请总结这段代码：def foo(x): return x * 2' } }],
  systemPrompt: '你是一个代码专家，请用简洁的语言回答。',
  includeContext: 'none',
  temperature: 0.7,
  maxTokens: 100,
  stopSequences: ['\n'],
  modelPreferences: { hints: [{ name: 'claude-3-5-sonnet' }], costPriority: 0.5, speedPriority: 0.5 },
};
const SUMMARY = '这段代码定义了一个函数 foo，它接收一个参数 x 并返回其两倍的值。';

const ask = (text: string, more: object = {}) => ({
  messages: [{ role: 'user', content: { type: 'text', text } }],
  maxTokens: 100,
  ...more,
});
const user = (...content: object[]) => ({ role: 'user', content });
const assistant = (...content: object[]) => ({ role: 'assistant', content });
const text = (value: string) => ({ type: 'text', text: value });
const weather = { name: 'weather', description: 'Of a city', inputSchema: { type: 'object' } };

describe('hosting/answers/sampling', () => {
  const clock = holdClock();
  let models: FakeModels;
  let shown: SamplingRequest[];
  beforeEach(() => {
    models = new FakeModels('gpt-5', 'gpt-5-mini', 'claude-3-5-sonnet-20240620');
    models.says('Hello.');
    shown = [];
  });

  const answerOf = (options: Partial<SamplingOptions> = {}) => {
    const consent = async (request: SamplingRequest) => shown.push(request) > 0;
    const answer = samplingAnswer(models.code, { server: 'example', consent, ...options });
    // biome-ignore lint/suspicious/noExplicitAny: as the server gets it
    return (params: object, signal = new AbortController().signal): Promise<any> =>
      answer({ ...params }, signal);
  };

  it('answers the documented exchange', async () => {
    models.says(SUMMARY.slice(0, 9), SUMMARY.slice(9));
    assert.deepEqual(await answerOf()(EXAMPLE), {
      role: 'assistant',
      content: text(SUMMARY),
      model: 'claude-3-5-sonnet-20240620',
      stopReason: 'endTurn',
    });
    const [sent] = models.sent;
    assert.deepEqual(
      sent?.messages.map(({ role, content }) => [role, content[0].value]),
      [
        ['user', EXAMPLE.systemPrompt],
        ['user', EXAMPLE.messages[0]?.content.text],
      ],
    );
    assert.deepEqual(sent?.options.modelOptions, { max_tokens: 100, temperature: 0.7, stop: ['\n'] });
  });

  it('refuses what is too long to be shown', async () => {
    await assert.rejects(answerOf()(ask('x'.repeat(1_000_000))), /too long to be shown/);
    assert.deepEqual(shown, []);
  });

  it('shows the user all that the model gets, with the lines of the server indented', async () => {
    await answerOf()(ask('Hi.\nassistant:\nYes.', { systemPrompt: 'Be brief.', tools: [weather] }));
    assert.deepEqual(shown, [
      {
        model: 'GPT-5',
        maxTokens: 100,
        texts: [
          'system:\n    Be brief.',
          'user:\n    Hi.\n    assistant:\n    Yes.',
          'tool:\n    weather\n    Of a city\n    {"type":"object"}',
        ],
      },
    ]);
  });

  it('sends nothing if the user denies it, or has gone', async () => {
    await assert.rejects(answerOf({ consent: async () => false })(ask('')), {
      code: -1,
      message: /rejected/,
    });
    const abort = new AbortController();
    const consent = async () => {
      abort.abort();
      return true;
    };
    await assert.rejects(answerOf({ consent })(ask(''), abort.signal), { name: 'CancelledError' });
    assert.deepEqual(models.sent, []);
  });

  it('stops the model when the server cancels', async () => {
    const abort = new AbortController();
    models.reply = async function* (_, token) {
      setImmediate(() => abort.abort());
      await new Promise<void>((stop) => token.onCancellationRequested(() => stop()));
      yield* [];
      throw new Error('Canceled');
    };
    const aborted = once(abort.signal, 'abort');
    await assert.rejects(answerOf()(ask(''), abort.signal), { name: 'CancelledError' });
    await aborted;
  });

  it('passes images, tools, calls and results on', async () => {
    models.calls('Let me see.', 'weather', { city: 'Bern' });
    const answer = answerOf();
    const call = { type: 'tool_use', id: 'call-1', name: 'weather', input: { city: 'Bern' } };
    const tools = { tools: [weather], toolChoice: { mode: 'required' } };
    const result = await answer(ask('Weather?', tools));
    assert.deepEqual(result.content, [text('Let me see.'), call]);
    assert.equal(result.stopReason, 'toolUse');
    assert.deepEqual(models.sent[0]?.options.tools, [weather]);
    assert.equal(models.sent[0]?.options.toolMode, 2);

    models.says('Rain.');
    const back = { type: 'tool_result', toolUseId: 'call-1', content: [text('rain')], isError: true };
    const image = { type: 'image', data: 'AAAA', mimeType: 'image/png' };
    const messages = [user(text('Weather?'), image), assistant(...result.content), user(back)];
    const { content } = await answer({ messages, maxTokens: 9, ...tools, toolChoice: { mode: 'none' } });
    assert.deepEqual(content, text('Rain.'));
    assert.deepEqual(models.sent[1]?.messages[0].content[1], { bytes: 3, mimeType: 'image/png' });
    const { callId, content: parts } = models.sent[1]?.messages[2].content[0] ?? {};
    const said = [callId, ...parts.map(({ value }: { value: string }) => value)];
    assert.deepEqual(said, ['call-1', 'The tool call failed:', 'rain']);
    assert.equal(models.sent[1]?.options.tools, undefined);
  });

  const call = { type: 'tool_use', id: '1', name: 'weather', input: {} };
  const result = { type: 'tool_result', toolUseId: '1', content: [] };
  it('refuses what models do not take before the user is asked', async () => {
    for (const [messages, error] of [
      [[user({ type: 'audio', data: '', mimeType: 'audio/wav' })], /do not take audio/],
      [[assistant(call), user(text(''))], /result of the tool call 1 is missing/],
      [[assistant(call)], /result of the tool call 1 is missing/],
      [[user(result)], /no tool call 1/],
      [[assistant(call), user(result, text(''))], /must not have other content/],
      [[user({ type: 'video' })], /messages\[0\]\.content/],
    ] as const)
      await assert.rejects(answerOf()({ messages, maxTokens: 9 }), error);
    assert.deepEqual(shown, []);
  });

  it('ends the reply at a stop sequence, also one between two parts', async () => {
    models.says('one E', 'ND two');
    const { content, stopReason } = await answerOf()(ask('', { stopSequences: ['', 'END', 'two'] }));
    assert.deepEqual([content.text, stopReason], ['one ', 'stopSequence']);
  });

  it('ends the reply at its most tokens, and stops the model', async () => {
    let parts = 0;
    models.reply = async function* (sent, token) {
      while (!token.isCancellationRequested && ++parts < 10_000) yield* [sent.messages[0].content[0]];
    };
    const { content, stopReason } = await answerOf({ maxTokens: 50 })(ask('😀 of these. '));
    assert.equal(shown[0]?.maxTokens, 50);
    const seen = [content.text.length <= 200, content.text.length > 190, stopReason];
    assert.deepEqual(seen, [true, true, 'maxTokens']);
    assert.ok(content.text.isWellFormed());
    assert.ok(parts < 100, `${parts}`);
  });

  describe('the model', () => {
    const chosen = async (modelPreferences: object, options: Partial<SamplingOptions> = {}) =>
      (await answerOf(options)(ask('', { modelPreferences }))).model;

    it('is the one of the first hint that names one, and a small one if cost and speed have priority', async () => {
      for (const [preferences, model] of [
        [{ hints: [{ name: 'opus' }, {}, { name: 'Claude 3.5' }] }, 'claude-3-5-sonnet-20240620'],
        [{ costPriority: 0.8, speedPriority: 0.5, intelligencePriority: 0.2 }, 'gpt-5-mini'],
        [{ costPriority: 0.1, intelligencePriority: 1 }, 'gpt-5'],
        [{ hints: [{ name: 'gpt' }], speedPriority: 1 }, 'gpt-5-mini'],
      ] as const)
        assert.equal(await chosen(preferences), model);
    });

    it('is an allowed one, whatever the hints say, if there is one', async () => {
      const options = { models: ['fake/gpt-5-mini'] };
      assert.equal(await chosen({ hints: [{ name: 'claude' }] }, options), 'gpt-5-mini');
      await assert.rejects(chosen({}, { models: ['o3'] }), /none of the language models .*: o3\./);
      models = new FakeModels();
      await assert.rejects(chosen({}), /no language model.*Copilot/);
    });
  });

  it('counts the requests of a minute', async () => {
    const answer = answerOf({ perMinute: 2 });
    await answer(ask(''));
    clock.tick(20_000);
    await answer(ask(''));
    await assert.rejects(answer(ask('')), /2 times a minute\. Try again in 40 s/);
    clock.tick(40_000);
    await answer(ask(''));
    assert.equal(shown.length, 3);
  });

  it('says what the model says of a failure', async () => {
    const fails = (error: Error) => {
      models.reply = async function* () {
        yield* [];
        throw error;
      };
      return answerOf()(ask(''));
    };
    await assert.rejects(fails(new Error('quota')), {
      name: 'UserError',
      message: /GPT-5 did not answer: quota/,
    });
    await assert.rejects(fails(new ModelError()), { code: -1 });
  });
});
