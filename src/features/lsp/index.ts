import type { Domain } from '../features.ts';
import { doorSource } from './languageServer.ts';

export const lsp: Domain = { toolSources: [doorSource] };
