import type { Domain } from '../features.ts';
import { getDiagnostics } from './getDiagnostics.ts';
import { lspRequest } from './lspRequest.ts';
import { problems } from './problemsResource.ts';
import { symbols } from './symbolsResource.ts';

/** Results of the language servers. */
export const language: Domain = { tools: [getDiagnostics, lspRequest], resources: [problems, symbols] };
