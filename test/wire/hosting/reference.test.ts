/** Agents of each version get from a hosted server what they get without us, field by field. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type Fields, fieldsOf, itemsOf } from '../../../src/core/json.ts';
import { projectRoot } from '../../host/paths.ts';
import { ensurePackage } from '../../packages.ts';
import { useMachine } from '../harness.ts';
import { type Message, RawAgent } from '../rawAgent.ts';
import { META } from '../script.ts';
import { fromUs, toUs } from './behindUs.ts';
import { hostedIn, startAll } from './support.ts';

type Request = [method: string, params?: Fields];

const LISTS: Request[] = [['tools/list'], ['prompts/list'], ['resources/list'], ['resources/templates/list']];
const tool = (name: string, args = {}): Request => ['tools/call', { name, arguments: args }];
const prompt = (name: string, args = {}): Request => ['prompts/get', { name, arguments: args }];
const read = (uri: string): Request => ['resources/read', { uri }];
const complete = (ref: Fields, name: string, value: string, context = {}): Request => [
  'completion/complete',
  { ref, argument: { name, value }, context: { arguments: context } },
];
const completable = { type: 'ref/prompt', name: 'completable-prompt' };
const gzip = { name: 'a.gz', data: 'data:text/plain,hello' };

/** Not its environment, and nothing that starts to send by itself. */
const EVERYTHING: Request[] = [
  ...LISTS,
  tool('echo', { message: 'Grüße 你好 \u2028' }),
  tool('echo'),
  tool('get-annotated-message', { messageType: 'error', includeImage: true }),
  tool('get-resource-links', { count: 4 }),
  tool('get-resource-reference', { resourceType: 'Text', resourceId: 3 }),
  tool('get-structured-content', { location: 'Chicago' }),
  tool('gzip-file-as-resource', { ...gzip, outputType: 'resource' }),
  tool('gzip-file-as-resource', { ...gzip, outputType: 'resourceLink' }),
  read('demo://resource/session/a.gz'),
  prompt('completable-prompt', { department: 'Sales', name: 'Eve' }),
  prompt('resource-prompt', { resourceType: 'Text', resourceId: '1' }),
  read('demo://resource/static/document/startup.md'),
  read('demo://resource/dynamic/blob/6'),
  read('demo://resource/none'),
  complete(completable, 'department', 'S'),
  complete(completable, 'name', '', { department: 'Sales' }),
  complete({ type: 'ref/resource', uri: 'demo://resource/dynamic/text/{resourceId}' }, 'resourceId', '7'),
];
/** Requests for the conformance suite's features, whose tools have names that are too long to be kept. */
const MODERN: Request[] = [
  ...LISTS.slice(1),
  tool('test_multiple_content_types'),
  tool('test_audio_content'),
  tool('test_error_handling'),
  prompt('test_prompt_with_embedded_resource', { resourceUri: 'test://a/b?c=1#d' }),
  prompt('test_prompt_with_arguments'),
  read('test://template/1/data'),
  complete({ type: 'ref/prompt', name: 'test_prompt_with_arguments' }, 'arg1', 'par'),
];

/** Some texts of server-everything have the time. */
const WITHOUT_TIME = "data:text/javascript,Date.prototype.toLocaleTimeString = () => 'now'";
const everything = async () => [
  join(await ensurePackage('@modelcontextprotocol/server-everything', '2026.8.31'), 'dist/index.js'),
];
const modern = async (folder: string) => [join(projectRoot, 'test/conformance/hostedServer.ts'), folder];

describe('wire/hosting/reference', () => {
  const machine = useMachine();

  /** Sends a request of the version. */
  async function speaking(agent: RawAgent, version: string) {
    if (version !== 'modern') await agent.initialize(version);
    return (message: Message): Promise<Message> =>
      agent.request(message.method, { ...message.params, ...(version === 'modern' && { _meta: META }) });
  }

  for (const [program, serverVersion, requests, version] of [
    ...['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', 'modern'].map(
      (one) => [everything, '2025-11-25', EVERYTHING, one] as const,
    ),
    [modern, 'modern', MODERN, '2025-06-18'],
  ] as const)
    it(`${version}: all of a server of ${serverVersion}`, async () => {
      const args = ['--import', WITHOUT_TIME, ...(await program(machine.root))];
      // What a server offers may depend on what it can ask: the direct agent answers nothing either.
      const asksNothing = { roots: false, sampling: 'deny', elicitation: 'deny' };
      const server = { command: process.execPath, args, ...asksNothing };
      const window = await machine.open({ servers: { server } });
      await startAll(window);
      const { slug } = hostedIn(window);
      const direct = new RawAgent(args[0] ?? '', {
        cwd: window.path(),
        env: process.env,
        args: args.slice(1),
      });
      const askDirectly = await speaking(direct, serverVersion);
      const askThroughUs = await speaking(window.rawAgent(), version);
      for (const [method, params = {}] of requests) {
        const wanted = answerOf(await askDirectly({ method, params }));
        const answer = await askThroughUs(toUs({ method, params }, slug));
        if (!method.endsWith('list')) requireHostedUris(answer, slug);
        assert.deepEqual(answerOf(fromUs(answer, slug)), wanted, JSON.stringify([method, params]));
      }
      process.kill(direct.pid ?? 0); // not all of them end with their stdin
    });
});

/** What a server says there is not about resources. */
const UNTOUCHED = ['structuredContent', '_meta', 'inputSchema', 'outputSchema', 'icons', 'data'];

function requireHostedUris(answer: Message, slug: string): void {
  JSON.stringify(answer, (key, value) => {
    if (UNTOUCHED.includes(key)) return undefined;
    if (key === 'uri') assert.ok(value.startsWith(`hosted://${slug}/`), value);
    return value;
  });
}

/** An answer without what belongs to the connection, and without what tools say of tasks: agents call each in the plain way. */
function answerOf({ result, error }: Message): object {
  if (error) return errorOf(error);
  const { resultType: _, ttlMs: __, cacheScope: ___, _meta, ...fields } = fieldsOf(result);
  const own = Object.entries(fieldsOf(_meta)).filter(([key]) => !key.startsWith('io.modelcontextprotocol/'));
  for (const list of ['tools', 'prompts', 'resources', 'resourceTemplates'])
    if (fields[list]) return { [list]: itemsOf(fields[list]).map(fieldsOf).map(listed).sort() };
  return { ...fields, own };
}

const listed = ({ execution: _, ...item }: Fields): string =>
  JSON.stringify(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)));

/** Some clients read the text of an error in its data: so we repeat it there. */
function errorOf({ code, message, data }: Message): object {
  const { details, ...others } = fieldsOf(data);
  return { code, message, data: details === message || details === undefined ? others : data };
}
