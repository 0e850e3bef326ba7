import assert from 'node:assert/strict';
import { holdClock } from '../../../fakes/clock.ts';
import { refused } from '../editing.ts';
import { cleanUp, type Window } from '../window.ts';
import { clock, debugging, evaluates, stopped } from './debugging.ts';

describe('features/debug/debugEvaluate: an expression', () => {
  holdClock(clock);
  afterEach(cleanUp);
  let window: Window;
  beforeEach(() => {
    window = debugging();
  });

  it('is evaluated in a frame, with members, within bounds', async () => {
    const session = await stopped(window);
    session.answers.evaluate = ({ frameId, context }) => {
      assert.deepEqual([frameId, context], [7, 'repl']);
      return { result: 'x'.repeat(30_000), variablesReference: 5 };
    };
    session.answers.variables = ({ variablesReference }) => ({
      variables: Array.from({ length: 60 }, (_, index) => ({
        name: `${index}`,
        value: `of ${variablesReference}`,
        variablesReference: 0,
      })),
    });
    assert.match(
      await evaluates(window, { expression: 'list' }),
      /^list = x{19993}\n {2}0 = of 5\n[\s\S]* {2}49 = of 5\n {2}…\nThe value has 30000 characters; 20000 are shown\.$/,
    );
    assert.equal(window.consent.questions.at(-1)?.commandLine, 'list');
  });

  it('names a variable that is set, in the way that the adapter has', async () => {
    const session = await stopped(window, [{ name: 'sum', value: '0', variablesReference: 0 }]);
    session.answers.setVariable = ({ name, value }) => ({ value: `${name} now ${value}` });
    const set = (expression: string) => evaluates(window, { expression, value: '5' });
    assert.equal(await set('sum'), 'sum = sum now 5');
    await refused(set('other'), /no scope of the frame has "other"/);
    session.answers.setExpression = () => ({ value: '6' });
    assert.equal(await set('other'), 'other = 6');
  });

  it('that throws is told in one line, with secrets redacted; one that does not end is told too', async () => {
    window.fake.person.sets('workspaceMcp.access.redact', ['key-\\d+']);
    const session = await stopped(window);
    session.answers.evaluate = () => {
      throw new Error('Error: key-123\n    at eval\n');
    };
    const evaluated = () => evaluates(window, { expression: 'fail()' });
    await refused(evaluated(), /^The debugger refuses evaluate: Error: \[redacted\] at eval$/);
    session.answers.evaluate = () => new Promise(() => {});
    await refused(evaluated(), /does not answer evaluate: .* stop the session with debug_control/);
  });

  it('is answered late where the workbench between is busy: the debugger is not to blame', async () => {
    const session = await stopped(window);
    session.answers.evaluate = () => ({ result: '3', variablesReference: 0 });
    session.workbench = new Promise((resolve) => void clock.after(12_000, resolve));
    assert.equal(await evaluates(window, { expression: 'sum' }), 'sum = 3');
  });

  it('is not evaluated if the program goes on while the user is asked', async () => {
    const session = await stopped(window);
    window.consent.otherwise = () => {
      session.tells('continued', { threadId: 0 });
      return { allow: 'once' };
    };
    await refused(evaluates(window, { expression: 'sum' }), /has gone on meanwhile/);
  });
});
