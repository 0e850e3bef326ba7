import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type BadPattern, PatternTime } from '../../../../src/access/redaction/patterns.ts';
import { REDACTED, Redaction } from '../../../../src/access/redaction/redaction.ts';
import { UserError } from '../../../../src/core/errors.ts';
import { endRunsSoon } from '../../../fakes/runBounded.ts';

const redact = (text: string, ...patterns: string[]) => new Redaction(patterns).redact(text);

describe('access/redaction/redaction', () => {
  const CASES: Record<string, [text: string, patterns: string[], expected: string]> = {
    'redacts every match': ['k1 b k2', ['k\\d'], `${REDACTED} b ${REDACTED}`],
    'makes one of matches that overlap or touch': ['abcdef', ['bc', 'cd', 'e'], `a${REDACTED}f`],
    'takes no notice of empty matches': ['ab', ['x*', '^', '$', '(?=b)'], 'ab'],
    'takes ^ and $ for the ends of lines': ['a=1\r\na=2\nb', ['^a=\\d$'], `${REDACTED}\r\n${REDACTED}\nb`],
    'minds case': ['Key key', ['key'], `Key ${REDACTED}`],
    'takes flags': ['Key\nb', ['/KEY.b/is'], `${REDACTED}\n${REDACTED}`],
    'keeps all line ends, and empty lines': [
      'x BEGIN\r\na\r\n\r\nb\rc\nEND y',
      ['BEGIN[^]*END'],
      `x ${REDACTED}\r\n${REDACTED}\r\n\r\n${REDACTED}\r${REDACTED}\n${REDACTED} y`,
    ],
    'takes \\n for every line end': ['a\r\nb', ['a\\nb'], `${REDACTED}\r\n${REDACTED}`],
    'leaves newlines at the ends of a match': ['a\n\nb\n', ['\\n+b\\n'], `a\n\n${REDACTED}\n`],
    'is not moved by a newline alone': ['a\nb', ['\\n'], 'a\nb'],
    'cuts no character in two': ['a😀b', ['.(?=b)'], `a${REDACTED}b`],
    'looks around': ['password = hunter2 # x', ['(?<=password\\s*=\\s*)\\S+'], `password = ${REDACTED} # x`],
    'takes a path for no flags': ['/srv/xy', ['/srv/x'], `${REDACTED}y`],
    'takes slashes alone, and flags that make no difference': ['k2', ['/x/', '/k\\d/gu'], REDACTED],
    'takes sets': ['ab12', ['/[\\w--\\d]+/v'], `${REDACTED}12`],
    'takes white space around a pattern for none of it': ['k1', [' k\\d\n'], REDACTED],
  };
  for (const [name, [text, patterns, expected]] of Object.entries(CASES))
    it(name, () => assert.equal(redact(text, ...patterns), expected));

  for (const [name, pattern, reason] of [
    ['is no expression', 'hunter2(', /Unterminated group/],
    ['has what JavaScript does not know', '(?x)hunter2', /Invalid group/],
    ['is written wrongly', 'hunter2\\-', /Invalid escape/],
    ['has flags that there are not', '/hunter2\\w+/x', /not valid JavaScript flags/],
    ['is too long', 'hunter2'.repeat(200), /more than 1000 characters/],
  ] as const)
    it(`reads nothing where a pattern ${name}, and does not quote it`, () => {
      const redaction = new Redaction(['a', pattern]);
      assert.ok(!redaction.isOff);
      assert.equal(redaction.broken?.pattern, pattern);
      for (const text of ['', 'x'])
        assert.throws(
          () => redaction.redact(text),
          ({ name, message }: Error) =>
            name === 'UserError' &&
            message.includes('workspaceMcp.access.redact') &&
            reason.test(message) &&
            !message.includes('hunter2'),
        );
    });

  it('reads nothing where there are too many patterns', () =>
    assert.throws(() => redact('x', ...Array.from({ length: 101 }, (_, at) => `a${at}`)), /more than 100/));

  describe('where a pattern is too slow', () => {
    endRunsSoon();
    const text = `${'a'.repeat(60)}b`;

    it('ends it, or one that is too much, and does not quote it', () => {
      const slow = new Redaction(['^(a+)+$']);
      assert.throws(
        () => slow.redact(text),
        (error: Error) => /longer than 1000 ms/.test(error.message) && !error.message.includes('a+'),
      );
      assert.equal(slow.redact('x\naa'), `x\n${REDACTED}`, 'another text can be read');
      const deep = new Redaction(['(?:a|b)*c']);
      assert.throws(() => deep.redact('ab'.repeat(5_000_000)), UserError);
    });

    it('does not try a text again, and tells which pattern it was', () => {
      const time = new PatternTime();
      const told: BadPattern[] = [];
      const slow = new Redaction(['b', '^(a+)+$'], { time, onSlow: (pattern) => told.push(pattern) });
      assert.throws(() => slow.redact(text), UserError);
      time.run = () => assert.fail('It was tried again.');
      assert.throws(() => slow.redact(text), /This cannot be read:.* longer than 1000 ms/);
      assert.deepEqual(told, [{ pattern: '^(a+)+$' }]);
    });
  });

  it('redacts nothing twice', () => {
    assert.equal(redact(`${REDACTED} abcdefgh`, '\\w{8}', '\\[redacted\\]'), `${REDACTED} ${REDACTED}`);
    assert.equal(redact(`a${REDACTED}b`, '\\S+'), REDACTED);
    assert.equal(redact('[redacted xx', '\\w{8}'), `[${REDACTED} xx`);
  });

  it('knows which patterns stay in their line, and takes all others for ones that do not', () => {
    const stays = (...patterns: string[]) => new Redaction(patterns).staysInLine;
    const ONES = ['sk-[A-Z0-9]{20,}', '/(?<=a\\s*=\\s*)\\S+/i', '^a.*\\d$', 'a|b\\.\\b', '(?=x)[ -~]+'];
    for (const pattern of ONES) assert.ok(stays(pattern), pattern);
    const OTHERS = ['a\\s', 'B[\\s\\S]*?E', '[^"]+', '/a.*/s', 'a\\nb', 'a\nb', '\\W', '[\\t-z]', '[\t-z]'];
    OTHERS.push('\\u{a}', '\\x0a', '\\p{Cc}', '(?<=a)\\w+(?=\\s)', 'x(?<=\\s)', '[(?<=\\s)]');
    for (const pattern of OTHERS) assert.ok(!stays(...ONES, pattern), pattern);
    const isAlone = (...patterns: string[]) => new Redaction(patterns).isByLine;
    assert.deepEqual([isAlone('^a.*\\d$', '(?<=key=)\\w+'), isAlone('(?<=key=\\s*)\\w+')], [true, false]);
  });

  describe('in a notebook', () => {
    const json = (source: unknown) => JSON.stringify({ nbformat: 4, cells: [{ cell_type: 'code', source }] });
    const redacted = (source: unknown, ...patterns: string[]) =>
      new Redaction(patterns).of('a/n.ipynb').redact(json(source));

    it('finds what its strings read, however they are spelled', () => {
      const README = '(?<=password\\s*=\\s*)"\\S+"';
      const shown = redacted(['password = "hunter2"\n', 'x'], README);
      assert.equal(shown, json([`password = ${REDACTED}\n`, 'x']));
      assert.doesNotMatch(redacted('tab\thunter\\2', '(?<=\t)\\w+\\\\\\d'), /hunter|2/);
      const spelled = json('kéy').replace('é', '\\u00e9');
      assert.equal(new Redaction(['kéy']).of('n.ipynb').redact(spelled), json(REDACTED));
    });

    it('finds what is more than one string', () => {
      const key = ['-----BEGIN\n', 'MII"abc\n', '-----END\n', 'free'];
      const shown = redacted(key, '-----BEGIN\\n[^\\n]+\\n-----END');
      assert.equal(shown, json([REDACTED, REDACTED, `${REDACTED}\n`, 'free']));
    });

    it('finds what its JSON spells as well, and takes other files as they are', () => {
      assert.equal(redacted('x', '(?<="nbformat":)\\d'), json('x').replace('4', REDACTED));
      const redaction = new Redaction(['"a"']);
      assert.equal(redaction.of('a.json'), redaction);
      assert.equal(redaction.of('N.IPYNB'), redaction.of('n.ipynb'));
    });
  });

  it('lets nothing of a secret through, and keeps all else in its line', () => {
    const secret = fc.stringMatching(/^k[0-9]{4}$/);
    const plain = fc.stringMatching(/^[a-j \n\r😀]{0,12}$/u);
    fc.assert(
      fc.property(fc.array(fc.tuple(plain, secret)), plain, (parts, last) => {
        const text = parts.flat().join('') + last;
        const shown = redact(text, 'k\\d{4}', '\\d+');
        for (const [, one] of parts) assert.ok(!shown.includes(one) && !/\d/.test(shown));
        const blank = text.replace(/(k\d{4})+/g, REDACTED);
        assert.equal(shown, blank);
        assert.equal(shown.split('\n').length, text.split('\n').length);
      }),
    );
  });
});
