import type { Declared } from './extent.ts';

/** A symbol with those inside it. */
export interface Node extends Declared {
  label: string;
  /** Tells it from others. */
  key: string;
  children: readonly Node[];
}

/**
 * In text order, with the symbols inside another one as its children: TypeScript gives parameters of a constructor as siblings of
 * it. One that ends with the other stays its sibling: `a, .b { }` in CSS.
 */
export function nested(nodes: readonly Node[]): Node[] {
  const roots: (Node & { children: Node[] })[] = [];
  for (const node of [...nodes].sort((a, b) => a.from - b.from || b.to - a.to)) {
    const last = roots.at(-1);
    if (last && last.from < node.from && node.to < last.to) last.children.push(node);
    else roots.push({ ...node, children: [...node.children] });
  }
  return roots.map((node) => ({ ...node, children: nested(node.children) }));
}

/** A node with its siblings and parent. */
export interface Found {
  node: Node;
  siblings: readonly Node[];
  parent: Node | undefined;
}

export function findNode(siblings: readonly Node[], key: string, parent?: Node): Found | undefined {
  const node = siblings.find((one) => one.key === key);
  if (node) return { node, siblings, parent };
  for (const one of siblings) {
    const found = findNode(one.children, key, one);
    if (found) return found;
  }
  return undefined;
}
