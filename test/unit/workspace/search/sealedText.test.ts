import assert from 'node:assert/strict';
import { Redaction } from '../../../../src/access/redaction/redaction.ts';
import { SEAL, sealedText } from '../../../../src/workspace/search/sealedText.ts';

const redaction = new Redaction(['(?<=é=)\\w+', '(?<=key=)\\w+', 'BEGIN[^]*?END']);
const seal = (bytes: Buffer | string, read?: string) =>
  sealedText(Buffer.from(bytes as string), read, (text) => redaction.redact(text, SEAL));

describe('access/sealedText', () => {
  it('seals what is redacted, and keeps the lines', () => {
    const text = seal('a\r\nkey=x b\nBEGIN\n\nx END c\n', 'a\r\nkey=x b\nBEGIN\n\nx END c\n');
    assert.deepEqual(text?.lines, ['a\r', `key=${SEAL} b`, SEAL, '', `${SEAL} c`, '']);
    assert.equal(text?.isSealed, true);
    assert.equal(text?.isSearched(1), true);
    assert.equal(seal('a\nb')?.isSealed, false);
  });

  it('seals by what ripgrep shows where the text is read in another encoding', () => {
    for (const read of ['Ã©=x', '楥', undefined]) assert.deepEqual(seal('é=x', read)?.lines, [`é=${SEAL}`]);
  });

  it('seals by how the text is read where ripgrep shows bytes', () => {
    const text = seal(Buffer.from('ж\n\xe6=x\nkey=x\n', 'latin1'), 'ж\né=x\nkey=x\n');
    assert.deepEqual(text?.lines.slice(1), [`é=${SEAL}`, `key=${SEAL}`, '']);
    assert.deepEqual([text?.isSearched(1), text?.isSearched(2)], [false, true]);
  });

  it('seals all of a line in which both have something else to hide', () => {
    const text = seal(Buffer.from('é=x key=y'), 'Ã key=x é=y');
    assert.deepEqual(text?.lines, [SEAL]);
  });

  it('knows of no line where what is read has others, and something redacted', () => {
    assert.equal(seal('a\nb', 'a\nb\nkey=x'), undefined);
    assert.deepEqual(seal('a\nkey=b', 'a b')?.lines, ['a', `key=${SEAL}`]);
  });

  it('takes no account of a byte order mark', () => {
    const text = seal('\ufeffкey=x', '\ufeffкey=x');
    assert.deepEqual([text?.lines, text?.isSearched(0)], [[`кey=x`], true]);
  });
});
