import assert from 'node:assert/strict';
import { listComments } from '../../../../src/features/comments/listComments.ts';
import { toldComments } from '../../../../src/features/hooks/toldComments.ts';
import { cleanUp, openWindow, type Window } from '../window.ts';

const LEAD = 'The user comments on lines (answer by resolve_comment):';

describe('features/hooks/toldComments', () => {
  afterEach(cleanUp);

  const comment = ({ fake, path, comments }: Window, name: string, text: string, agent?: string) =>
    comments.add({ uri: fake.api.Uri.file(path(name)), lines: [2, 3], text, agent }, 'one\ntwo\nthree\n');

  it('tells each agent once what the user has said, where the lines are now; not what agents said', async () => {
    const window = openWindow({ 'src/a.ts': 'zero\none\ntwo\nthree\n' });
    assert.equal(await toldComments(window.ctx), undefined);
    comment(window, 'src/a.ts', 'a loop?');
    comment(window, 'src/a.ts', 'of an agent', 'Codex');
    const told = `${LEAD}\n#1 src/a.ts:3-4: a loop?`;
    assert.equal(await toldComments(window.ctx), told);
    assert.equal(await toldComments(window.ctx), undefined);
    assert.equal(await toldComments(window.another), told);
    window.comments.reply(1, { agent: 'Codex', text: 'It is.' });
    window.comments.reply(1, { agent: undefined, text: 'Why?' });
    assert.equal(await toldComments(window.ctx), `${LEAD}\n#1 src/a.ts:3-4: Why?`);
    window.comments.reply(2, { agent: undefined, text: 'Yes.' });
    await window.run(listComments); // it has seen them by this, too
    assert.equal(await toldComments(window.ctx), undefined);
  });

  it('tells nothing of a closed file, redacts, and keeps to 1 KB', async () => {
    const options = { user: { 'workspaceMcp.access.redact': ['k3y'] } };
    const window = openWindow({ '.env': '', 'a.ts': 'one\n' }, options);
    comment(window, '.env', 'secret?');
    assert.equal(await toldComments(window.ctx), undefined);
    comment(window, 'a.ts', 'k3y\nhere');
    for (let i = 0; i < 20; i++) comment(window, 'a.ts', '🌲'.repeat(30));
    const text = (await toldComments(window.ctx)) ?? '';
    assert.match(text, /\n#2 a\.ts:2-3 \(the lines are gone\): \[redacted\]\nhere\n#3 /);
    assert.match(text, /\nlist_comments has 1\d more\.$/);
    assert.ok(Buffer.byteLength(text) <= 1_024);
    assert.match((await toldComments(window.ctx)) ?? '', /^[^#]*\n#\d+ a\.ts/); // the rest comes with the next prompt
    comment(window, 'a.ts', '🌲'.repeat(1_000));
    while ((await toldComments(window.ctx))?.includes('list_comments'));
    comment(window, 'a.ts', '🌲'.repeat(1_000));
    assert.match((await toldComments(window.ctx)) ?? '', /: 🌲{200}…$/u);
  });
});
