import type { Message, RawAgent } from './rawAgent.ts';

/** Calls a tool and returns its result, which stands for an error as well. */
export const calling = async (agent: RawAgent, name: string, args: object = {}): Promise<Message> => {
  const { result, error } = await agent.request('tools/call', { name, arguments: args });
  return result ?? { isError: true, content: [{ text: error.message }] };
};

export const reading = (agent: RawAgent, path = 'a.txt') => calling(agent, 'read_file', { path });

export const textOf = ({ content }: Message): string => content[0].text;

/** Id of the window that the agent is in, as it is told. */
export const windowOf = async (agent: RawAgent): Promise<string | undefined> =>
  (await calling(agent, 'select_window')).structuredContent.windows.find(
    ({ current }: { current?: boolean }) => current,
  )?.id;
