/**
 * One owner for everything that must not outlive this process: child processes, browsers, temporary directories.
 * Whoever makes such a thing registers it here; it is then ended in any case, however this process ends
 * (but for SIGKILL, which nobody hears).
 */

export interface Owned {
  /** Ends it in an orderly way, in bounded time. */
  close(): Promise<void>;
  /** Ends it at once and synchronously: the process is about to be gone. */
  kill(): void;
}

const owned = new Set<Owned>();
let listening = false;
let ending = false;

/** Registers a thing; the result takes it off the list again, once it has ended. */
export function own(thing: Owned): () => void {
  listen();
  owned.add(thing);
  return () => void owned.delete(thing);
}

/** Whether a signal has asked this process to end: what fails from now on fails because of that. */
export const isEnding = (): boolean => ending;

let closing: Promise<void> | undefined;

/** Ends everything that is registered, once: a signal may come while it is under way. */
export function closeAll(): Promise<void> {
  closing ??= closeEach();
  return closing;
}

async function closeEach(): Promise<void> {
  for (const thing of newestFirst()) {
    await thing.close().catch(() => {}); // the others still have to go
    owned.delete(thing);
  }
}

function listen(): void {
  if (listening) return;
  listening = true;
  process.on('SIGINT', () => void end(130));
  process.on('SIGTERM', () => void end(143));
  process.on('SIGHUP', () => void end(129));
  // An uncaught error and process.exit() come here too.
  process.on('exit', () => {
    for (const thing of newestFirst()) attempt(thing);
  });
}

/** A process that is meant to be ended by a signal has set `process.exitCode` before. */
async function end(exitCode: number): Promise<void> {
  if (ending) process.exit(exitCode); // asked a second time: no more patience
  ending = true;
  console.error('Stopping …');
  process.exitCode ??= exitCode;
  await closeAll();
  process.exit();
}

/** What was made later often stands on what was made earlier: a server on its directory. */
const newestFirst = (): Owned[] => [...owned].reverse();

function attempt(thing: Owned): void {
  try {
    thing.kill();
  } catch {
    // as above
  }
}
