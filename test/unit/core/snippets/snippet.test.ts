// biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is how snippets are written
import assert from 'node:assert/strict';
import { mock } from 'node:test';
import type { Expansion, TabStop } from '../../../../src/core/snippets/snippet.ts';
import { expandSnippet, tabStops } from '../../../../src/core/snippets/snippet.ts';
import { parseSnippet } from '../../../../src/core/snippets/syntax.ts';
import { callsOf } from '../callsOf.ts';
import inserted from './inserted.json' with { type: 'json' };

const EDITOR = new Map([
  ['TM_FILENAME', 'example-123.456-TEST.js'],
  ['WORKSPACE_NAME', 'shop'],
  ['foo', 'never asked for'],
]);
const stops = (body: string) => tabStops(parseSnippet(body));
const expand = (body: string, values: Expansion['values'] = {}) =>
  expandSnippet(parseSnippet(body), { values, variable: (name) => EDITOR.get(name) });

describe('core/snippets/snippet: tabStops', () => {
  /** `2 name=default of one|two`; those without `=` are required. */
  const shown = ({ number, name, required, defaultText = '', choices }: TabStop) =>
    `${number} ${name}${required ? '' : `=${defaultText}`}${choices ? ` of ${choices.join('|')}` : ''}`;
  const cases: [body: string, stops: string][] = [
    ['$2 $1', '1 arg1, 2 arg2'],
    ['${1:array} $1 ${1/a/b/}', '1 array=array'],
    ['${1|1,2|} ${2|größe,maß|}', '1 choice_1_or_2=1 of 1|2, 2 arg2=größe of größe|maß'],
    [
      '${1|a-first-long-choice,and-a-second-one,a-third|}',
      '1 a_first_long_choice_or_other=a-first-long-choice of a-first-long-choice|and-a-second-one|a-third',
    ],
    ['${1:user-name} ${2:user name}', '1 user_name=user-name, 2 user_name_2=user name'],
    ['${1:a} ${2:a} ${3:a_2} ${4:a}', '1 a=a, 2 a_2=a, 3 a_2_2=a_2, 4 a_3=a'],
    ['${1:<Name>} ${2:_x} ${3:1st} ${4:...}', '1 Name=<Name>, 2 _x=_x, 3 arg3=1st, 4 arg4=...'],
    ['${1:größe} ${2:two\nlines}', '1 arg1=größe, 2 arg2=two\nlines'],
    ['${1:all ${2:of} it}', '1 all_of_it=all of it, 2 of=of'],
    ['${1} $2st ${3:}', '1 arg1, 2 arg2, 3 arg3'],
    ['${1|$2,}|}', '1 choice_2_or=$2 of $2|}'],
    [
      '${1|one,esc\\,aped,p\\|pe,back\\\\slash,k\\ept|}',
      '1 one_or_esc_aped_or_p_pe_or_other=one of one|esc,aped|p|pe|back\\slash|k\\ept',
    ],
    ['${1:a $2}', '1 a=a , 2 arg2='],
    ['${1:a $2} $2', '1 a=a , 2 arg2'],
    ['$foo ${4:x} ${foo}', '4 x=x, 5 foo=foo'],
    ['${foo:$1}', '1 arg1='],
  ];
  for (const [body, expected] of cases)
    it(`finds the arguments of ${JSON.stringify(body)}`, () =>
      assert.equal(stops(body).map(shown).join(', '), expected));

  it('takes no text of more than 40 characters for a name', () =>
    assert.deepEqual(
      stops(`\${1:${'x'.repeat(40)}} \${2:${'y'.repeat(41)}}`).map(({ name }) => name),
      ['x'.repeat(40), 'arg2'],
    ));
});

describe('core/snippets/snippet: expandSnippet', () => {
  it('gives the text that VS Code inserts, as recorded', () => {
    assert.ok(inserted.length >= 200);
    for (const [body = '', text] of inserted) assert.equal(expand(body), text, body);
  });

  const cases: [body: string, text: string, values?: Record<number, string>][] = [
    ['for (const ${2:element} of ${1:array}) {\n\t$0\n}', 'for (const x of array) {\n\t\n}', { 2: 'x' }],
    ['$1-$1-${1:a}', 'b-b-b', { 1: 'b' }],
    ['${1:a ${2:b}} $2', 'x c', { 1: 'x', 2: 'c' }],
    ['${1:a}', '', { 1: '' }],
    ['$1', '${2:x} \\$', { 1: '${2:x} \\$' }],
    ['${0:end}$0', 'end', { 0: 'no' }],
    ['$1st', 'xst', { 1: 'x' }],
    ['${1:{}}', '{}'],
    ['${1:x ${2:y} and $WORKSPACE_NAME}', 'x y and shop'],
    ['${bar1:default $1}', 'default x', { 1: 'x' }],
    ['${1:a $2 ${X:b', '${1:a x ${X:b', { 2: 'x' }],
    ['${1|one,two|} $1', 'one one'],
    ['${1:$1}', ''],
    ['${1:a$2} ${2:b$1}', 'ab b'],
    ['[$TM_SELECTED_TEXT] ${TM_SELECTED_TEXT:none}', '[] none'],
    ['$foo ${foo} ${bar:else} $constructor', 'foo foo else constructor'],
    ['$foo $1 $foo', 'a 1 a', { 1: '1', 2: 'a' }],
  ];
  for (const [body, text, values] of cases)
    it(`expands ${JSON.stringify(body)} with ${JSON.stringify(values ?? {})}`, () =>
      assert.equal(expand(body, values), text));
});

describe('core/snippets/snippet: expandSnippet, transforms', () => {
  const ofFilename: [transform: string, text: string][] = [
    // the table of https://code.visualstudio.com/docs/editing/userdefinedsnippets#_transform-examples
    ['[\\.]/_/', 'example-123_456-TEST.js'],
    ['[\\.-]/_/g', 'example_123_456_TEST_js'],
    ['(.*)/${1:/upcase}/', 'EXAMPLE-123.456-TEST.JS'],
    ['(.*)\\..+$/$1/', 'example-123.456-TEST'],
    ['([a-z]+).*/$1 ${1} $0 $9/', 'example example example-123.456-TEST.js '],
    ['^(x)?.*/${1:+if}${1:-else}/', 'else'],
    ['^(e)?.*/${1:?yes:no}/', 'yes'],
    ['^(x)?.*/${1:?yes:no}/', 'no'],
    ['(nowhere)/<${1:missing}>/', '<missing>'],
    ['(?<word>[a-z]+).*/$1/', 'example'],
    ['(/x/', '${TM_FILENAME/(/x/}'],
    ['e/x/zz', '${TM_FILENAME/e/x/zz}'],
    ['-123\\.4\\/?.*/c\\/d\\\\e\\f/', 'examplec/d\\e\\f'],
    ['(e).*/${1:?y/es:n\\}o}${x}$/', 'y/es${x}$'],
    ['^(x)?.*/${1:?y:n\\}o}${1:no}/', 'n}ono'],
  ];
  for (const [transform, text] of ofFilename)
    it(`turns the file name by ${transform}`, () =>
      assert.equal(expand(`\${TM_FILENAME/${transform}}`), text));

  const shorthands: [shorthand: string, value: string, text: string][] = [
    ['upcase', 'aß', 'ASS'],
    ['downcase', 'AbC', 'abc'],
    ['capitalize', 'foo bar', 'Foo bar'],
    ['pascalcase', 'foo-bar_baz 1x', 'FooBarBaz1x'],
    ['camelcase', 'Foo-bar_Baz', 'fooBarBaz'],
    ['camelcase', '…', '…'],
    ['kebabcase', 'fooBar HTMLParser2', 'foo-bar-html-parser2'],
    ['kebabcase', '_one 2three_', 'one-2-three'],
    ['snakecase', 'étéÎle', 'été_île'],
    ['nonesuch', 'As it is', 'As it is'],
  ];
  for (const [shorthand, value, text] of shorthands)
    it(`makes ${JSON.stringify(value)} ${shorthand}`, () =>
      assert.equal(expand(`\${1/(.*)/\${1:/${shorthand}}/}`, { 1: value }), text));

  it('transforms mirrors and leaves the stop itself', () =>
    assert.equal(expand('${1:name} ${1/(.*)/${1:/capitalize}/}', { 1: 'other' }), 'other Other'));

  it('leaves a value over 100,000 characters as it is', () => {
    assert.ok(expand('${1/a/b/g}', { 1: 'a'.repeat(100_000) }) === 'b'.repeat(100_000));
    assert.ok(expand('${1/a/b/g}', { 1: 'a'.repeat(100_001) }) === 'a'.repeat(100_001));
  });
});

describe('core/snippets/snippet: expandSnippet, variables of time and chance', () => {
  const now = new Date(2024, 1, 3, 4, 5, 6, 7);
  beforeEach(() => mock.timers.enable({ apis: ['Date'], now }));
  afterEach(() => {
    mock.timers.reset();
    mock.restoreAll();
  });

  it('knows the parts of the time, random numbers and UUIDs', () => {
    const parts =
      'YEAR YEAR_SHORT MONTH MONTH_NAME MONTH_NAME_SHORT DATE DAY_NAME DAY_NAME_SHORT HOUR MINUTE SECOND';
    const shown = expand(parts.replaceAll(/\w+/g, '$CURRENT_$&'));
    assert.equal(shown, '2024 24 02 February Feb 03 Saturday Sat 04 05 06');
    const said = expand('$CURRENT_MILLISECOND $CURRENT_SECONDS_UNIX $CURRENT_MILLISECONDS_UNIX');
    assert.equal(said, `007 ${(now.getTime() - 7) / 1000} ${now.getTime()}`);
    assert.match(expand('$RANDOM $RANDOM_HEX'), /^\d{6} [\da-f]{6}$/);
    assert.match(expand('$UUID'), /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  });

  it('writes the offset of the time zone as ISO 8601 does', () => {
    const offsets = [0, -120, 210, -345].map((minutes) => {
      mock.method(Date.prototype, 'getTimezoneOffset', () => minutes);
      return expand('$CURRENT_TIMEZONE_OFFSET');
    });
    assert.deepEqual(offsets, ['+00:00', '+02:00', '-03:30', '+05:45']);
  });

  it('rolls the dice for each variable, once for all mirrors', () => {
    let rolls = 0;
    mock.method(Math, 'random', () => (rolls++ % 10) / 10);
    const [first, second, mirror] = expand('$RANDOM ${1:$RANDOM} $1').split(' ');
    assert.notEqual(first, second);
    assert.equal(second, mirror);
  });
});

describe('core/snippets/snippet: a snippet made to hurt', () => {
  const chain = (length: number, link: (next: number) => string) =>
    Array.from({ length }, (_, i) => `\${${i + 1}:${link(i + 2)}}`).join('');

  it('is refused when its text doubles with every stop', () => {
    const laughs = `${chain(40, (next) => `$${next}$${next}`)}\${41:ha}`;
    const failing = () => expand(laughs);
    assert.throws(failing, /^RangeError: The snippet expands to more than 1000000 characters\.$/);
    assert.equal(stops(laughs).length, 41);
  });

  it('is refused when the agent makes it too long, or a transform grows without end', () => {
    assert.throws(() => expand('$1$1', { 1: 'x'.repeat(600_000) }), RangeError);
    assert.equal(expand('$1', { 1: 'x'.repeat(1_000_000) }).length, 1_000_000);
    const growing = `\${1/(?=(.*))/${'$1'.repeat(300)}/g}`;
    assert.throws(() => expand(growing, { 1: 'x'.repeat(10_000) }), RangeError);
  });

  it('does not run out of stack when each default leads to the next', () =>
    assert.equal(expand(chain(5_000, (next) => `$${next}`)), ''));

  it('names many like stops without trying each number anew', () => {
    const looks = callsOf(Map.prototype, 'has', () =>
      assert.equal(stops(chain(900, () => 'a')).at(-1)?.name, 'a_900'),
    );
    assert.ok(looks < 5_000, `${looks} looks`);
  });
});
