import assert from 'node:assert/strict';
import { holdClock } from '../../../fakes/clock.ts';

const vscode = (await import('vscode' as string)).default;
const { notifyOutside } = await import('../../../../src/ui/approvals/notice.ts');

describe('ui/approvals/notice: of the system', () => {
  const clock = holdClock();
  const question = { agent: '<b>Codex</b>', subject: 'secret.ts' } as never;
  let isOn = true;
  const { env, window, workspace } = vscode;

  beforeEach(() => {
    isOn = true;
    Object.assign(env, { uiKind: 1, remoteName: undefined, appName: 'VS Code' });
    Object.assign(workspace, { name: 'shop', getConfiguration: () => ({ get: () => isOn }) });
    window.state = { focused: false };
  });
  afterEach(() => {
    for (const name of ['name', 'getConfiguration']) delete workspace[name];
    delete window.state;
  });

  const told = async (ms = 10_000) => {
    const runs: string[][] = [];
    // On Windows the texts are variables.
    const run = (program: string, args: string[], { env }: { env: NodeJS.ProcessEnv }) =>
      runs.push([program, ...args, `${env.TOAST_TITLE}`, `${env.TOAST_TEXT}`]);
    const telling = notifyOutside(question, run as never);
    await clock.pass(ms);
    telling.dispose();
    await clock.pass(10_000);
    return runs;
  };

  it('tells who waits, not for what, once the question has waited while nobody is in VS Code', async () => {
    const [[, ...args] = [], ...others] = await told();
    assert.deepEqual(others, []);
    assert.equal(args.at(-1), '“ b Codex /b ” waits for your answer.');
    assert.equal(args.at(-2), 'VS Code: shop');
    assert.doesNotMatch(args.join(), /secret/);
  });

  it('tells nothing of a question that was answered, in a window with the focus or elsewhere, or if that is switched off', async () => {
    assert.deepEqual(await told(9_000), []);
    window.state = { focused: true };
    assert.deepEqual(await told(), []);
    window.state = { focused: false };
    isOn = false;
    assert.deepEqual(await told(), []);
    [isOn, env.remoteName] = [true, 'ssh-remote'];
    assert.deepEqual(await told(), []);
    [env.remoteName, env.uiKind] = [undefined, 2];
    assert.deepEqual(await told(), []);
  });
});
