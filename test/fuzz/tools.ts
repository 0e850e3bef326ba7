import assert from 'node:assert/strict';
import { Ajv } from 'ajv';
import fc from 'fast-check';
import { features } from '../../src/features/index.ts';
import { asMeant, takesNone } from '../../src/protocol/toolSchema.ts';
import type { Message } from './replies.ts';
import { holds } from './runs.ts';
import { fitting, nearlyFitting } from './schemaValues.ts';
import { useStage, VERSIONS } from './stage.ts';
import { jsonOf } from './values.ts';

const ajv = new Ajv({ strict: false });

/** What says that arguments do not fit, and that we are to blame. */
const REFUSED = /^Invalid arguments for /;
const BROKEN = /failed inside the extension/;

/** A command takes any arguments; the list names the usual types only. */
function taken({ name, inputSchema }: Message): Message {
  if (name !== 'execute_command') return inputSchema;
  const { properties } = inputSchema;
  return { ...inputSchema, properties: { ...properties, arguments: { ...properties.arguments, items: {} } } };
}

/** A member `__proto__` of the arguments, and of an object among them, is passed over. */
function withoutProto(given: unknown): unknown {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given;
  return Object.fromEntries(Object.entries(given).filter(([key]) => key !== '__proto__'));
}

describe("fuzz: each tool's arguments", () => {
  const stage = useStage();
  let tools: Message[] = [];

  before(() =>
    stage.with('2025-11-25', async (peer) => {
      ({ tools } = (await peer.request('tools/list')).result);
    }),
  );

  const requireAnswer = (name: string, args: string, { result }: Message): void => {
    const tool = tools.find((one) => one.name === name);
    const said: string = result.content.map(({ text = '' }: Message) => text).join('\n');
    const what = `${tool.name} ${args.slice(0, 500)}: ${said.slice(0, 500)}`;
    assert.doesNotMatch(said, BROKEN, what);
    const given = Object.entries(withoutProto(JSON.parse(args)) as object);
    const members = Object.fromEntries(given.map(([key, value]) => [key, withoutProto(value)]));
    const input = features.tools.find((one) => one.name === name)?.input;
    assert.ok(input, name);
    const fits = takesNone(input) || ajv.compile(taken(tool))(asMeant(input, members));
    if (!fits) assert.ok(result.isError, `taken, though it does not fit: ${what}`);
    if (!fits) assert.match(said, REFUSED, what);
    if (result.isError) return;
    if (tool.outputSchema) assert.ok(ajv.validate(tool.outputSchema, result.structuredContent), what);
    assert.ok(result.content.length > 0, `says nothing: ${what}`);
  };

  for (const kind of ['fitting', 'nearly fitting'])
    it(`${kind} ones are answered by a result, and change nothing that the person does not want`, async () => {
      const args = kind === 'fitting' ? fitting : nearlyFitting;
      const call = fc.oneof(
        ...tools.map(({ name, inputSchema }) => fc.tuple(fc.constant(name), args(inputSchema).map(jsonOf))),
      );
      const calls = fc.array(call, { minLength: 1, maxLength: 40, size: 'max' });
      const property = fc.asyncProperty(calls, fc.constantFrom(...VERSIONS), (given, version) =>
        stage.with(version, async (peer) => {
          const lines = given.map(([name, text], id) => {
            const params = { name, arguments: '@', ...peer.meta };
            return JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params }).replace(
              '"@"',
              () => text,
            );
          });
          await peer.send(lines);
          for (const [id, [name, text]] of given.entries()) requireAnswer(name, text, peer.answerTo(id));
        }),
      );
      await holds(15, property);
    });
});
