import * as vscode from 'vscode';
import type { Log } from '../util/log.ts';

/**
 * The channel behind "Workspace MCP: Show Log", with the log level that the user sets in VS Code. Sockets still log after the window
 * has closed, and a closed channel throws: later messages are dropped.
 */
export class WindowLog implements Log {
  readonly #channel = vscode.window.createOutputChannel('Workspace MCP', { log: true });
  #closed = false;

  trace = this.#write('trace');
  debug = this.#write('debug');
  info = this.#write('info');
  warn = this.#write('warn');
  error = this.#write('error');

  show(): void {
    this.#channel.show();
  }

  dispose(): void {
    this.#closed = true;
    this.#channel.dispose();
  }

  #write(level: keyof Log) {
    return (message: string | Error): void => {
      if (!this.#closed) this.#channel[level](message as string);
    };
  }
}
