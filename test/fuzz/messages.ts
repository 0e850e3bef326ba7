/** Lines as an agent may write them: requests that are right, nearly right, and not JSON at all. */
import fc from 'fast-check';
import { META } from '../wire/script.ts';
import { paramsFor } from './params.ts';
import { jsonOf, oddText, oddValue, ownMembers, utf16, withNames } from './values.ts';

/** All that a version has, spellings of old, and what no server has. */
const METHODS = [
  'initialize ping server/discover tools/list tools/call resources/list resources/templates/list resources/read',
  'resources/subscribe resources/unsubscribe prompts/list prompts/get completion/complete logging/setLevel roots/list',
  'subscriptions/listen tasks/get sampling/createMessage elicitation/create rpc.discover no/such Ping __proto__',
  'notifications/initialized initialized notifications/cancelled notifications/progress notifications/log',
  'notifications/roots/list_changed notifications/message notifications/no/such constructor',
]
  .join(' ')
  .split(' ');

const goodId = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 0, max: 1e9 }) },
  { weight: 4, arbitrary: fc.uuid() },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 5 }) },
  { weight: 1, arbitrary: oddText },
  { weight: 1, arbitrary: fc.constantFrom(-1, 2 ** 53 - 1, 1 - 2 ** 53, '', '0', '1') },
);

const method = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom(...METHODS) },
  { weight: 1, arbitrary: oddText },
);

/** Changed by a second `initialize`, the version would be another one than the oracle knows. */
const isOpening = (name: unknown) => name === 'initialize';

const request = method
  .filter((name) => !isOpening(name))
  .chain((name) =>
    fc.record({
      jsonrpc: fc.constant('2.0'),
      id: goodId,
      method: fc.constant(name),
      params: paramsFor(name),
    }),
  );

const notification = request.map(({ id: _, ...message }) => message);

const response = fc.oneof(
  fc.record({ jsonrpc: fc.constant('2.0'), id: goodId, result: oddValue }),
  fc.record({ jsonrpc: fc.constant('2.0'), id: goodId, error: oddValue }),
);

/** Each member may be missing, or anything. */
const odd = fc
  .tuple(
    fc.record(
      {
        jsonrpc: fc.oneof(fc.constant('2.0'), fc.constant('2.0'), oddValue),
        id: fc.oneof(goodId, oddValue),
        method: fc.oneof(method, oddValue).filter((name) => !isOpening(name)),
        params: oddValue,
        result: oddValue,
        error: oddValue,
      },
      { requiredKeys: [] },
    ),
    withNames(oddValue),
  )
  .map(([message, more]) =>
    ownMembers([
      ...Object.entries(more).filter(([name]) => name !== 'method' && name !== 'id'),
      ...Object.entries(message),
    ]),
  );

export const message = fc.oneof(
  { weight: 10, arbitrary: request },
  { weight: 4, arbitrary: odd },
  { weight: 2, arbitrary: notification },
  { weight: 1, arbitrary: response },
);

const batch = fc.array(fc.oneof({ weight: 6, arbitrary: message }, { weight: 1, arbitrary: oddValue }), {
  maxLength: 6,
});

const oneLine = (text: string): string => text.replaceAll('\n', ' ');

/** Text that is no JSON, or is by chance. */
const noJson = fc.oneof(
  utf16.map(oneLine),
  fc.constantFrom(...'\0¦{¦[¦"¦[1,]¦{"a":1,}¦NaN¦undefined¦{\'a\':1}¦\ufeff¦\u00a0¦\r¦ '.split('¦')),
  fc.tuple(message, fc.double({ min: 0, max: 1, noNaN: true })).map(([value, part]) => {
    const text = jsonOf(value);
    return text.slice(0, Math.floor(text.length * part));
  }),
);

/** A member twice: by JSON.parse the last one counts. */
const twice = fc.tuple(request, goodId).map(([value, id]) => `{"id":${jsonOf(id)},${jsonOf(value).slice(1)}`);

/** A line without its end. */
export const line = fc.oneof(
  { weight: 14, arbitrary: message.map(jsonOf) },
  { weight: 3, arbitrary: batch.map(jsonOf) },
  { weight: 2, arbitrary: noJson },
  { weight: 1, arbitrary: oddValue.map(jsonOf) },
  { weight: 1, arbitrary: twice },
  { weight: 1, arbitrary: message.map((value) => `\ufeff ${jsonOf(value)}\r`) },
);

/** Lines of a version, many of them. */
export const linesOf = (version: string): fc.Arbitrary<string[]> =>
  many(version >= '2026' ? modern(line) : line);

export const many = <T>(given: fc.Arbitrary<T>): fc.Arbitrary<T[]> =>
  fc.array(given, { minLength: 1, maxLength: 60, size: 'max' });

/** Messages of a stateless version: most requests say their version. */
export const modern = (given: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.tuple(given, fc.integer({ min: 0, max: 9 })).map(([text, odds]) => (odds ? withMeta(text) : text));

function withMeta(text: string): string {
  try {
    const value = JSON.parse(text);
    const { params = {} } = value;
    if (Array.isArray(value) || typeof params !== 'object' || params === null || Array.isArray(params))
      return text;
    const _meta = typeof params._meta === 'object' ? { ...params._meta, ...META } : META;
    return JSON.stringify({ ...value, params: { ...params, _meta } });
  } catch {
    return text;
  }
}
