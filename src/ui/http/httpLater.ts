import * as vscode from 'vscode';
import { lazily } from '../lazily.ts';
import type { HttpService } from './httpService.ts';

export type HttpLater = ReturnType<typeof httpLater>;

/** MCP over HTTP, loaded where it is switched on, or when somebody asks for it. @param fail takes the error if it cannot be loaded */
export function httpLater(load: () => Promise<HttpService>, fail: (error: Error) => void) {
  const changes = new vscode.EventEmitter<void>();
  let current: HttpService | undefined;
  let isDisposed = false;
  const get = lazily(async () => {
    const service = await load();
    if (isDisposed) service.dispose();
    current = service;
    made.push(
      service,
      service.onDidChange(() => changes.fire()),
    );
    await service.update();
    return service;
  });
  const loadIfOn = () => {
    if (vscode.workspace.getConfiguration('workspaceMcp').get('http.enabled', false)) get().catch(fail);
  };
  const made: vscode.Disposable[] = [changes, vscode.workspace.onDidChangeConfiguration(loadIfOn)];
  loadIfOn();
  return {
    get,
    onDidChange: changes.event,
    /** Undefined until it is loaded. */
    get current() {
      return current;
    },
    dispose(): void {
      isDisposed = true;
      for (const one of made) one.dispose();
    },
  };
}
