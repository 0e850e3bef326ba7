import { comments } from './comments/index.ts';
import { debug } from './debug/index.ts';
import { edit } from './edit/index.ts';
import { editor } from './editor/index.ts';
import type { Features } from './features.ts';
import { files } from './files/index.ts';
import { git } from './git.ts';
import { hooks } from './hooks/index.ts';
import { hosted } from './hosted/index.ts';
import { language } from './language/index.ts';
import { lsp } from './lsp/index.ts';
import { manage } from './manage/index.ts';
import { prompts } from './prompts/index.ts';
import { refactor } from './refactor/index.ts';
import { run } from './run/index.ts';
import { symbols } from './symbols/index.ts';
import { vscode } from './vscode/index.ts';
import { windows } from './windows/index.ts';

const domains = [
  files,
  edit,
  manage,
  editor,
  comments,
  language,
  symbols,
  refactor,
  git,
  run,
  debug,
  vscode,
  windows,
  prompts,
  hooks,
  lsp,
  hosted,
];

/** What an agent without language servers cannot do itself, and what it needs most often: at most 24 tools in 16 KB. */
const core = [
  ...['get_workspace', 'get_editor_state', 'ask_user'],
  ...['read_file', 'search_text', 'edit_file', 'write_file', 'move_path'],
  ...['list_symbols', 'get_symbol', 'find_definition', 'find_references', 'rename_symbol'],
  ...['get_diagnostics', 'get_change_impact', 'apply_code_action'],
  ...['run_command', 'run_tests', 'read_run', 'debug_start'],
];

/** Everything offered to agents. */
export const features: Features = {
  tools: domains.flatMap(({ tools = [] }) => tools),
  core: new Set(core),
  toolSources: domains.flatMap(({ toolSources = [] }) => toolSources),
  resources: domains.flatMap(({ resources = [] }) => resources),
  prompts: domains.flatMap(({ prompts = [] }) => prompts),
};
