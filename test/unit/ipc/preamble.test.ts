import assert from 'node:assert/strict';
import { proofOf, sameProof } from '../../../src/ipc/preamble.ts';

describe('ipc/preamble', () => {
  it('makes proofs that depend on side, token and both nonces', () => {
    const proofs = [
      proofOf('window', 't', 'a', 'b'),
      proofOf('shim', 't', 'a', 'b'),
      proofOf('window', 'u', 'a', 'b'),
      proofOf('window', 't', 'b', 'a'),
    ];
    assert.equal(new Set(proofs).size, 4);
    assert.equal(sameProof(proofs[0] ?? '', proofs[0]), true);
    for (const other of [proofs[1], '', undefined, 1]) assert.equal(sameProof(proofs[0] ?? '', other), false);
  });
});
