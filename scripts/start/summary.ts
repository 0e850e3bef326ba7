/** What an agent sees, for a person to read. */
import { styleText } from 'node:util';
import type { AgentView } from './agent.ts';

/** Resources, problems and lines of the file that are shown; the rest is counted. */
const FEW = 10;

export function summary(view: AgentView): string {
  const problems = view.problems.flatMap(({ path, problems }) =>
    problems.map(
      ({ line, column, severity, message }) => `${path}:${line}:${column} ${severity}: ${oneLine(message)}`,
    ),
  );
  return [
    section('Server', [`${view.server}, MCP ${view.protocolVersion}`]),
    section(
      `Roots (${view.roots.length})`,
      view.roots.map(({ uri, name }) => (name ? `${uri}  ${name}` : uri)),
    ),
    section(
      `Resources (${view.resources.length})`,
      few(view.resources.map(({ uri, mimeType }) => `${uri}  ${mimeType ?? ''}`)),
    ),
    section(`Tools (${view.tools.length})`, described(view.tools)),
    section(`Prompts (${view.prompts.length})`, described(view.prompts)),
    section(
      `File, by resources/read: ${view.file?.uri ?? 'no text in this folder'}`,
      few(view.file?.text.trimEnd().split('\n') ?? [], 'lines'),
    ),
    section(`Problems that the language servers report (${problems.length})`, few(problems)),
  ].join('\n\n');
}

const section = (title: string, lines: string[]): string =>
  [styleText('bold', title), ...lines.map((line) => `  ${clip(line)}`)].join('\n');

function described(things: { name: string; description?: string | undefined }[]): string[] {
  const width = Math.max(0, ...things.map(({ name }) => name.length));
  return things.map(({ name, description = '' }) => `${name.padEnd(width)}  ${oneLine(description)}`);
}

const few = (lines: string[], what = ''): string[] =>
  lines.length <= FEW
    ? lines
    : [...lines.slice(0, FEW), ['… and', lines.length - FEW, 'more', what].join(' ').trim()];

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** A line each, on the terminal that there is. Control characters of a file's text do nothing here. */
function clip(line: string): string {
  const width = (process.stdout.columns ?? 120) - 2;
  const visible = line.replaceAll('\t', '  ').replace(/\p{Cc}/gu, '�');
  return visible.length > width ? `${visible.slice(0, width - 1)}…` : visible;
}
