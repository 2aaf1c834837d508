/**
 * A rule that leads traffic of Pods to all endpoints of a Service, although its policy is Local, and not masqueraded, by its comment: of
 * KUBE-XLB from 1.5 on, of KUBE-EXT since 1.24, and of nftables mode.
 */
export function isPodShortcut(comment: string | undefined): boolean {
  if (comment === undefined) return false;
  return shortcuts.some((start) => comment.startsWith(start)) || comment === 'short-circuit pod traffic';
}

/** What these comments begin with in iptables mode. */
export const shortcuts = ['pod traffic for ', 'Redirect pods trying '] as const;
