import * as vscode from 'vscode';
import type { Controls } from '../controls.ts';
import { EditorAgent } from './editorAgent.ts';
import { agentMachine } from './machine.ts';

/** @param change is called when its command may have changed */
export const createEditorAgent = (
  { server, context }: Pick<Controls, 'server' | 'context'>,
  change: () => void,
): EditorAgent => new EditorAgent(vscode, server, () => agentMachine(context.globalStorageUri), change);
