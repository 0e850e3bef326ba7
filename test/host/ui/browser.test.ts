/** What a person sees of agents, and the prompts that they write for them. */
import { openWindow } from '../caseWindow.ts';
import { EMPTY_WINDOW } from '../headless/host.ts';
import './promptFiles.test.ts';
import './view.test.ts';

openWindow({ settings: { ...EMPTY_WINDOW, 'files.autoSave': 'off', 'editor.wordWrap': 'off' } });
