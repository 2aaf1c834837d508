/** A report in parts, before it is formatted. Texts are raw: printers escape them. */
export type Block =
  | { readonly kind: 'heading'; readonly level: 1 | 2 | 3; readonly text: string }
  | { readonly kind: 'paragraph'; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly { readonly text: string; readonly code?: string }[] }
  | { readonly kind: 'code'; readonly lines: readonly string[] };
