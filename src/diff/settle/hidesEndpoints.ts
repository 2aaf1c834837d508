/** Whether these Endpoints come from kubectl's table: without nodes, and perhaps incomplete. */
export function hidesEndpoints({ kind, detail }: { readonly kind: string; readonly detail?: number }): boolean {
  return kind === 'Endpoints' && detail !== undefined;
}
