import assert from 'node:assert/strict';
import { doorName } from '../../../../src/core/lsp/door.ts';

const { statusOf } = await import('../../../../src/ui/menus/statusBar.ts');

describe('ui/menus/statusBar', () => {
  const statusWith = ({ state = 'running', waiting = 0, open = [] as object[], names = ['A'] }) =>
    statusOf({
      server: { state },
      agents: { all: names.map((name) => ({ name })) },
      prompt: { waiting },
      proposals: { open },
    } as never);

  it('is amber while a question or a proposal waits, and counts both', () => {
    const [question, proposal, both] = [
      statusWith({ waiting: 1 }),
      statusWith({ open: [{}] }),
      statusWith({ waiting: 1, open: [{}] }),
    ];
    assert.deepEqual(proposal, question);
    const seen = [proposal.color, both.tooltip];
    assert.deepEqual(seen, ['warning', '2 questions are waiting. Connected agents: “A”.']);
    assert.equal(statusWith({}).color, undefined);
  });

  it('counts an agent once that asks language servers as well', () => {
    const texts = [['A', doorName('A')], [doorName('A')]].map((names) => statusWith({ names }).text);
    assert.deepEqual(texts, ['$(plug) MCP 1', '$(plug) MCP 1']);
  });

  it('says that a stopped server stays so', () =>
    assert.match(statusWith({ state: 'stopped' }).tooltip, /is stopped until you start it/));
});
