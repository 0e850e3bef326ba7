import assert from 'node:assert/strict';
import { Journal } from '../../../../src/workspace/edit/journal.ts';
import { holdClock } from '../../../fakes/clock.ts';

const vscode = (await import('vscode' as string)).default;
const { notifyOfTurnEnds, OutsideNotices } = await import('../../../../src/ui/approvals/notice.ts');

describe('ui/approvals/notice: of the system', () => {
  const clock = holdClock();
  let settings: Record<string, unknown>;
  let runs: string[][];
  const { env, window, workspace } = vscode;

  beforeEach(() => {
    settings = { notifyOutside: true };
    runs = [];
    Object.assign(env, { uiKind: 1, remoteName: undefined, appName: 'VS Code', language: 'en' });
    const get = (name: string) => settings[name];
    Object.assign(workspace, { name: 'shop', getConfiguration: () => ({ get }) });
    window.state = { focused: false };
  });
  afterEach(() => {
    for (const name of ['name', 'getConfiguration']) delete workspace[name];
    delete window.state;
  });

  // On Windows the texts are variables.
  const run = ((program: string, args: string[], { env }: { env: NodeJS.ProcessEnv }) =>
    runs.push([program, ...args, `${env.TOAST_TITLE}`, `${env.TOAST_TEXT}`])) as never;
  const told = () => runs.splice(0).map((all) => all.slice(-2));

  describe('for questions', () => {
    const asks = (agent: string, others: string[] = [], more = {}) =>
      ({
        agent,
        subject: 'secret.ts',
        askedAt: Date.now(),
        endsAt: 0,
        askers: () => [agent, ...others].map((one) => ({ agent: one })),
        ...more,
      }) as never;

    const toldOf = async (question: never, ms = 10_000, notices = new OutsideNotices(run)) => {
      const watching = notices.watch(question);
      await clock.pass(ms);
      watching.dispose();
      await clock.pass(10_000);
      return told();
    };

    it('tells who waits, not for what, once the question has waited while nobody is in the window', async () => {
      const [[title, text] = [], ...others] = await toldOf(asks('<b>Codex</b>'));
      assert.deepEqual(others, []);
      assert.equal(text, '“ b Codex /b ” waits for your answer.');
      assert.equal(title, 'VS Code: shop');
    });

    it('tells nothing of a question that was answered, in a window with the focus or elsewhere, or if that is switched off', async () => {
      const question = asks('Codex');
      assert.deepEqual(await toldOf(question, 9_000), []);
      window.state = { focused: true };
      assert.deepEqual(await toldOf(question), []);
      window.state = { focused: false };
      settings = { notifyOutside: false };
      assert.deepEqual(await toldOf(question), []);
      [settings, env.remoteName] = [{ notifyOutside: true }, 'ssh-remote'];
      assert.deepEqual(await toldOf(question), []);
      [env.remoteName, env.uiKind] = [undefined, 2];
      assert.deepEqual(await toldOf(question), []);
    });

    it('has the time that is left in front of the title, rounded down', async () => {
      const titleWith = async (left: number) =>
        (await toldOf(asks('Codex', [], { endsAt: Date.now() + left })))[0]?.[0];
      assert.equal(await titleWith(179_000), '2 min left · VS Code: shop');
      assert.match(`${await titleWith(48_500)}`, /^4[78] s left · VS Code: shop$/);
      assert.equal(await titleWith(-1_000), 'VS Code: shop');
    });

    it('counts the questions that wait, and names each agent once', async () => {
      const several = await toldOf(asks('Claude Code', ['Codex', 'Claude Code']));
      assert.deepEqual(several, [
        ['VS Code: shop', '3 questions of “Claude Code” and “Codex” wait for your answer.'],
      ]);
    });

    it('tells of each question once, with that which was shown before it or alone', async () => {
      const notices = new OutsideNotices(run);
      const counted = asks('Codex');
      assert.equal((await toldOf(asks('Claude Code', ['Codex']), 10_000, notices)).length, 1);
      assert.deepEqual(await toldOf(counted, 10_000, notices), []);
      const later = asks('Gemini CLI', [], { askedAt: Date.now() + 1 });
      assert.match(`${await toldOf(later, 10_000, notices)}`, /“Gemini CLI” waits/);
    });
  });

  describe('for ends of turns', () => {
    const author = { id: 1, agent: 'Codex' };
    let journal: Journal;
    let following: { dispose(): void };

    beforeEach(() => {
      settings = { notifyTurnEnd: true };
      journal = new Journal();
      following = notifyOfTurnEnds(journal, run);
    });
    afterEach(() => following.dispose());

    const turn = async (ms = 10_000) => {
      journal.beginTurn(author, 'Find the secret');
      await clock.pass(ms);
      journal.endTurn(author);
    };

    it('tells whose turn has ended, not what it was for, while the user works elsewhere', async () => {
      await turn();
      await clock.pass(10_000);
      assert.deepEqual(told(), [['VS Code: shop', '“Codex” has ended its turn.']]);
      journal.endTurn(author);
      await clock.pass(10_000);
      assert.deepEqual(told(), []);
    });

    it('names the agent as it is called at the end', async () => {
      journal.beginTurn(author, '');
      await clock.pass(10_000);
      const named = { id: 2, agent: 'codex-mcp-client', number: 2 };
      journal.passTurn(author, named);
      journal.endTurn(named);
      await clock.pass(10_000);
      assert.match(`${told()}`, /“codex-mcp-client” #2 has ended/);
    });

    it('tells nothing of a short turn, one that the user has seen end, or if the user or the next prompt has come meanwhile', async () => {
      await turn(9_000);
      await clock.pass(10_000);
      window.state = { focused: true };
      await turn();
      window.state = { focused: false };
      await clock.pass(10_000);
      await turn();
      window.state = { focused: true };
      await clock.pass(10_000);
      window.state = { focused: false };
      await turn();
      await clock.pass(9_000);
      journal.beginTurn(author, 'Next');
      await clock.pass(10_000);
      assert.deepEqual(told(), []);
    });

    it('tells nothing unless the user wants it', async () => {
      settings = { notifyOutside: true };
      await turn();
      await clock.pass(10_000);
      assert.deepEqual(told(), []);
    });
  });
});
