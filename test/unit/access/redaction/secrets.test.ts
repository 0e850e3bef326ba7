import assert from 'node:assert/strict';
import { withoutSecrets } from '../../../../src/access/redaction/secrets.ts';

const R = '[redacted]';

describe('access/redaction/secrets', () => {
  for (const name of [
    ...[
      'github.token',
      'shop.apiKey',
      'shop.api_key',
      'db.password',
      'aws.secretAccessKey',
      'http.proxyAuthorization',
    ],
    ...[
      'shop.clientSecret',
      'terminal.integrated.env.linux',
      'rest.defaultHeaders',
      'a.connectionString',
      'x.GITHUB_PAT',
    ],
  ])
    it(`redacts all texts of ${name}`, () => {
      assert.deepEqual(withoutSecrets(name, 'x'), R);
      assert.deepEqual(withoutSecrets(name, { a: ['x', true, null, ''] }), { a: [R, true, null, ''] });
    });

  for (const name of [
    'editor.tabSize',
    'editor.semanticTokenColorCustomizations',
    'editor.maxTokenizationLineLength',
  ])
    it(`shows ${name}`, () => assert.deepEqual(withoutSecrets(name, { a: ['#fff', 4] }), { a: ['#fff', 4] }));

  it('redacts by names inside a value', () => {
    const given = {
      url: 'x',
      password: 'p',
      pin: 12,
      list: [{ name: 'API_TOKEN', value: 'v' }],
      args: ['--token', 't', 'b'],
    };
    assert.deepEqual(withoutSecrets('mcp.servers', given), {
      ...{ url: 'x', password: R, pin: R, list: [{ name: R, value: R }], args: ['--token', R, 'b'] },
    });
  });

  for (const [text, shown] of [
    ['http://me:pw@proxy:8080/x', `http://${R}@proxy:8080/x`],
    ['http://me:p@w/d@proxy', `http://${R}@proxy`],
    ['Server=db;Password=abc;Port=1', `Server=db;Password=${R};Port=1`],
    ['https://x/y?sig=abc&a=1', `https://x/y?sig=${R}&a=1`],
    ['run --api-key abc now', `run --api-key ${R} now`],
    ['Bearer abcdefgh12', `Bearer ${R}`],
    ['ghp_0123456789abcdef', R],
    ['sk-ant-0123456789abcdef', R],
    ['https://registry/@scope/x', 'https://registry/@scope/x'],
  ] as const)
    it(`redacts by looks: ${text}`, () => assert.equal(withoutSecrets('a.b', text), shown));

  it('is done in time with long texts', () => {
    for (const part of ['-', '://', 'token=', 'eyJ', ':'])
      withoutSecrets('a.b', part.repeat(100_000 / part.length));
  });
});
