import { useRef } from 'preact/hooks';

export interface TabsProps {
  readonly label: string;
  readonly tabs: readonly { readonly id: string; readonly title: string }[];
  readonly chosen: string;
  /** The id of what they show. */
  readonly panel: string;
  readonly onChosen: (id: string) => void;
}

/** Tabs as readers of screens know them: one stop for the tab key, arrows between them. */
export function Tabs({ label, tabs, chosen, panel, onChosen }: TabsProps) {
  const list = useRef<HTMLDivElement>(null);
  const move = (event: KeyboardEvent) => {
    const at = tabs.findIndex(({ id }) => id === chosen);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const next = (to + tabs.length) % tabs.length;
    onChosen((tabs[next] as TabsProps['tabs'][number]).id);
    (list.current?.children[next] as HTMLElement | undefined)?.focus();
  };
  return (
    <div class="tabs" role="tablist" aria-label={label} ref={list}>
      {tabs.map(({ id, title }) => (
        <button
          type="button"
          role="tab"
          key={id}
          id={`tab-${id}`}
          aria-selected={id === chosen}
          aria-controls={panel}
          tabIndex={id === chosen ? 0 : -1}
          onClick={() => onChosen(id)}
          onKeyDown={move}
        >
          {title}
        </button>
      ))}
    </div>
  );
}
