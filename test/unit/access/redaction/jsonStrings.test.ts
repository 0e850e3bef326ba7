import assert from 'node:assert/strict';
import { placesInStrings } from '../../../../src/access/redaction/jsonStrings.ts';

const textOf = (json: string): string => {
  let all = '';
  placesInStrings(json, (text) => {
    all = text;
    return [];
  });
  return all;
};

/** What stands in the JSON for a part of what it reads. */
const spelled = (json: string, wanted: string): string[] =>
  placesInStrings(json, (text) => {
    const start = text.indexOf(wanted);
    assert.ok(start >= 0, text);
    return [{ start, end: start + wanted.length }];
  }).map(({ start, end }) => json.slice(start, end));

describe('access/redaction/jsonStrings', () => {
  it('reads all strings, those that are lines of one text as that, and what is no JSON as it is', () => {
    assert.equal(textOf('{"a": ["b\\n", "c\\td\\u0065"], "f": 1}'), 'a\nb\nc\tde\nf\n');
    assert.equal(textOf('a "b\\q" "c'), 'b\\q\n');
  });

  it('tells how a part of what it reads is spelled', () => {
    const json = '["x \\"a\\\\\\u0062c\\" y\\n", "end"]';
    assert.deepEqual(spelled(json, '"a\\bc"'), ['\\"a\\\\\\u0062c\\"']);
    assert.deepEqual(spelled(json, 'y\nen'), ['y\\n', 'en']);
    assert.deepEqual(spelled('["plain", 1, "text"]', 'ai'), ['ai']);
    assert.deepEqual(spelled('["plain", "text"]', 'n\nt'), ['n', 't']);
    assert.deepEqual(spelled('["\\r\\n\\ra"]', '\n\na'), ['\\n\\ra']);
  });
});
