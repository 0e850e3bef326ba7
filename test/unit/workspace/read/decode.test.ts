import assert from 'node:assert/strict';
import { join } from 'node:path';
import { cleanUp, find, folderWith, openWindow } from '../openWindow.ts';

const TEXT = 'free\npassword=hunter2-secret1\nend.\n';

describe('workspace/read/decode: other encodings', () => {
  afterEach(cleanUp);

  /** A repository says that its files are in an encoding in which no pattern matches. */
  function open(encoding: string, bytes: string | Buffer = TEXT) {
    const ws = folderWith({ 'a.txt': bytes });
    const { fake, files } = openWindow({
      folders: [ws],
      user: { 'workspaceMcp.access.redact': ['(?<=password=)\\S+'] },
      workspace: { 'files.encoding': encoding },
    });
    const name = encoding as 'utf16le';
    fake.decodes = (raw) => Buffer.from(raw).toString(name);
    fake.encodes = (text) => Buffer.from(text, name);
    const types = (text: string) => {
      const document = fake.person.loads(join(ws, 'a.txt'), Buffer.from(text).toString(name));
      Object.assign(document, { encoding, isDirty: true });
      return document;
    };
    return { files, types };
  }

  const read = async ({ files }: ReturnType<typeof open>) => files.read(await files.locate('a.txt'));
  const REFUSAL = /^UserError: .*\(setting files\.encoding\) would reveal redacted text/;

  for (const encoding of ['utf16le', 'hex', 'base64']) {
    it(`reads no file that has redacted text as UTF-8, and none as ${encoding}`, async () => {
      await assert.rejects(read(open(encoding)), REFUSAL);
      const content = await read(open(encoding, 'free\nend.'));
      assert.equal(content.kind, 'text', 'others are read');
    });

    it(`hands out no part of such an unsaved text in ${encoding}`, async () => {
      const window = open(encoding, 'x');
      const document = window.types(TEXT);
      const { redactor } = window.files;
      await assert.rejects(read(window), REFUSAL);
      assert.equal((await redactor.partsOf(document as never))(0), '[redacted]');
      assert.deepEqual(await find(window.files, { query: '.', isRegex: true }), []);
      assert.equal(await redactor.decoded(document.getText(), 'a.txt', document.uri), '[redacted]');
    });
  }

  it('reads and redacts a file that is in the encoding that is named', async () => {
    const bytes = Buffer.from('gr\u00fcn password=s\u00fc\u00df1 end\n', 'latin1');
    const content = await read(open('latin1', bytes));
    assert.equal(content.kind === 'text' && content.text, 'gr\u00fcn password=[redacted] end\n');
  });
});
