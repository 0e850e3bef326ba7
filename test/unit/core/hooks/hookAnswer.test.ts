import assert from 'node:assert/strict';
import type { HookAgent, HookEvent, HookMoment, HookReply } from '../../../../src/core/hooks/event.ts';
import { hookAnswerOf } from '../../../../src/core/hooks/hookAnswer.ts';
import { HOOK_PROGRAMS } from '../../../../src/core/hooks/hookPrograms.ts';

const AGENTS = Object.keys(HOOK_PROGRAMS) as HookAgent[];

function said(
  agent: HookAgent,
  moment: HookMoment,
  reply: HookReply,
  more: Partial<HookEvent> = {},
): unknown {
  const answer = hookAnswerOf({ agent, moment, session: 's', cwd: '/ws', ...more }, reply);
  return answer === '' ? undefined : JSON.parse(answer);
}

const nested = (hookEventName: string, fields: object) => ({
  hookSpecificOutput: { hookEventName, ...fields },
});

describe('core/hooks/hookAnswer', () => {
  it('tells a model in the form that its agent reads, and in no other', () => {
    const additionalContext = 'a\n"b"';
    const told = (moment: HookMoment) =>
      AGENTS.map((agent) => said(agent, moment, { context: additionalContext }));
    assert.deepEqual(told('prompt'), [
      nested('UserPromptSubmit', { additionalContext }),
      nested('UserPromptSubmit', { additionalContext }),
      { additionalContext },
      nested('BeforeAgent', { additionalContext }),
      nested('UserPromptSubmit', { additionalContext }),
      { context: additionalContext },
    ]);
    assert.deepEqual(told('after'), [
      nested('PostToolUse', { additionalContext }),
      nested('PostToolUse', { additionalContext }),
      { additionalContext },
      nested('AfterTool', { additionalContext }),
      nested('PostToolUse', { additionalContext }),
      { context: additionalContext },
    ]);
    const failed = nested('PostToolUseFailure', { additionalContext });
    assert.deepEqual([told('failed')[0], told('failed')[4]], [failed, failed]);
    for (const moment of ['before', 'permission', 'stop'] as const)
      assert.deepEqual(new Set(told(moment)), new Set([undefined]));
  });

  it('lets a turn go on, and never twice', () => {
    const goOn = 'Fix a.ts:3';
    for (const agent of AGENTS) {
      const expected = agent === 'opencode' ? { context: goOn } : { decision: 'block', reason: goOn };
      assert.deepEqual(said(agent, 'stop', { goOn }), expected);
      assert.equal(said(agent, 'stop', { goOn }, { isContinued: true }), undefined);
      assert.equal(said(agent, 'after', { goOn }), undefined);
    }
  });

  it('allows and denies', () => {
    const denied = { behavior: 'deny', message: 'Not this' };
    const [yes, no] = [
      { isAllowed: true, reason: 'x' },
      { isAllowed: false, reason: 'Not this' },
    ];
    for (const agent of ['claude-code', 'codex'] as const) {
      const of = (decision: object) => nested('PermissionRequest', { decision });
      assert.deepEqual(said(agent, 'permission', { permission: yes }), of({ behavior: 'allow' }));
      assert.deepEqual(said(agent, 'permission', { permission: no }), of(denied));
    }
    assert.deepEqual(said('copilot-cli', 'permission', { permission: no }), denied);
    assert.deepEqual(said('copilot-cli', 'permission', { permission: { isAllowed: false } }), {
      behavior: 'deny',
    });
    for (const moment of ['prompt', 'before', 'after', 'stop'] as const)
      assert.equal(said('codex', moment, { permission: yes }), undefined);
  });

  it('says nothing where there is nothing to say', () => {
    for (const agent of AGENTS)
      for (const moment of ['prompt', 'before', 'after', 'permission', 'stop'] as const)
        assert.equal(said(agent, moment, { context: '', goOn: '' }), undefined);
  });
});
