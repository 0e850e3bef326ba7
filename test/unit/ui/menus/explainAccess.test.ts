import assert from 'node:assert/strict';
import type { Explanation } from '../../../../src/workspace/explainAccess.ts';

const { accessRows } = await import('../../../../src/ui/menus/explainAccess.ts');

const file: Explanation = { path: 'a.ts', isMissing: false };
const asked = { text: 'You are asked.', place: 'approvals', answer: 'ask' } as const;

const MARKS: Record<string, string> = { pass: 'true', question: 'asked', 'circle-slash': 'false' };
/** Whether each of listing, reading and editing is allowed, with what is said of it. */
const rows = (explanation: Partial<Explanation>, answer: Parameters<typeof accessRows>[1] = asked) =>
  accessRows({ ...file, ...explanation }, answer, () => {}).map(({ label, detail = '' }) =>
    `${MARKS[/[a-z-]+/.exec(label)?.[0] ?? '']} ${detail}`.trim(),
  );

describe('ui/menus/explainAccess: rows', () => {
  const all = (text: string) => Array(3).fill(`false ${text}`);
  it('says what agents may do with a file, and why not', () => {
    const denied: Explanation['closed'] = {
      reason: { by: 'deniedPaths', glob: 'private' },
      levels: ['user', 'folder'],
    };
    const large = 'It has 20 bytes; maxFileSize allows 10 (the default).';
    const broken = 'A pattern of redact cannot be used: No end (workspace settings).';
    const edited = 'asked You are asked.';
    const cases: [Partial<Explanation>, string[]][] = [
      [{}, ['true', 'true', edited]],
      [{ isMissing: true }, all('There is no such file.')],
      [{ closed: denied }, all('Closed by “private” in deniedPaths (your settings, folder settings).')],
      [{ tooLarge: { size: 20, limit: 10, levels: [] } }, ['true', ...all(large).slice(1)]],
      [{ unlisted: 'link' }, ['false Links are not listed.', 'true', edited]],
      [
        { editOff: { by: 'trust', levels: [] } },
        ['true', 'true', 'false This workspace is not trusted: agents may only read.'],
      ],
      [
        { redaction: { places: 3, levels: ['user'] } },
        ['true', 'true Redacted by redact (your settings), places: 3.', edited],
      ],
      [{ redaction: { broken: 'No end', levels: ['workspace'] } }, ['true', ...all(broken).slice(1)]],
      [
        { readOff: { by: 'allowedOperations', levels: ['workspace'] } },
        all('Switched off by allowedOperations (workspace settings).'),
      ],
    ];
    for (const [explanation, expected] of cases) assert.deepEqual(rows(explanation), expected);
  });

  it('denies edits where the person has, and opens the setting, on the level that holds', () => {
    assert.deepEqual(rows({}, { ...asked, text: 'denied', answer: 'deny' }).at(-1), 'false denied');
    const opened: unknown[] = [];
    const reason = { by: 'deniedPaths', glob: 'x' } as const;
    const denied: Explanation = { ...file, closed: { reason, levels: ['user', 'workspace'] } };
    const [row] = accessRows(denied, asked, (place) => opened.push(place));
    row?.run?.();
    assert.deepEqual(opened, [{ setting: 'workspaceMcp.access.deniedPaths', level: 'workspace' }]);
  });
});
