/** That a window can be used as a person does. */
import { strict as assert } from 'node:assert';
import { type Host, startHost } from '../headless/host.ts';
import { runCommand, statusBarText } from '../headless/palette.ts';

describe('a window of the host', () => {
  let host: Host;

  before(async () => {
    host = await startHost({ target: process.env.HOST_TEST_WORKSPACE ?? '' });
  });

  after(() => host.close());

  it('runs a command from the palette', async () => {
    await runCommand(host.page, 'File: New Untitled Text File');
    assert.match(await statusBarText(host.page, /^Ln 1, Col 1/), /Ln 1/);
  });
});
