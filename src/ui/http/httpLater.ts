import * as vscode from 'vscode';
import { settingValue } from '../../core/settings.ts';
import { lazily } from '../lazily.ts';
import type { HttpService } from './httpService.ts';

/** MCP over HTTP, loaded where it is switched on, or when somebody asks for it. */
export class HttpLater implements vscode.Disposable {
  readonly #changes = new vscode.EventEmitter<void>();
  readonly #made: vscode.Disposable[] = [this.#changes];
  #current: HttpService | undefined;
  #isDisposed = false;

  readonly onDidChange = this.#changes.event;
  readonly get: () => Promise<HttpService>;

  /** @param fail takes the error if it cannot be loaded */
  constructor(load: () => Promise<HttpService>, fail: (error: Error) => void) {
    this.get = lazily(async () => this.#start(await load()));
    const loadIfOn = () => {
      if (settingValue(vscode.workspace, 'http.enabled') === true) this.get().catch(fail);
    };
    this.#made.push(vscode.workspace.onDidChangeConfiguration(loadIfOn));
    loadIfOn();
  }

  /** Undefined until it is loaded. */
  get current(): HttpService | undefined {
    return this.#current;
  }

  dispose(): void {
    this.#isDisposed = true;
    for (const one of this.#made) one.dispose();
  }

  async #start(service: HttpService): Promise<HttpService> {
    if (this.#isDisposed) service.dispose();
    this.#current = service;
    const listening = service.onDidChange(() => this.#changes.fire());
    this.#made.push(service, listening);
    await service.update();
    return service;
  }
}
