import type { ComponentChildren } from 'preact';

export interface WideProps {
  readonly label: string;
  readonly kind?: string;
  readonly children: ComponentChildren;
}

/** What may be wider than the page scrolls by itself, also by keyboard. */
export function Wide({ label, kind = '', children }: WideProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: who has no pointer scrolls what has the focus.
    <section class={`wide ${kind}`} tabIndex={0} aria-label={label}>
      {children}
    </section>
  );
}
