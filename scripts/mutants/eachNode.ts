import type { Node } from 'oxc-parser';

/** Every node below one, outer ones first. */
export function eachNode(node: Node, visit: (node: Node) => void): void {
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (typeof child !== 'object' || child === null || !('type' in child)) continue;
      visit(child);
      eachNode(child, visit);
    }
  }
}
