/** A temporary directory that goes with this process. */
import { makeTemporary, removeTemporary } from '../temporary.ts';
import { own } from './cleanup.ts';

export interface Scratch {
  /** Real and short: editors report what lies behind a link, and make sockets in here. */
  path: string;
  remove(): void;
}

export function makeScratch(): Scratch {
  const path = makeTemporary();
  const erase = () => removeTemporary(path);
  const disown = own({ close: async () => erase(), kill: erase });
  const remove = () => {
    disown();
    erase();
  };
  return { path, remove };
}
