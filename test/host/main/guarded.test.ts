/** What is closed, or asked for each time, by what it is rather than by its name, in a real VS Code. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { agentOfSuite, at, root, settingsUntil } from '../inside.ts';
import { retry } from '../patience.ts';

describe('an agent that may edit everything', () => {
  const agent = agentOfSuite();
  const set = settingsUntil(after);

  before(() => set('workspaceMcp.approvals', { edit: 'allow' }));

  after(async () => {
    for (const name of ['clone', 'origin', 'linked', 'made', '.claude'])
      rmSync(at(name), { recursive: true, force: true });
  });

  const change = (path: string) => ({ path, edits: [{ oldText: 'a', newText: 'b' }] });

  /** Whether the call waits for the person, as its progress says; it is cancelled then. */
  async function isAsked(path: string): Promise<boolean> {
    writeFileSync(at(path), 'a\n');
    const given = new AbortController();
    const waits = Promise.withResolvers<boolean>();
    const onprogress = ({ message = '' }) => {
      if (/user to answer/.test(message)) waits.resolve(true);
    };
    const options = { signal: given.signal, onprogress };
    const call = agent.client.callTool({ name: 'edit_file', arguments: change(path) }, options);
    const ended = call.then(
      () => false,
      () => false,
    );
    const isWaiting = await Promise.race([waits.promise, ended]);
    given.abort();
    await ended;
    return isWaiting;
  }

  it('neither reads nor edits the Git directory of a bare clone', async () => {
    const git = (...args: string[]) => execFileSync('git', args, { cwd: root, stdio: 'ignore' });
    git('init', 'origin');
    git('clone', '--bare', 'origin', 'clone/.bare');
    writeFileSync(at('clone/.git'), 'gitdir: ./.bare\n');
    appendFileSync(at('clone/.bare/config'), '[remote "b"]\n\turl = https://ghp_token@example.org/b\n');
    const path = 'clone/.bare/config';
    await assert.rejects(agent.call('read_file', { path }), /closed to agents/);
    await assert.rejects(agent.call('edit_file', change(path)), /closed to agents/);
    await assert.rejects(agent.call('list_directory', { path: 'clone/.bare' }), /closed to agents/);
    assert.doesNotMatch(await agent.call('search_text', { query: 'ghp_' }), /config/);
  });

  it('cannot make a Git directory, whose configuration names programs that VS Code runs', async () => {
    const parts = {
      'notes.txt': 'a',
      'objects/x': '',
      'refs/x': '',
      config: `[core]\n\tworktree = .\n\tfsmonitor = "touch ${at('made/ran')}; false"\n`,
      HEAD: 'ref: refs/heads/main\n',
    };
    const sections = Object.entries(parts).map(([name, text]) => {
      const lines = text.trimEnd().split('\n');
      const added = lines.map((line) => `+${line}\n`).join('');
      return `--- /dev/null\n+++ b/made/${name}\n@@ -0,0 +1,${lines.length} @@\n${added}`;
    });
    const refused = /would become a Git directory/;
    await assert.rejects(agent.call('apply_patch', { patch: sections.join('') }), refused);
    for (const [name, content] of Object.entries(parts)) {
      const writing = agent.call('write_file', { path: `made/${name}`, content });
      if (name === 'config' || name === 'HEAD') await assert.rejects(writing, refused);
      else await writing;
    }
    await agent.call('open_file', { path: 'made/notes.txt' });
    assert.throws(
      () => execFileSync('git', ['status'], { cwd: at('made'), stdio: 'pipe' }),
      /not a git repository/,
    );
    assert.equal(existsSync(at('made/ran')), false);
  });

  it('is asked about for what `.claude` leads to', async () => {
    mkdirSync(at('linked/config'), { recursive: true });
    symlinkSync('linked/config', at('.claude'));
    // A link is seen within a second.
    await retry('the question', async () => assert.ok(await isAsked('linked/config/settings.json')));
    assert.equal(readFileSync(at('linked/config/settings.json'), 'utf8'), 'a\n');
    assert.equal(await isAsked('linked/other.txt'), false);
  });
});
