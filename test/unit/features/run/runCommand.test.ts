import assert from 'node:assert/strict';
import { runCommand } from '../../../../src/features/run/runCommand.ts';
import { readRun, sendToRun, stopRun } from '../../../../src/features/run/runs.ts';
import { realPathOf } from '../../../../src/util/diskPaths.ts';
import { onPosix } from '../../../temporary.ts';
import { until } from '../../../until.ts';
import { allowing, answer, refused } from '../editing.ts';
import { cleanUp, openWindow } from '../window.ts';

describe('features/run/runCommand: run_command', () => {
  afterEach(cleanUp);

  it('asks with the whole line, the folder and the environment, and runs nothing until then', async () => {
    const window = openWindow({ 'src/a.ts': '' });
    window.consent.answers.push({ deny: 'no' });
    const args = { command: 'touch made', cwd: 'src', env: { MODE: 'fast' } };
    await refused(window.run(runCommand, args), /no/);
    const [question] = window.consent.questions;
    const asked = {
      kind: 'run',
      commandLine: 'touch made',
      arguments: { cwd: realPathOf(window.path('src')), env: { MODE: 'fast' } },
    };
    assert.partialDeepStrictEqual(question, asked);
    assert.equal(window.ctx.agentRuns.all.length, 0);
  });

  onPosix('answers with exit code and output', async () => {
    const window = allowing({ 'src/a.ts': '' });
    const told = await answer(window, runCommand, { command: 'ls; exit 2', cwd: 'src' });
    assert.match(told, /^Run 1 \(ls; exit 2\) ended with exit code 2 after \d\.\d s\.\n\na\.ts$/);
  });

  onPosix(
    'has the environment of the user’s terminals, without editors and pagers, and its own above all',
    async () => {
      const window = allowing({});
      window.fake.runs.environment = { SHOP_HOME: '/opt/shop', PAGER: 'less', LINES_OF: 'a\nb' };
      window.fake.person.sets('terminal.integrated.defaultProfile.linux', 'mine');
      window.fake.person.sets('terminal.integrated.profiles.linux', { mine: { env: { OF_PROFILE: '1' } } });
      const names = 'SHOP_HOME OF_PROFILE PAGER GIT_EDITOR VISUAL GIT_MERGE_AUTOEDIT LINES_OF'.split(' ');
      const command = `printf '%s|' ${names.map((name) => `"$${name}"`).join(' ')}`;
      const told = await answer(window, runCommand, { command, env: { VISUAL: 'vi' } });
      assert.match(told, /\n\n\/opt\/shop\|1\|cat\|true\|vi\|no\|a\nb\|$/);
    },
  );

  onPosix('that takes longer goes on, is read, typed into and stopped', async () => {
    const window = allowing({});
    const command = 'echo ready; read -r name; echo "for $name"; sleep 1000';
    const said = await answer(window, runCommand, { command, wait: 0.5 });
    assert.match(said, /still runs after \d s\. read_run \{"run":1\} waits on, send_to_run .*\n\nready$/);
    assert.match(await answer(window, sendToRun, { run: 1, text: 'me', wait: 0.3 }), /for me/);
    assert.match(await answer(window, readRun, { run: 1, until: 'for me', wait: 5 }), /ready\nfor me/);
    await refused(
      window.run(readRun, { until: 'gone' }),
      /Pass run, the number of a run\.\nRun 1 \(echo ready;/,
    );
    const answered = await answer(window, readRun, { run: 1, until: 'gone', wait: 0 });
    assert.match(answered, /"gone" is not in the output yet/);
    assert.match(await answer(window, stopRun, { run: 1 }), /was stopped by an agent, and ended by SIGTERM/);
    assert.match(await answer(window, stopRun, { run: 1 }), /It had ended before/);
    await refused(window.run(sendToRun, { run: 1, text: 'x' }), /has ended\. Nothing was sent/);
    await refused(window.run(readRun, { run: 2 }), /There is no run 2\. The runs of this window are 1/);
  });

  onPosix('that asks twice is answered with its next question', async () => {
    const window = allowing({});
    const command = `printf 'Name? '; read -r name; echo; printf "Age of $name? "; sleep 1000`;
    await answer(window, runCommand, { command, wait: 0.3 });
    const told = await answer(window, sendToRun, { run: 1, text: 'me', wait: 0.3 });
    assert.match(told, /\n\nName\?\nAge of me\? *$/);
    await answer(window, stopRun, { run: 1 });
  });

  onPosix('of a long output has its first and last lines, and pages with the rest', async () => {
    const window = allowing({});
    const told = await answer(window, runCommand, { command: 'seq 10000', maxCharacters: 2000 });
    const [, from] =
      /\n\n1\n2\n[\s\S]*\[lines (\d+) to \d+ are left out here; fromLine \d+ reads them\]\n[\s\S]*\n10000$/.exec(
        told,
      ) ?? [];
    assert.ok(from && told.length < 2_300, told);
    const page = await answer(window, readRun, { run: 1, fromLine: Number(from), maxCharacters: 1000 });
    assert.match(
      page,
      new RegExp(`\\n\\n${from}\\n[\\s\\S]*\\[lines ${from} to \\d+ of 10000; go on with fromLine \\d+\\]$`),
    );
    assert.match(await answer(window, readRun, { run: 1, fromLine: 20_000 }), /It has 10000 lines/);
  });

  onPosix('of one long line has its beginning and its end, and is read on in the line', async () => {
    const window = allowing({ 'long.txt': `${'a'.repeat(3_000)}${'b'.repeat(3_000)}` });
    const told = await answer(window, runCommand, {
      command: 'echo before; cat long.txt; echo; echo after',
      maxCharacters: 2000,
    });
    const [, column, end] =
      /\n\nbefore\na{400,}\n\[columns (\d+) to (\d+) of line 2 are left out here; fromLine 2 with fromColumn \1 reads on\]\nb{1400,}\nafter$/.exec(
        told,
      ) ?? assert.fail(told);
    const { length } = /\nb{9,}/.exec(told)?.[0] ?? '';
    assert.equal(Number(end) + length - 1, 6_000);
    const read = { run: 1, fromLine: 2, fromColumn: Number(column), maxCharacters: 2000 };
    const [, next] =
      /\n\na{2000}\n\[lines 2 to 2, column \d+, of 3; go on with fromLine 2 with fromColumn (\d+)\]$/.exec(
        await answer(window, readRun, read),
      ) ?? assert.fail();
    assert.equal(Number(next), Number(column) + 2_000);
    assert.match(await answer(window, readRun, { ...read, fromColumn: 5_990 }), /\n\nb{11}\nafter$/);
    assert.match(await answer(window, readRun, { ...read, fromColumn: 9_000 }), /Line 2 has 6000 columns/);
  });

  onPosix(
    'that waits for input says so after a moment, and only then; also where its question is redacted',
    async () => {
      const window = allowing({}, { user: { 'workspaceMcp.access.redact': ['key-\\d+'] } });
      const asks = answer(window, runCommand, {
        command: 'printf "Remove key-1? [y/N] "; read -r a; echo "got $a"',
      });
      assert.match(
        await asks,
        /still runs after \d s, and seems to wait for input: Remove \[redacted\]\? \[y\/N\]\nsend_to_run answers it; .*\n\nRemove \[redacted\]\? \[y\/N\] ?$/,
      );
      assert.match(await answer(window, sendToRun, { run: 1, text: 'y', wait: 5 }), /got y/);
      assert.match(await answer(window, runCommand, { command: 'cat' }), /and seems to wait for input\.\n/);
      await answer(window, stopRun, { run: 2 });
      for (const works of ['printf Compiling...; sleep 1.5; echo done'])
        assert.match(await answer(window, runCommand, { command: works }), /exit code 0 .*done$/s);
    },
  );

  onPosix('is told from the first line that it has drawn again once something is typed', async () => {
    const window = allowing({});
    const draw = String.raw`stty -echo 2>/dev/null; printf 'pick\n> a\n  b\n  c\n'; read x; printf '\033[3A\033[2K  a\n\033[2K> b\n\033[1B'; read x`;
    assert.match(await answer(window, runCommand, { command: draw }), /\n\npick\n> a\n {2}b\n {2}c$/);
    assert.match(await answer(window, sendToRun, { run: 1, text: '' }), /\n\n {2}a\n> b\n {2}c$/);
  });

  onPosix('goes on once a text has come, and is listed beside those that have ended', async () => {
    const window = allowing({});
    const command = 'echo ready; sleep 1000';
    const started = answer(window, runCommand, { command, until: 'ready' });
    assert.match(await started, /^Run 1 \(echo ready; .* still runs .*\n\nready$/);
    const missed = answer(window, runCommand, { command: 'echo done', until: 'ready' });
    const told = await missed;
    assert.match(told, /^Run 2 .* ended with exit code 0 .*\n\ndone\n"ready" is not in the output\.$/);
    assert.match(await answer(window, readRun), /\nRun 2 \(echo done\) ended .*\nRun 1 \(echo .* still runs/);
    await answer(window, stopRun, { run: 1 });
  });

  onPosix('is read until a text comes, from a line on', async () => {
    const window = allowing({}, { user: { 'workspaceMcp.access.redact': ['key-\\d+'] } });
    const command = 'seq 5; read -r x; echo "5 $x"; printf "no line end"';
    await answer(window, runCommand, { command, wait: 0.3 });
    const read = { run: 1, until: '5', fromLine: 6 };
    assert.match(await answer(window, readRun, { ...read, wait: 0 }), /"5" is not in the output yet/);
    const early = await answer(window, readRun, { run: 1, until: '3', wait: 5 });
    assert.match(early, /"3" is in line 3 of 5: fromLine looks later\./);
    const waiting = answer(window, readRun, read);
    await answer(window, sendToRun, { run: 1, text: 'more', wait: 0 });
    assert.match(await waiting, /\n\n5 more/);
    const said = await answer(window, readRun, { run: 1, until: 'no line end', wait: 5 });
    assert.match(said, /5 more\nno line end$/);
  });

  onPosix('hides a secret that text before its line makes one', async () => {
    const window = allowing({}, { user: { 'workspaceMcp.access.redact': ['(?<=key:\\s)\\w+'] } });
    await answer(window, runCommand, { command: 'echo key:; echo hidden' });
    assert.match(await answer(window, readRun, { run: 1, fromLine: 2 }), /\n\n\[redacted\]$/);
  });

  onPosix('hides secrets in its output and its pages', async () => {
    const window = allowing({}, { user: { 'workspaceMcp.access.redact': ['key-\\d+'] } });
    const told = await answer(window, runCommand, { command: 'echo key-123; seq 3' });
    assert.match(told, /\[redacted\]\n1\n2\n3/);
    assert.doesNotMatch(await answer(window, readRun, { run: 1, fromLine: 1 }), /key-123/);
  });

  it('of more than literal words is asked about each time, whatever the user answers; not if their settings allow it', async () => {
    const window = openWindow({});
    window.consent.otherwise = () => ({ allow: 'session' });
    for (let count = 1; count <= 2; count++) {
      await answer(window, runCommand, { command: 'true; true' });
      assert.equal(window.consent.questions.length, count);
    }
    window.fake.person.sets('workspaceMcp.approvals', { run: 'allow' });
    await answer(window, runCommand, { command: 'true; true' });
    assert.equal(window.consent.questions.length, 2);
  });

  onPosix('gives nothing of a secret away: by a text to wait for, or a line that is cut', async () => {
    const window = allowing({}, { user: { 'workspaceMcp.access.redact': ['key-\\d+'] } });
    await answer(window, runCommand, { command: 'echo key-4711; printf "Sure? "; read -r x', wait: 0.5 });
    const told = await answer(window, readRun, { run: 1, until: 'key-4', wait: 0 });
    assert.match(told, /"key-4" is not in the output yet/);
    const said = await answer(window, readRun, { run: 1 });
    assert.match(said, /\[redacted\]\n\n?\[?(the last line has not ended: it may be a question|Sure\?)/);
    const long = `printf key-12345678901234567890; head -c 63985 /dev/zero | tr "\\0" x; echo`;
    assert.doesNotMatch(await answer(window, runCommand, { command: long }), /\d{6}/);
  });

  it('in the shell of the user is asked for as such; a line is refused that its editor would change', async () => {
    const window = openWindow({});
    const args = { command: 'build', userShell: true };
    window.consent.answers.push({ deny: 'no' });
    await refused(window.run(runCommand, args), /no/);
    assert.match(String(window.consent.questions[0]?.arguments?.shell), /reads your profile/);
    for (const [command, reason] of [
      ['a\nb', /one line/],
      ['cat /et\tc', /ASCII/],
      ['a\x03b', /ASCII/],
      ['echo \u00ae', /ASCII/],
      ['x'.repeat(1001), /1000 characters/],
    ] as const)
      await refused(window.run(runCommand, { command: command, userShell: true }), reason);
    await refused(window.run(runCommand, { ...args, env: { A: 'b' } }), /takes no env/);
    assert.equal(window.consent.questions.length, 1);
  });

  it('in the shell of the user is typed into with the question that says what the shell does', async () => {
    const window = openWindow({});
    window.consent.answers.push({ allow: 'once' }, { deny: 'no' });
    await answer(window, runCommand, { command: 'build', userShell: true, wait: 0 });
    await refused(window.run(sendToRun, { run: 1, text: 'yes' }), /takes no input/);
    const { runs } = window.fake;
    const shell = runs.shells[0] ?? assert.fail();
    shell.joins(window.fake.api.Uri.file(window.path('').replace(/\/$/, '')));
    await until(() => shell.given.length > 0, 'the line');
    runs.enters(shell, 'build', shell.given[0]);
    await refused(window.run(sendToRun, { run: 1, text: 'yes' }), /no/);
    assert.match(String(window.consent.questions[1]?.arguments?.note), /run as a command by your shell/);
    window.ctx.agentRuns.dispose();
  });

  onPosix(
    'does not start if a pattern of redaction cannot be used, then or when the user has answered',
    async () => {
      const window = allowing({}, { user: { 'workspaceMcp.access.redact': ['(unclosed'] } });
      const args = { command: 'touch made' };
      await refused(window.run(runCommand, args), /cannot be used \(Unterminated group/);
      window.fake.person.sets('workspaceMcp.access.redact', []);
      window.consent.otherwise = () => {
        window.fake.person.sets('workspaceMcp.access.redact', ['(unclosed']);
        return { allow: 'once' };
      };
      window.fake.person.sets('workspaceMcp.approvals', {});
      await refused(window.run(runCommand, args), /cannot be used/);
      assert.deepEqual([window.ctx.agentRuns.all.length, window.consent.questions.length], [0, 1]);
    },
  );

  onPosix('is refused where it cannot run', async () => {
    const window = allowing({ a: { 'f.txt': '' }, b: {} } as never);
    for (const [args, reason] of [
      [{ command: 'rm -r a\0 --dry-run' }, /No NUL/],
      [{ command: 'true', env: { 'A=B': 'c' } }, /no "=" in names/],
      [{ command: 'true' }, /several folders.*cwd: a\/?, b/],
      [{ command: 'true', cwd: 'a/f.txt' }, /is not a folder/],
      [{ command: 'true', cwd: '/usr' }, /not in a workspace folder|outside/],
    ] as const)
      await refused(window.run(runCommand, args), reason);
    assert.equal(window.ctx.agentRuns.all.length, 0);
  });
});
