/** The part of VS Code's LogOutputChannel that is used. No message of an agent and no content of a file is written to it. */
export interface Log {
  trace(message: string): void;
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
  error(message: string | Error): void;
}
