import * as vscode from 'vscode';
import { lazily } from '../lazily.ts';
import type { HttpService } from './httpService.ts';

/** MCP over HTTP, loaded where it is switched on, or when somebody asks for it. */
export class HttpLater implements vscode.Disposable {
  /** Undefined until it is loaded. */
  current: HttpService | undefined;
  readonly get: () => Promise<HttpService>;
  readonly #changes = new vscode.EventEmitter<void>();
  readonly onDidChange: vscode.Event<void> = this.#changes.event;
  #isDisposed = false;
  readonly #made: vscode.Disposable[] = [this.#changes];

  /** @param fail takes the error if it cannot be loaded */
  constructor(load: () => Promise<HttpService>, fail: (error: Error) => void) {
    this.get = lazily(async () => {
      const service = await load();
      if (this.#isDisposed) service.dispose();
      this.current = service;
      const listening = service.onDidChange(() => this.#changes.fire());
      this.#made.push(service, listening);
      await service.update();
      return service;
    });
    const loadIfOn = () => {
      if (vscode.workspace.getConfiguration('workspaceMcp').get('http.enabled', false))
        this.get().catch(fail);
    };
    this.#made.push(vscode.workspace.onDidChangeConfiguration(loadIfOn));
    loadIfOn();
  }

  dispose(): void {
    this.#isDisposed = true;
    for (const one of this.#made) one.dispose();
  }
}
