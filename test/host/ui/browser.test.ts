/** What a person sees of agents, and the prompts that they write for them. */
import { openWindow } from '../caseWindow.ts';
import './promptFiles.test.ts';
import './view.test.ts';
import './http.test.ts';

openWindow({ settings: { 'editor.wordWrap': 'off' } });
