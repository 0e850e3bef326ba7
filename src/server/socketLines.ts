import type { Duplex } from 'node:stream';
import { MAX_LINE } from '../core/jsonRpc.ts';
import { goodbyeLine } from '../ipc/preamble.ts';
import type { Outlet } from '../protocol/wire/outbox.ts';
import type { Channel, Wire } from '../protocol/wire/wire.ts';
import { Splitter } from '../util/splitter.ts';

/** A socket that carries one message a line. */
export const socketChannel = (socket: Duplex): Channel => ({
  outlet: lineOutlet(socket),
  get isClosed() {
    return socket.destroyed || socket.writableEnded;
  },
  readInto: (wire) => takeLines(socket, wire),
  onClose: (listener) => void socket.once('close', listener),
  disconnect() {
    socket.write(goodbyeLine('disconnected'));
    // An agent that does not read would keep the connection open.
    socket.end(() => socket.destroy());
  },
});

/** Writes one line per message. Messages of one turn of the event loop go out in one system call. */
export function lineOutlet(socket: Duplex): Outlet {
  let corked = false;
  const uncork = () => {
    corked = false;
    socket.uncork();
  };
  return {
    send(text) {
      if (socket.writableEnded) return;
      if (!corked) setImmediate(uncork);
      if (!corked) socket.cork();
      corked = true;
      socket.write(text);
      socket.write('\n'); // joined to a long text, it would be copied first
    },
    unread: () => socket.writableLength,
    end: () => socket.end(),
  };
}

/** Passes the lines of a socket to a wire until either ends. Skips empty lines. */
export function takeLines(socket: Duplex, wire: Wire): void {
  const take = (line: string) => {
    const later = line.trim() === '' ? undefined : wire.take(line);
    if (!later) return;
    socket.pause();
    void later.then(() => socket.resume());
  };
  const lines = new Splitter('\n', MAX_LINE, take, (beginning, ending) =>
    wire.refuseTooLong(beginning, ending),
  );
  socket.setEncoding('utf8').on('data', (text: string) => {
    // After the last line to the agent, a request would be executed without an answer.
    if (!socket.writableEnded) lines.push(text);
  });
  socket.on('drain', () => wire.outbox.drained());
  socket.on('end', () => {
    lines.end();
    void wire.close();
  });
  socket.on('close', () => void wire.close());
}
