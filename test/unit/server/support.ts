import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { bootId, hostId, newToken, type WindowRecord, writeRecord } from '../../../src/ipc/windowRecord.ts';
import { type Listener, type ListenerOptions, startListener } from '../../../src/server/listener.ts';
import type { Log } from '../../../src/util/log.ts';
import type { useDirectory } from '../../temporary.ts';
import { record } from '../shim/records.ts';

export const silentLog: Log = { trace() {}, debug() {}, info() {}, warn() {}, error() {} };

let sockets = 0;

/** A path for a socket of the test. */
export const socketPathIn = (directory: string): string => {
  const name = `${process.pid}-${++sockets}`;
  return process.platform === 'win32' ? `\\\\.\\pipe\\wmcp-test-${name}` : join(directory, name);
};

/** A window as others see it: a record, and a listener behind it. */
export async function openWindow(
  home: string,
  fields: Partial<WindowRecord> = {},
  options: Partial<ListenerOptions> = {},
): Promise<{ record: WindowRecord; sockets: Socket[]; connections: () => number; close: Listener['close'] }> {
  const window = record({
    pid: process.pid,
    host: hostId(),
    bootId: bootId(),
    token: newToken(),
    socketPath: socketPathIn(home),
    ...fields,
  });
  const sockets: Socket[] = [];
  const listener = await startListener({
    socketPath: window.socketPath,
    token: window.token,
    openSession: (socket) => void sockets.push(socket),
    isResponsive: async () => true,
    knowsSession: () => false,
    log: silentLog,
    ...options,
  });
  writeRecord(home, window);
  return {
    record: window,
    sockets,
    connections: () => listener.connections,
    close: (goodbye) => listener.close(goodbye),
  };
}

/** A window that is closed when the test ends. */
export async function openUntilEnd(
  home: ReturnType<typeof useDirectory>,
  fields?: Partial<WindowRecord>,
  options?: Partial<ListenerOptions>,
): ReturnType<typeof openWindow> {
  const window = await openWindow(home.path, fields, options);
  home.atEnd(() => window.close());
  return window;
}

/** Listens without knowing any token; collects what it is told, and answers each connection with `line`. */
export async function openImpostor(
  socketPath: string,
  line: string,
): Promise<{ heard: string[]; server: Server }> {
  const heard: string[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => {}).setEncoding('utf8');
    socket.on('data', (chunk) => void heard.push(String(chunk)));
    socket.write(`${line}\n`);
  });
  await new Promise<void>((resolve) => server.listen(socketPath, resolve));
  return { heard, server };
}
