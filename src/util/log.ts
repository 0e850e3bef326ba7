/** The part of VS Code's LogOutputChannel in use. Never log an agent's messages or a file's content. */
export interface Log {
  trace(message: string): void;
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
  error(message: string | Error): void;
}
