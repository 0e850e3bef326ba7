import { until } from '../../../until.ts';
import { cleanUp, openFile } from './reviewed.ts';

const { followFiles } = await import('../../../../src/ui/review/followFiles.ts');

describe('ui/review/followFiles', () => {
  afterEach(cleanUp);

  it('a file is off the list where an edit, of which the hook tells later than the disk, takes back the one before', async () => {
    const { changed, edits, uri } = openFile();
    const following = followFiles(changed);
    edits(1, ['b', 'B']);
    edits(1, ['B', 'b']);
    await until(() => !changed.isListed(uri), 'it is listed');
    following.dispose();
  });
});
