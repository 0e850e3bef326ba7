import assert from 'node:assert/strict';
import { CLIENTS } from '../../../../src/core/clients.ts';
import { claudeHookInput, HOOK_PROGRAMS, hookProgram } from '../../../../src/core/hooks/hookPrograms.ts';

describe('core/hooks/hookPrograms', () => {
  it('knows programs by the ids of the table of clients, and no others', () => {
    for (const id of Object.keys(HOOK_PROGRAMS)) assert.ok(id in CLIENTS && hookProgram(id));
    for (const id of ['cursor', '__proto__', 'constructor', '']) assert.equal(hookProgram(id), undefined);
  });

  it('lets Claude Code send texts only where they are looked at', () => {
    const names = (moment: Parameters<typeof claudeHookInput>[0]) => Object.keys(claudeHookInput(moment));
    assert.deepEqual(names('prompt'), ['event', 'session', 'cwd', 'prompt']);
    assert.deepEqual(names('stop'), ['event', 'session', 'cwd', 'continued']);
    assert.deepEqual(names('permission'), ['event', 'session', 'cwd', 'tool', 'call', 'input']);
    const edit = ['event', 'session', 'cwd', 'tool', 'call', 'path', 'notebook', 'command'];
    assert.deepEqual([names('before'), names('after'), names('failed')], [edit, edit, edit]);
  });
});
