/** Whether kubectl showed these Endpoints to people: without nodes, and perhaps not all of them. */
export function hidesEndpoints({ kind, detail }: { readonly kind: string; readonly detail?: number }): boolean {
  return kind === 'Endpoints' && detail !== undefined;
}
