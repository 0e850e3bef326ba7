/** The tools that ask language servers, and the documented examples, in the sample project. */
import * as vscode from 'vscode';
import './documented.test.ts';
import './lsp.test.ts';
import './symbolEdits.test.ts';
import './symbols.test.ts';

// In a browser VS Code saves by itself after a second.
before(() =>
  vscode.workspace.getConfiguration('files').update('autoSave', 'off', vscode.ConfigurationTarget.Global),
);
