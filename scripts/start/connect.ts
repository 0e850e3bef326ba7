/** How an agent is connected, for a person to copy. */
import { agentConfigurations } from '../../src/ui/connectAgent/configurations.ts';
import { shimLocation } from '../../src/ui/connectAgent/shimLocation.ts';

export const howToConnect = (): string =>
  agentConfigurations(shimLocation())
    .map(({ label, text }) => `Connect an agent: ${label}\n${text.replace(/^/gm, '  ')}`)
    .join('\n\n');
