import type * as vscode from 'vscode';
import { readSwitchedOff, type SwitchedOffBy } from '../core/switchedOff.ts';
import { debounce, whenDifferent } from '../util/debounce.ts';

/** Quiet time after a settings change before agents are notified, in milliseconds: the user may still be typing. */
const QUIET = 200;

/** The tools that the settings leave on; read at the start and after each change. One per window. */
export function toolSwitches({ workspace, Disposable }: typeof vscode) {
  const listen = (onChange: () => void) =>
    workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('workspaceMcp.tools')) onChange();
    });
  const listening = listen(() => {
    switches.offBy = readSwitchedOff(workspace);
  });
  const switches = {
    dispose: () => void listening.dispose(),
    /** The setting that switches a tool off; undefined if it is on. Another function after each change. */
    offBy: readSwitchedOff(workspace),
    watch(tools: readonly Parameters<SwitchedOffBy>[0][], onChange: () => void): vscode.Disposable {
      const namesOfOn = () =>
        tools
          .filter((tool) => !switches.offBy(tool))
          .map(({ name }) => name)
          .join();
      const compareSoon = debounce(whenDifferent(namesOfOn, onChange), QUIET);
      return Disposable.from(listen(compareSoon), compareSoon);
    },
  };
  return switches;
}

export type ToolSwitches = ReturnType<typeof toolSwitches>;
