/** Params of each method: of the right kind mostly, with one thing or another wrong. */
import fc from 'fast-check';
import { META } from '../wire/script.ts';
import { path } from './paths.ts';
import { oddText, oddValue, withNames } from './values.ts';

const PREFIX = 'io.modelcontextprotocol';

const promptName = fc.oneof(
  fc.constantFrom('explain_this', 'größe_你好', 'Explain this', 'no_such'),
  oddText,
);

/** Right in most cases, and anything in some. */
const mostly = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 6, arbitrary: value }, { weight: 1, arbitrary: oddValue });

const texts = mostly(
  fc.oneof(withNames(oddText), fc.record({ '1': oddText, what: oddText }, { requiredKeys: [] })),
);

const cursor = { cursor: fc.oneof(fc.constantFrom(null, '', 'WyJhIl0', 'WzFd', 'W10'), oddValue) };

const reference = fc.oneof(
  fc.record({ type: mostly(fc.constant('ref/prompt')), name: mostly(promptName) }),
  fc.record({ type: mostly(fc.constant('ref/resource')), uri: mostly(fc.constant('file:///{+path}')) }),
);

const call = {
  name: mostly(
    fc.constantFrom(
      ...'read_file get_workspace list_directory get_editor_state edit_file no_such'.split(' '),
    ),
  ),
  arguments: mostly(fc.oneof(withNames(oddValue), fc.record({ path }))),
  _stream: fc.boolean(),
};

const FIELDS: Record<string, Record<string, fc.Arbitrary<unknown>>> = {
  'tools/list': cursor,
  'resources/list': cursor,
  'resources/templates/list': cursor,
  'prompts/list': cursor,
  'tools/call': call,
  'resources/read': { uri: mostly(path) },
  'resources/subscribe': { uri: mostly(path) },
  'resources/unsubscribe': { uri: mostly(path) },
  'prompts/get': { name: mostly(promptName), arguments: texts },
  'completion/complete': {
    ref: mostly(reference),
    argument: mostly(fc.record({ name: mostly(fc.constantFrom('path', '1', 'what')), value: mostly(path) })),
    context: mostly(fc.record({ arguments: texts })),
  },
  'logging/setLevel': {
    level: mostly(fc.constantFrom('debug', 'info', 'warning', 'error', 'emergency', 'loud')),
  },
  'subscriptions/listen': {
    notifications: mostly(
      fc.record({
        toolsListChanged: mostly(fc.boolean()),
        resourceSubscriptions: mostly(fc.array(path, { maxLength: 3 })),
      }),
    ),
  },
  'notifications/cancelled': { requestId: mostly(fc.integer({ min: 0, max: 5 })), reason: oddValue },
  'notifications/progress': { progressToken: oddValue, progress: oddValue },
  'notifications/log': { level: oddValue, message: oddValue },
};

const meta = fc.oneof(
  fc.record(
    {
      progressToken: oddValue,
      [`${PREFIX}/related-task`]: oddValue,
      [`${PREFIX}/protocolVersion`]: fc.oneof(
        fc.constantFrom('2026-07-28', '2025-11-25', '2027-01-01'),
        oddValue,
      ),
      [`${PREFIX}/clientCapabilities`]: mostly(fc.constantFrom({}, { roots: {} })),
      [`${PREFIX}/clientInfo`]: mostly(fc.record({ name: mostly(oddText), version: oddText })),
      [`${PREFIX}/logLevel`]: mostly(fc.constant('debug')),
      traceparent: oddValue,
    },
    { requiredKeys: [] },
  ),
  fc.constant(META),
  oddValue,
);

export function paramsFor(method: string): fc.Arbitrary<unknown> {
  const fields = { ...(Object.hasOwn(FIELDS, method) ? FIELDS[method] : { x: oddValue }) };
  const right = fc.record(fields, { requiredKeys: Object.keys(fields).filter((name) => name !== 'cursor') });
  return fc.oneof(
    { weight: 6, arbitrary: right },
    { weight: 2, arbitrary: fc.record({ ...fields, _meta: meta }, { requiredKeys: [] }) },
    { weight: 1, arbitrary: oddValue },
  );
}
