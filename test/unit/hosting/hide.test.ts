import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ServerInput } from '../../../src/hosting/config/definition.ts';
import { secretTexts } from '../../../src/hosting/config/resolve/resolveLaunch.ts';
import { hideIn, hider } from '../../../src/hosting/hide.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');

describe('hosting/hide', () => {
  it('finds a secret in every spelling that servers write', () => {
    const character = fc.constantFrom(...'aZ9"\\/ \t+=:@%&ä数😀-_.$');
    const secret = fc.array(character, { minLength: 8, maxLength: 20 }).map((all) => all.join(''));
    const around = fc.array(fc.constantFrom('k', '0', ':'), { maxLength: 4 }).map((all) => all.join(''));
    fc.assert(
      fc.property(secret, around, around, (text, before, after) => {
        const hide = hider([text]);
        const json = JSON.stringify(text).slice(1, -1);
        const encoded = encodeURIComponent(text);
        const spellings = [
          ...[text, json, JSON.stringify(json).slice(1, -1), encoded],
          encoded.replaceAll(/%../g, (byte) => byte.toLowerCase()),
          new URLSearchParams({ '': text }).toString().slice(1),
        ];
        for (const one of spellings)
          assert.equal(hide(`${before}${one}${after}`), `${before}[redacted]${after}`, one);
        const whole = base64(`${before}${text}${after}`);
        assert.match(hide(whole), /\[redacted\]/);
        assert.match(hide(whole.replaceAll('+', '-').replaceAll('/', '_')), /\[redacted\]/);
        const left = Buffer.from(hide(whole).replaceAll('[redacted]', ''), 'base64').toString('latin1');
        assert.ok(left.length <= before.length + after.length, `${whole} → ${hide(whole)}`);
      }),
    );
  });

  it('takes the longest first, and leaves everything else', () => {
    const hide = hider(['abcd', 'abcd-efgh', '']);
    assert.equal(hide('abcd-efgh abcd abc'), '[redacted] [redacted] abc');
    assert.equal(hider([])('text'), 'text');
  });

  it('shows nothing of what is too much to be searched, and never throws', () => {
    const long = "'+/=-1".repeat(1_600);
    assert.equal(hider([long, 'MYSECRETabc'])(`a ${long} MYSECRETabc`), 'a [redacted] [redacted]');
    const many = Array.from({ length: 201 }, (_, index) => `secret-${index}`);
    assert.equal(
      hider(many)('secret-200 and more'),
      '[not shown: there are more than 200 values to hide in it]',
    );
    const cut = hider(['a-key'])(`${'x'.repeat(999_998)}a-key`);
    assert.match(cut, /^x{800000,}…$/);
    assert.equal(hider(['\ud800-key'])('\ud800-key'), '[redacted]');
  });

  it('goes as deep as a value does, and keeps names of fields', () => {
    let deep: object = { 'a-key': 'a-key' };
    for (let level = 0; level < 100_000; level++) deep = [deep];
    hideIn(deep, hider(['a-key']));
    while (Array.isArray(deep)) [deep] = deep;
    assert.deepEqual(deep, { 'a-key': '[redacted]' });
    const odd = JSON.parse('{"__proto__":"a-key"}');
    assert.equal(JSON.stringify(hideIn(odd, hider(['a-key']))), '{"__proto__":"[redacted]"}');
  });
});

describe('hosting/hide: secrets', () => {
  const input = { type: 'promptString', id: 'x', password: false } as const;
  const pick: ServerInput = { type: 'pickString', id: 'y', options: ['prod'] };

  it('are all entered values of 4 characters, and others that are no plain words', () => {
    const values = [
      ...['production', '12345678', '/home/me/x', '~/x', 'C:\\x\\y', 'https://a.org/x', 'short', 'Größe'],
      ...['s3cr3t!', 'https://a.org/?key=k3y-of-a', 'mysql://me:p%40ss@db/x', '/K7MDENGbPxRfiCYEXAMPLEKEY'],
    ];
    const entered = [
      [input, 'root'],
      [input, 'abc'],
      [pick, 'prod'],
    ] as const;
    assert.deepEqual(secretTexts({ entered, values }), [
      ...['root', 'p%40ss', 'p@ss', 's3cr3t!', 'https://a.org/?key=k3y-of-a', 'mysql://me:p%40ss@db/x'],
      ...['/K7MDENGbPxRfiCYEXAMPLEKEY', 'k3y-of-a'],
    ]);
  });

  it('are what was entered as a text, though the file offers other options now', () => {
    const options: ServerInput = { ...pick, options: ['prod', { label: 's3cr3t!', value: 'test' }] };
    const entered = ['s3cr3t!', 'test', 'prod'].map((value) => [options, value] as const);
    assert.deepEqual(secretTexts({ entered, values: [] }), ['s3cr3t!']);
  });

  it('are headers without their scheme, queries of the address, and lines of a text', () => {
    const headers = {
      Authorization: `Basic ${base64('me:pass')}`,
      'X-Key': 'Token t0k-en',
      Accept: 'text/plain',
    };
    const url = new URL('https://a.org/mcp?key=k3y-of-a&kind=simple');
    assert.deepEqual(secretTexts({ entered: [], values: ['-- key --\r\nabc+123\n'], headers, url }), [
      ...['pass', '-- key --', 'abc+123', `Basic ${base64('me:pass')}`, base64('me:pass')],
      ...['Token t0k-en', 't0k-en', 'k3y-of-a'],
    ]);
  });
});
