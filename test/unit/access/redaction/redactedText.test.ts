import assert from 'node:assert/strict';
import { RedactedText } from '../../../../src/access/redaction/redactedText.ts';
import { REDACTED, Redaction } from '../../../../src/access/redaction/redaction.ts';
import { Range } from '../../../fakes/text.ts';

const README = '/(?<=password\\s*=\\s*)\\S+/i';
const TEXT = 'const password = "hunter2secret";\nconst b: "x" = password; // \'y\'\n';
const SECOND = new Range(1, 6, 1, 7) as never;

const textOf = (text: string | undefined = TEXT, ...patterns: string[]) =>
  new RedactedText(new Redaction(patterns.length > 0 ? patterns : [README]), text);
const said = (message: string, text?: string) => textOf(text).said(message, SECOND);

describe('access/redaction/redactedText', () => {
  it('hides what a message quotes and agents cannot see, also without what a match has taken with it, and each line', () => {
    const whole = said(`Type '"hunter2secret"' is not assignable to type '"x"'.`);
    assert.equal(whole, `Type '"${REDACTED}"' is not assignable to type '"x"'.`);
    assert.equal(said("Type 'hunter2secret' is odd"), `Type '${REDACTED}' is odd`);
    const key = textOf('BEGIN\nMIIabc;\nEND\nfree\n', 'BEGIN[^]*END');
    assert.equal(key.said('no MIIabc', new Range(3, 0, 3, 0) as never), `no ${REDACTED}`);
  });

  it('does so for files in which nothing is redacted: of what another one declares', () =>
    assert.equal(
      said(`Type '"hunter2secret"' is no 'password' of "./a"`, 'import { password } from "./a";\nx\n'),
      `Type '"${REDACTED}"' is no 'password' of "./a"`,
    ));

  it('shows a part of the text with its own secrets only, whole or begun before it', () => {
    const lines = ['password=one', 'b', 'password=two', 'd', 'password=three'];
    const text = textOf(lines.join('\n'));
    const part = (from: number, line: number, to: number) =>
      text.part(new Range(line, from, line, to) as never, lines[line] ?? '');
    const seen = [part(0, 1, 1), part(0, 2, 12), part(10, 2, 11)];
    assert.deepEqual(seen, ['b', `password=${REDACTED}`, REDACTED]);
  });

  const UNCLEAR: Record<string, string> = {
    'is cut short within its quotes': `Type '"hunter2sec…"' is not assignable`,
    'is not closed': 'Unexpected "hunter2secret',
    'stands in other quotes': 'Type \'("hunter2secret")\' and `"hunter2secret"`',
    'stands below': 'One\n  Type "hunter2secret"',
    'stands behind a quote that is quoted': `Expected '"' or "hunter2secret" or '"'`,
    'stands behind a quote that is escaped': 'Type "a\\"b" is no "hunter2secret", "c\\"d"',
  };
  for (const [how, message] of Object.entries(UNCLEAR))
    it(`hides a secret in double quotes that ${how}`, () => {
      assert.doesNotMatch(said(message), /hunter|2sec|cret/);
      assert.match(said(message), /\[redacted\]/);
    });

  for (const message of [
    "Cannot find name 'foo'. Did you mean `bar`?",
    'Type \'"x"\' has no "password": "y", ""',
    'Type "const b..." is odd, "con…" is too',
    'No quotes: 12',
  ])
    it(`leaves ${message}`, () => assert.equal(said(message), message));

  describe('without patterns, where files are closed', () => {
    const own = 'const a: Kind = value; // one-of-us from-here\n';
    const say = (message: string) =>
      new RedactedText(new Redaction([]), own).said(message, new Range(0, 0, 0, 5) as never);

    for (const [message, expected] of [
      [`Type '"s3cr3t"' is no type 'Kind'.`, `Type '"${REDACTED}"' is no type 'Kind'.`],
      [`Type '\`s3cr3t-\${string}\`' is not 'Kind'`, `Type '${REDACTED}' is not 'Kind'`],
      ["Only known properties, and ''s3cr3t''", `Only known properties, and ''${REDACTED}''`],
      [`"Literal['s3cr3t']" is not assignable to "int"`, `"${REDACTED}" is not assignable to "int"`],
      ["Has type Literal['s3cr3t', 'one-of-us']", `Has type Literal['${REDACTED}', 'one-of-us']`],
      ["`Literal[b's3cr3t']` is no `int`", `\`Literal[b'${REDACTED}']\` is no \`int\``],
      ['Expected `int`, found Literal["s3cr3t', `Expected \`int\`, found Literal["${REDACTED}`],
      ["Don't use 'p@ss word!' here", `Don't use '${REDACTED}' here`],
      ["Value 'it\\'s s3cr3t' is odd", `Value '${REDACTED}' is odd`],
      ['string literal `hunter` [1] is no number', `string literal \`${REDACTED}\` [1] is no number`],
      ['不能将类型“s3cr3t!”分配给类型“number”。', `不能将类型“${REDACTED}”分配给类型“number”。`],
      ['不能将类型“"s3cr3t"”分配给类型“number”。', `不能将类型“"${REDACTED}"”分配给类型“number”。`],
      ['Der Typ ""s3cr3t"" kann "number" nicht', `Der Typ ""${REDACTED}"" kann "number" nicht`],
      [
        'Le type « s3cr3t! » et „s3cr3t“, ‘s3cr3t’, 「s3cr3t」',
        `Le type «${REDACTED}» et „${REDACTED}“, ‘${REDACTED}’, 「${REDACTED}」`,
      ],
    ] as const)
      it(`hides what the file does not show: ${message}`, () => assert.equal(say(message), expected));

    it('comes to an end with messages that code has shaped', () => {
      for (const part of ["'", '`', '`${', 'Literal[', "Literal['", '“', 'const ', "'\\", 'a1', '‘'])
        assert.ok(say(`'${part.repeat(20_000)}`));
    });

    for (const message of [
      `Type '"one-of-us"' is not assignable to type '"from-here"'.`,
      `"Literal['one-of-us']" is not assignable to "float"`,
      `Type '\`from-\${string}-us\`' is not assignable to type 'Array<\`x\${number}\`>'.`,
      "Property 'valu' does not exist on type 'Kind'. Did you mean 'value'?",
      'expected `String`, found `Option<Kind>`',
      "Type 'Promise<Map<string, readonly Vector3[]>>' has no 'toUTF8String'; it's `fn(&'a str) -> Box<dyn Kind>`",
      '属性“valu”在类型“Kind | undefined”上不存在。你是否指的是“value”?',
      "no match for ‘operator==’ (‘const std::vector<int>’ and ‘unsigned int’), expected ';'",
      "Could not find a file for module '@scope/kinds-of-all'. '/ws/node_modules/kinds/index.js' is no module",
      "Argument has type Literal['one-of-us']; expected Literal[12]",
    ])
      it(`leaves ${message}`, () => assert.equal(say(message), message));
  });

  it('covers a known secret whole, though a shorter one is a part of it', () => {
    const text = textOf('k: abcd\nk: xabcdy\n\n\n', '(?<=k: )\\w+', '\\w{8}');
    assert.equal(text.said('no xabcdy, abcd', new Range(3, 0, 3, 0) as never), `no ${REDACTED}, ${REDACTED}`);
  });

  it('shows a name though a secret stands in what it names, unless it is a part of one, or quotes one', () => {
    const section = textOf('# Intro\n\nfree\n\npassword = hunter2secret\n# Next\n');
    const named = (name: string, ...range: [number, number, number, number]) =>
      section.named(name, new Range(...range) as never);
    assert.equal(named('# Intro', 0, 0, 4, 24), '# Intro');
    assert.equal(named('hunter2secret', 0, 0, 4, 24), REDACTED);
    assert.equal(named('cret', 4, 20, 4, 24), REDACTED);
    assert.equal(named('# Next hunter2secret', 5, 0, 5, 6), `# Next ${REDACTED}`);
  });

  it('tells nothing of a text that is not known', () => {
    const unknown = new RedactedText(new Redaction([README]), undefined);
    assert.equal(unknown.said('x', SECOND), REDACTED);
    assert.equal(unknown.named('x', SECOND), REDACTED);
  });
});
