import {
  findNodeAtLocation,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser';
import type { L10n } from './problems.ts';

/** A place in a file: 1-based line, and 1-based column in UTF-16 units. */
export interface Position {
  line: number;
  column: number;
}

/** A server as its file has it. */
export interface ServerEntry {
  name: string;
  value: unknown;
  /** Where a field of it is, or its nearest parent that is there. */
  positionOf(path: readonly PropertyKey[]): Position;
}

export type ServerFile =
  | { servers: ServerEntry[]; inputs: unknown /** of top-level `sandbox` */; sandbox?: Position }
  | { message: string; position: Position };

/**
 * The servers of a file, which may have comments and trailing commas.
 *
 * @param field that holds them: `servers`, `mcpServers`
 */
export function parseServerFile(text: string, field: string, l10n: L10n): ServerFile {
  const errors: ParseError[] = [];
  const root = tree(text, errors);
  const [error] = errors;
  if (error || root?.type !== 'object') {
    const code = error ? printParseErrorCode(error.error) : 'ObjectExpected';
    return {
      message: l10n.t('Not a valid JSON object: {0}', code),
      position: positionAt(text, error?.offset ?? root?.offset ?? 0),
    };
  }
  const servers = findNodeAtLocation(root, [field]);
  const sandbox = findNodeAtLocation(root, ['sandbox']);
  const inputs = findNodeAtLocation(root, ['inputs']);
  return {
    servers: [...new Map(childrenOf(servers).map((one) => entryOf(one, text))).values()],
    inputs: inputs && getNodeValue(inputs),
    ...(sandbox && { sandbox: positionAt(text, sandbox.offset) }),
  };
}

/** The parser is recursive: a hostile file can nest so deep that it throws. */
function tree(text: string, errors: ParseError[]): Node | undefined {
  try {
    return parseTree(text, errors, { allowTrailingComma: true });
  } catch {
    return undefined;
  }
}

const childrenOf = (node: Node | undefined): Node[] => (node?.type === 'object' ? (node.children ?? []) : []);

/** By its name: of two with the same, the last counts. */
function entryOf({ children = [] }: Node, text: string): [string, ServerEntry] {
  const [key, node] = children;
  const name: string = key ? getNodeValue(key) : '';
  const positionOf = (path: readonly PropertyKey[]) =>
    positionAt(text, (nearest(node, path) ?? key)?.offset ?? 0);
  return [name, { name, value: node && getNodeValue(node), positionOf }];
}

function nearest(node: Node | undefined, path: readonly PropertyKey[]): Node | undefined {
  if (!node) return undefined;
  const found = findNodeAtLocation(node, path as (string | number)[]);
  return found ?? (path.length > 0 ? nearest(node, path.slice(0, -1)) : node);
}

function positionAt(text: string, offset: number): Position {
  const before = text.slice(0, offset).split(/\r\n|[\n\r]/);
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
