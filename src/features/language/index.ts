import type { Domain } from '../features.ts';
import { getDiagnostics } from './getDiagnostics.ts';
import { problems, symbols } from './languageResources.ts';
import { lspRequest } from './lspRequest.ts';

export const language: Domain = { tools: [getDiagnostics, lspRequest], resources: [problems, symbols] };
