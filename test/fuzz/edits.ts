import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import type { FakeDocument } from '../fakes/text.ts';
import { type Call, type File, file } from './editCases.ts';
import { edited, withLf } from './editModel.ts';
import type { Peer } from './peer.ts';
import type { Message } from './replies.ts';
import { holds } from './runs.ts';
import { type Stage, useStage } from './stage.ts';

const FILE = 'edited.ts';

describe('fuzz: edits', () => {
  const stage = useStage();

  it('all replacements or none, as the model of the text has it, and only where the person agrees', async () => {
    const property = fc.asyncProperty(file, async (given) => {
      const document = planted(stage(), given);
      const disk = () => readFileSync(stage().window.path(FILE), 'utf8');
      const before = disk();
      await stage().with(
        '2025-11-25',
        async (peer) => {
          for (const call of given.calls) await requireEdit(stage(), peer, document, call);
          const saved = given.bom + document.getText();
          assert.equal(disk(), given.isDirty ? before : saved, 'on the disk');
        },
        FILE,
      );
    });
    await holds(50, property);
  });
});

/** A file that VS Code has loaded, with unsaved text of the person or without. */
function planted({ window }: Stage, { content, eol, bom, isDirty }: File): FakeDocument {
  const { documents, person } = window.fake;
  const old = documents.find(({ uri }) => uri.fsPath === window.path(FILE));
  if (old) person.closes(old);
  const onDisk = (isDirty ? `${content}// theirs` : content).replaceAll('\n', eol);
  window.writes(FILE, bom + onDisk);
  const document = person.loads(window.path(FILE));
  if (isDirty) person.types(document, content);
  return document;
}

async function requireEdit({ window }: Stage, peer: Peer, document: FakeDocument, call: Call): Promise<void> {
  const { edits, dryRun, isAllowed, versionsBehind } = call;
  const before = { text: document.getText(), version: document.version };
  const after = edited(withLf(before.text), edits);
  const isAsked = after !== undefined && !dryRun && !versionsBehind;
  const isDone = isAsked && isAllowed;
  window.consent.otherwise = () => (isAllowed ? { allow: 'once' } : { deny: '' });
  window.consent.questions.length = 0;
  const expectedVersion =
    versionsBehind === undefined ? {} : { expectedVersion: document.version - versionsBehind };
  const args = { path: FILE, edits, dryRun, ...expectedVersion };
  const { result }: Message = await peer.call('edit_file', args);
  const said = result.content[0].text;
  assert.equal(!result.isError, isDone || (dryRun && after !== undefined && !versionsBehind), said);
  assert.deepEqual(
    window.consent.questions.map(({ diffs: [diff] = [] }) => [diff?.before, diff?.after]),
    isAsked ? [[withLf(before.text), after]] : [],
  );
  assert.equal(withLf(document.getText()), isDone ? after : withLf(before.text), said);
  if (!isDone) assert.equal(document.version, before.version, said);
}
