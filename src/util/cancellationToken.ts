import type * as vscode from 'vscode';

/** Runs something with a token of VS Code that is cancelled when the signal is aborted. */
export async function withToken<T>(
  { CancellationTokenSource }: typeof vscode,
  signal: AbortSignal,
  run: (token: vscode.CancellationToken) => PromiseLike<T>,
): Promise<T> {
  const source = new CancellationTokenSource();
  const cancel = () => source.cancel();
  signal.addEventListener('abort', cancel);
  try {
    if (signal.aborted) cancel();
    return await run(source.token);
  } finally {
    signal.removeEventListener('abort', cancel);
    source.dispose();
  }
}
