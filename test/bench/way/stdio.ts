/** This process's stdin and stdout as the one stream that a session serves. */
import { Duplex } from 'node:stream';

type Written = { chunk: string | Buffer; encoding: BufferEncoding };

/** Hands everything on as it is: a text stays one until stdout makes bytes of it, as on a socket. */
export class Stdio extends Duplex {
  constructor() {
    super({ decodeStrings: false });
    process.stdin.on('data', (chunk) => {
      if (!this.push(chunk)) process.stdin.pause();
    });
    process.stdin.on('end', () => this.push(null));
  }

  override _read(): void {
    process.stdin.resume();
  }

  override _write(chunk: string | Buffer, encoding: BufferEncoding, done: (error?: Error | null) => void) {
    process.stdout.write(chunk, encoding, done);
  }

  /** What the session has written in one turn leaves in one system call, as it does on a socket. */
  override _writev(written: Written[], done: (error?: Error | null) => void): void {
    process.stdout.cork();
    for (const { chunk, encoding } of written.slice(0, -1)) process.stdout.write(chunk, encoding);
    const last = written.at(-1);
    process.stdout.write(last?.chunk ?? '', last?.encoding, done);
    process.stdout.uncork();
  }
}
