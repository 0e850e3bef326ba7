import assert from 'node:assert/strict';
import { Emitter } from '../../../src/util/emitter.ts';

describe('util/emitter', () => {
  it('tells all that listen, each as often as it does, until it stops', () => {
    const emitter = new Emitter<number>();
    const heard: number[] = [];
    const listener = (event: number) => heard.push(event);
    const listening = [emitter.listen(listener), emitter.listen(listener)];
    emitter.fire(1);
    listening[0]?.dispose();
    emitter.fire(2);
    listening[1]?.dispose();
    assert.ok(emitter.isEmpty);
    emitter.fire(3);
    assert.deepEqual(heard, [1, 1, 2]);
  });
});
