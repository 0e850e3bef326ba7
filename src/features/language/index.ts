import type { Domain } from '../features.ts';
import { getDiagnostics } from './getDiagnostics.ts';
import { problems } from './problemsResource.ts';
import { symbols } from './symbolsResource.ts';

/** What language servers know. */
export const language: Domain = { tools: [getDiagnostics], resources: [problems, symbols] };
