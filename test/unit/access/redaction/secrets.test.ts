import assert from 'node:assert/strict';
import { withoutSecrets } from '../../../../src/access/redaction/secrets.ts';

const R = '[redacted]';
const words = (text: string): string[] => text.trim().split(/\s+/);

describe('access/redaction/secrets', () => {
  for (const name of words(`
    github.token shop.apiKey shop.api_key db.password aws.secretAccessKey http.proxyAuthorization
    shop.clientSecret terminal.integrated.env.linux rest.defaultHeaders a.connectionString
    x.GITHUB_PAT x.accesstoken x.authtoken x.apitoken x.APIToken x.token2 x.clientsecret
    x.apisecret x.dbpassword x.userpassword x.password1 x.smtppass x.dbpwd x.passwordHash
    x.userpasswd x.jwt x.oauth x.oauth2 x.basicauth x.myapikey x.sessioncookie x.awscredentials
    x.pin x.passwort x.密码`))
    it(`redacts all texts of ${name}`, () => {
      assert.deepEqual(withoutSecrets(name, 'x'), R);
      assert.deepEqual(withoutSecrets(name, { a: ['x', true, null, ''] }), { a: [R, true, null, ''] });
    });

  for (const name of words(`
    editor.tabSize editor.semanticTokenColorCustomizations editor.maxTokenizationLineLength
    editor.tokenColorCustomizations editor.experimental.preferTreeSitter.tokenizer
    keyboard.dispatch x.keywords x.author x.authority x.compass x.bypass x.secretary x.cwd x.compat`))
    it(`shows ${name}`, () => assert.deepEqual(withoutSecrets(name, { a: ['#fff', 4] }), { a: ['#fff', 4] }));

  it('redacts by names inside a value', () => {
    const given = {
      url: 'x',
      password: 'p',
      pin: 12,
      list: [{ name: 'API_TOKEN', value: 'v' }],
      args: ['--token', 't', 'b'],
      dbpassword: 12,
    };
    assert.deepEqual(withoutSecrets('mcp.servers', given), {
      url: 'x',
      password: R,
      pin: R,
      list: [{ name: R, value: R }],
      args: ['--token', R, 'b'],
      dbpassword: R,
    });
  });

  for (const [given, shown] of [
    [
      ['-p', 'secret', '-v'],
      ['-p', R, '-v'],
    ],
    [
      ['-u', 'me:pw'],
      ['-u', R],
    ],
    [
      ['-p', '8080', '-p', 'src/tsconfig.json', '-p', '.', '-p', '-v', '-u', '1000:1000'],
      ['-p', '8080', '-p', 'src/tsconfig.json', '-p', '.', '-p', '-v', '-u', '1000:1000'],
    ],
  ])
    it(`redacts what comes after an option: ${given}`, () =>
      assert.deepEqual(withoutSecrets('x.args', given), shown));

  for (const [text, shown] of [
    ['http://me:pw@proxy:8080/x', `http://${R}@proxy:8080/x`],
    ['http://me:p@w/d@proxy', `http://${R}@proxy`],
    ['Server=db;Password=abc;Port=1', `Server=db;Password=${R};Port=1`],
    ['https://x/y?sig=abc&a=1', `https://x/y?sig=${R}&a=1`],
    ['run --api-key abc now', `run --api-key ${R} now`],
    ['Bearer abcdefgh12', `Bearer ${R}`],
    ['PASSWORD="with space" a', `PASSWORD=${R} a`],
    ["DB_PASSWORD='with space' a", `DB_PASSWORD=${R} a`],
    ['PASSWORD="with space', `PASSWORD=${R}`],
    ['PASSWORD="" TOKEN=\'\' a', 'PASSWORD="" TOKEN=\'\' a'],
    ['password1=abc a', `password1=${R} a`],
    ['{"password":"a b", "user": "c"}', `{"password":${R}, "user": "c"}`],
    ['{"clientSecret": "a\\"b"}', `{"clientSecret": ${R}}`],
    ['{\\"token\\":\\"a b\\",\\"user\\":1}', `{\\"token\\":${R},\\"user\\":1}`],
    ['--password "with space" a', `--password ${R} a`],
    ['sshpass -p abc ssh host', `sshpass -p ${R} ssh host`],
    ['mysql -u root -pabc shop', `mysql -u root -p${R} shop`],
    ['docker login -u me -p abc host', `docker login -u me -p ${R} host`],
    ['mkdir -p abc', 'mkdir -p abc'],
    ['curl -u me:pw https://x', `curl -u me:${R} https://x`],
    ['docker run -u 1000:1000 a', 'docker run -u 1000:1000 a'],
    ['https://hooks.slack.com/services/T0/B0/abc', `https://hooks.slack.com/services/${R}`],
    ['https://discord.com/api/webhooks/1/abc', `https://discord.com/api/webhooks/${R}`],
    ['https://a.webhook.office.com/webhookb2/abc', `https://a.webhook.office.com/webhookb2/${R}`],
    ['sk_live_0123456789abcdef', R],
    ['pypi-AgEIcHlwaS5vcmcCJDAxMjM0', R],
    ['dop_v1_0123456789abcdef', R],
    ['SG.0123456789abcdefghij.0123456789abcdefghij', R],
    ['xapp-1-A0123-456-abcdef', R],
    ['whsec_0123456789abcdef', R],
    ['hvs.0123456789abcdef', R],
    ['GOCSPX-0123456789abcdef', R],
    ['glptt-0123456789abcdef', R],
    ['ASIA0123456789ABCDEF', R],
    ['dckr_pat_0123456789abcdef', R],
    ['123456789:AAabcdefghijklmnopqrstuvwxyz0123456', R],
    ['pypi-publisher-tools', 'pypi-publisher-tools'],
    ['Asiatic', 'Asiatic'],
    ['ghp_0123456789abcdef', R],
    ['sk-ant-0123456789abcdef', R],
    ['https://registry/@scope/x', 'https://registry/@scope/x'],
  ] as const)
    it(`redacts by looks: ${text}`, () => assert.equal(withoutSecrets('a.b', text), shown));

  it('is done in time with long texts', () => {
    for (const part of [
      '-',
      '://',
      'token=',
      'eyJ',
      ':',
      'token="',
      'mysql ',
      ' -p',
      '-u a',
      '\\',
      'x',
      '1',
      'key ',
    ]) {
      const long = part.repeat(100_000 / part.length);
      withoutSecrets('a.b', long);
      withoutSecrets(long, { [long]: 1 });
    }
  });
});
