/** The APIs of models, as far as declared tools, one call and last words need them. */
import type { Call, Declared, Reply } from './scriptedModel.ts';

// biome-ignore lint/suspicious/noExplicitAny: whatever the programs send
export type Body = any;

export interface Api {
  /** Matches the path of its requests. */
  path: RegExp;
  tools(body: Body): Declared[];
  /** Results of the calls, oldest first. */
  results(body: Body): unknown[];
  whole(reply: Reply): object;
  /** The whole reply as the events of a stream. */
  events(reply: Reply): unknown[];
}

const declared = ({ name, type, defer_loading }: Body): Declared => ({
  name: name ?? type,
  ...(defer_loading && { isDeferred: true }),
});

const NAMES = { id: 'answer_1', model: 'scripted', created: 1 };

/** platform.claude.com/docs/en/build-with-claude/streaming. */
const messages: Api = {
  path: /\/v1\/messages$/,
  tools: ({ tools = [] }) => tools.map(declared),
  results: ({ messages }) =>
    messages
      .flatMap(({ content }: Body) => (Array.isArray(content) ? content : []))
      .filter(({ type }: Body) => type === 'tool_result'),
  whole: (reply) => ({
    ...NAMES,
    type: 'message',
    role: 'assistant',
    usage: { input_tokens: 1, output_tokens: 1 },
    content: [
      'call' in reply
        ? { type: 'tool_use', id: reply.id, name: reply.call.name, input: reply.call.arguments }
        : { type: 'text', text: reply.text },
    ],
    stop_reason: 'call' in reply ? 'tool_use' : 'end_turn',
  }),
  events(reply) {
    const { content, stop_reason, ...message }: Body = messages.whole(reply);
    const [block] = content;
    const { text = '', input } = block;
    const empty = 'call' in reply ? { ...block, input: {} } : { ...block, text: '' };
    const delta =
      'call' in reply
        ? { type: 'input_json_delta', partial_json: JSON.stringify(input) }
        : { type: 'text_delta', text };
    return [
      { type: 'message_start', message: { ...message, content: [], stop_reason: null } },
      { type: 'content_block_start', index: 0, content_block: empty },
      { type: 'content_block_delta', index: 0, delta },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason }, usage: message.usage },
      { type: 'message_stop' },
    ];
  },
};

/** platform.openai.com/docs/api-reference/responses-streaming. */
const responses: Api = {
  path: /\/responses$/,
  tools: ({ tools = [] }) =>
    tools.flatMap((tool: Body) =>
      tool.type === 'namespace'
        ? tool.tools.map(declared).map((one: Declared) => ({ ...one, name: `${tool.name}/${one.name}` }))
        : declared(tool),
    ),
  results: ({ input }) => input.filter(({ type }: Body) => /_output$/.test(type)),
  whole: (reply) => ({
    ...NAMES,
    object: 'response',
    status: 'completed',
    output: ['call' in reply ? calledItem(reply.call, reply.id) : saidItem(reply.text)],
    usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
  }),
  events(reply) {
    const response: Body = responses.whole(reply);
    const [item] = response.output;
    return [
      { type: 'response.created', response: { ...response, output: [] } },
      { type: 'response.output_item.added', output_index: 0, item },
      { type: 'response.output_item.done', output_index: 0, item },
      { type: 'response.completed', response },
    ];
  },
};

/** A search that the program makes is an item of its own, and so is a call with a text. */
function calledItem(call: Call, call_id: string): object {
  const { name, arguments: given } = call;
  if (name === 'tool_search')
    return { type: 'tool_search_call', call_id, execution: 'client', arguments: given };
  if (typeof given === 'string') return { type: 'custom_tool_call', call_id, name, input: given };
  return { type: 'function_call', call_id, ...call, arguments: JSON.stringify(given) };
}

const saidItem = (text: string): object => ({
  type: 'message',
  id: 'said_1',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text, annotations: [] }],
});

/** platform.openai.com/docs/api-reference/chat-streaming. */
const completions: Api = {
  path: /\/chat\/completions$/,
  tools: ({ tools = [] }) => tools.map((tool: Body) => declared(tool.function ?? tool)),
  results: ({ messages }) => messages.filter(({ role }: Body) => role === 'tool'),
  whole: (reply) => ({ ...NAMES, ...USAGE, object: 'chat.completion', choices: [choiceOf(reply)] }),
  events(reply) {
    const { message, finish_reason, index } = choiceOf(reply);
    const chunk = { ...NAMES, object: 'chat.completion.chunk' };
    return [
      { ...chunk, choices: [{ index, delta: message, finish_reason: null }] },
      { ...chunk, ...USAGE, choices: [{ index, delta: {}, finish_reason }] },
      '[DONE]',
    ];
  },
};

const USAGE = { usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } };

function choiceOf(reply: Reply) {
  const message = { role: 'assistant', content: 'call' in reply ? null : reply.text };
  if (!('call' in reply)) return { index: 0, message, finish_reason: 'stop' };
  const { name, arguments: given } = reply.call;
  const called =
    typeof given === 'string'
      ? { type: 'custom', custom: { name, input: given } }
      : { type: 'function', function: { name, arguments: JSON.stringify(given) } };
  const tool_calls = [{ index: 0, id: reply.id, ...called }];
  return { index: 0, message: { ...message, tool_calls }, finish_reason: 'tool_calls' };
}

/** ai.google.dev/api/generate-content. */
const generateContent: Api = {
  path: /:(streamG|g)enerateContent$/,
  tools: ({ tools = [] }) =>
    tools.flatMap(({ functionDeclarations = [] }: Body) => functionDeclarations.map(declared)),
  results: ({ contents }) =>
    contents.flatMap(({ parts }: Body) => parts).filter(({ functionResponse }: Body) => functionResponse),
  whole(reply) {
    const part =
      'call' in reply
        ? { functionCall: { name: reply.call.name, args: reply.call.arguments } }
        : { text: reply.text };
    return { candidates: [{ content: { role: 'model', parts: [part] }, finishReason: 'STOP' }] };
  },
  events: (reply) => [generateContent.whole(reply)],
};

export const apis: readonly Api[] = [messages, responses, completions, generateContent];
