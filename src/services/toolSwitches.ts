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
  const switches = {
    /** The setting that switches a tool off; undefined if it is on. */
    offBy: readSwitchedOff(workspace),
    dispose: () => void listening.dispose(),
    /** Calls `onChange` when the set of enabled tools changes. */
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
  const listening = listen(() => {
    switches.offBy = readSwitchedOff(workspace);
  });
  return switches;
}

export type ToolSwitches = ReturnType<typeof toolSwitches>;
