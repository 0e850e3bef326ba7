/** What the suite looks for in a server, by the names that its scenarios have for it. Kept out of the package. */
import type { Features } from '../../../src/features/features.ts';
import { askingTools } from './asking.ts';
import { changeTools } from './changes.ts';
import { contentTools } from './content.ts';
import { prompts } from './prompts.ts';
import { reconnectionTools } from './reconnection.ts';
import { resources } from './resources.ts';
import { taskTools } from './tasks.ts';

export const features: Features = {
  tools: [...contentTools, ...askingTools, ...changeTools, ...reconnectionTools, ...taskTools],
  resources: [resources],
  prompts: [prompts],
};
