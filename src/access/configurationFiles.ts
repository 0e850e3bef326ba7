/**
 * Files that say what the editor and its agents run and are allowed to do. An edit of one is asked for each time, whatever else
 * the person has allowed: with it an agent could give itself what it was not given.
 */
const TOOLS =
  'vscode|devcontainer|husky|idea|zed|claude|codex|cursor|gemini|opencode|windsurf|kiro|roo|trae|continue|amazonq|junie|augment|cline|clinerules|crush|qwen|goose|factory|aider';
const FOLDERS = new RegExp(`/\\.(${TOOLS})/`, 'i');
const NAMES = new RegExp(
  `/([^/]*\\.code-workspace|\\.devcontainer\\.json|opencode\\.jsonc?|\\.?mcp\\.json|\\.(${TOOLS})(rules|\\.json|\\.ya?ml|\\.conf\\.ya?ml)?)$`,
  'i',
);

/** Such as `.tool/settings.json`, whichever tool that is. */
const SETTINGS = /\/\.[^/]+\/(.+\/)?(settings|permissions|hooks)(\.local)?\.(jsonc?|toml|ya?ml)$/i;

/** @param path absolute */
export function configuresTools(path: string): boolean {
  const slashed = path.replaceAll('\\', '/');
  return [FOLDERS, NAMES, SETTINGS].some((pattern) => pattern.test(slashed));
}
