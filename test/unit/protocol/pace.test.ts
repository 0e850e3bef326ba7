import assert from 'node:assert/strict';
import { Pace } from '../../../src/protocol/pace.ts';
import { holdClock } from '../../fakes/clock.ts';

describe('protocol/pace', () => {
  const clock = holdClock();

  it('tells the first at once, then one a pause, and the last one always', () => {
    const pace = new Pace(250);
    const told: number[] = [];
    for (let at = 0; at < 1000; at += 10) {
      pace.tell('a', () => told.push(at));
      clock.tick(10);
    }
    assert.deepEqual(told, [0, 240, 490, 740, 990]);
    for (let count = 0; count < 10; count++) clock.tick(250);
    assert.equal(told.length, 5, 'nothing is told twice');
  });

  it('lets each key have its own pause, and begins at once again after one', () => {
    const pace = new Pace(250);
    const told: string[] = [];
    for (const key of ['a', 'b', 'a']) pace.tell(key, () => told.push(key));
    assert.deepEqual(told, ['a', 'b']);
    for (let count = 0; count < 3; count++) clock.tick(250);
    pace.tell('a', () => told.push('a'));
    assert.deepEqual(told, ['a', 'b', 'a', 'a']);
  });

  it('tells nothing once disposed of', () => {
    const pace = new Pace(250);
    let told = 0;
    for (let count = 0; count < 2; count++) pace.tell('a', () => told++);
    pace.dispose();
    clock.tick(1000);
    assert.equal(told, 1);
  });
});
