/** The suite's features as a server at its own stdin and stdout, to be hosted: `hostedServer.ts FOLDER`. It ends with its stdin. */
import { Stdio } from '../bench/way/stdio.ts';
import { TestWindow } from '../wire/testWindow.ts';
import { features } from './features/index.ts';

const [, , folder = ''] = process.argv;
const window = new TestWindow({ root: folder, home: '', runtime: '' }, { folders: [folder], features }, '');
window.serve(new Stdio());
process.stdin.on('end', () => process.exit());
