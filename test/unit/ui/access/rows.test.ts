import assert from 'node:assert/strict';
import type { Explanation } from '../../../../src/workspace/explanation.ts';
import '../../../fakes/module/register.ts';

const { accessRows } = await import('../../../../src/ui/access/rows.ts');

const file: Explanation = { path: 'a.ts', isMissing: false };
const asked = { text: 'You are asked.', place: 'approvals', isDenied: false } as const;

/** Whether each of listing, reading and editing is allowed, with what is said of it. */
const rows = (explanation: Partial<Explanation>, answer: Parameters<typeof accessRows>[1] = asked) =>
  accessRows({ ...file, ...explanation }, answer, () => {}).map(({ label, detail = '' }) =>
    `${label.startsWith('$(pass)')} ${detail}`.trim(),
  );

describe('ui/access/rows', () => {
  const all = (text: string) => Array(3).fill(`false ${text}`);
  const cases: [string, Partial<Explanation>, string[]][] = [
    ['an open file', {}, ['true', 'true', 'true You are asked.']],
    ['what is missing', { isMissing: true }, all('There is no such file.')],
    [
      'a denied one',
      { closed: { reason: { by: 'deniedPaths', glob: 'private' }, levels: ['user', 'folder'] } },
      all('Closed by “private” in deniedPaths (your settings, folder settings).'),
    ],
    [
      'a large one',
      { tooLarge: { size: 20, limit: 10, levels: [] } },
      ['true', ...Array(2).fill('false It has 20 bytes; maxFileSize allows 10 (the default).')],
    ],
    ['a link', { unlisted: 'link' }, ['false Links are not listed.', 'true', 'true You are asked.']],
    [
      'one in a workspace without trust',
      { editOff: { by: 'trust', levels: [] } },
      ['true', 'true', 'false This workspace is not trusted: agents may only read.'],
    ],
    [
      'one with redacted text',
      { redaction: { places: 3, levels: ['user'] } },
      ['true', 'true Redacted by redact (your settings), places: 3.', 'true You are asked.'],
    ],
    [
      'one that nobody knows how to redact',
      { redaction: { broken: 'No end', levels: ['workspace'] } },
      ['true', ...Array(2).fill('false A pattern of redact cannot be used: No end (workspace settings).')],
    ],
    [
      'one where reading is switched off',
      { readOff: { by: 'allowedOperations', levels: ['workspace'] } },
      all('Switched off by allowedOperations (workspace settings).'),
    ],
  ];
  for (const [what, explanation, expected] of cases)
    it(`says what agents may do with ${what}`, () => assert.deepEqual(rows(explanation), expected));

  it('denies edits where the person has', () =>
    assert.deepEqual(rows({}, { ...asked, text: 'denied', isDenied: true }).at(-1), 'false denied'));

  it('opens the setting, on the level that holds', () => {
    const opened: unknown[] = [];
    const reason = { by: 'deniedPaths', glob: 'x' } as const;
    const denied: Explanation = { ...file, closed: { reason, levels: ['user', 'workspace'] } };
    const [row] = accessRows(denied, asked, (place) => opened.push(place));
    row?.run?.();
    assert.deepEqual(opened, [{ setting: 'workspaceMcp.access.deniedPaths', level: 'workspace' }]);
  });
});
