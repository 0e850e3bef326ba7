import assert from 'node:assert/strict';
import fc from 'fast-check';
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
    const said = hider(many)('secret-200 and more');
    assert.equal(said, '[not shown: there are more than 200 values to hide in it]');
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
