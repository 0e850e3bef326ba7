import type { Controls } from './controls.ts';
import { lazily } from './lazily.ts';
import { ChangedFiles } from './review/changedFiles.ts';

/** The review of agents' changes. Until an agent first changes something, it is a listener and no more. */
export function reviewLater({ agents, journal, log }: Pick<Controls, 'agents' | 'journal' | 'log'>) {
  const changed = new ChangedFiles(journal);
  const lists = () => import('./lazyCommands.ts');
  const made: { dispose(): void }[] = [changed];
  const keep = <T extends { dispose(): void }>(one: T): T => {
    made.push(one);
    return one;
  };
  const first = changed.onDidChange(() => {
    first.dispose();
    review().catch(log.error);
  });
  const review = lazily(async () => keep(new (await lists()).Review(changed)));
  const following = lazily(async () => keep(new (await lists()).Following({ agents, journal })));
  const dispose = () => {
    for (const one of made) one.dispose();
  };
  return { changed, review, following, dispose };
}
