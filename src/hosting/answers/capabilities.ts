import type { ClientOptions } from '../connection/client.ts';

/** What the answers of this folder can do; `includeContext` is not among it. */
export const capabilities: NonNullable<ClientOptions['capabilities']> = {
  roots: { listChanged: true },
  sampling: { tools: {} },
  elicitation: { form: {}, url: {} },
};
