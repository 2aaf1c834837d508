import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { PoliciesAnswer } from '../protocol.ts';
import { addressOf, stateOf } from './address.ts';
import type { Client } from './client.ts';
import { InputPanel } from './input/InputPanel.tsx';
import { firstState, type PageState, type View, views } from './pageState.ts';
import { Tabs } from './Tabs.tsx';
import { Asker, useAnswer } from './useAnswer.ts';
import { useLight, type WrittenPlace } from './useLight.ts';
import { FindingsView } from './views/FindingsView.tsx';
import { LessonsView } from './views/LessonsView.tsx';
import { LessonText } from './views/LessonText.tsx';
import { MapView } from './views/MapView.tsx';
import { PoliciesView } from './views/PoliciesView.tsx';
import { RulesView } from './views/RulesView.tsx';
import { WalkView } from './views/WalkView.tsx';

export interface AppProps {
  readonly client: Client;
  readonly first: PageState;
  /** Takes a function that must be called with each new state of the files. */
  readonly onInput?: ((follow: (input: PageState['input']) => void) => void) | undefined;
}

/** The whole page: the input on one side, a view of what follows from it on the other. */
export function App({ client, first, onInput }: AppProps) {
  const [state, setState] = useState(first);
  useEffect(() => {
    // Browsers count changes of the address, and take only so many in a while.
    const timer = setTimeout(() => {
      const { hash } = addressOf(state);
      if (`#${hash}` !== location.hash) history.replaceState(null, '', `#${hash}`);
    }, 400);
    return () => clearTimeout(timer);
  }, [state]);
  useEffect(() => {
    const follow = () => setState((old) => stateOf(location.hash, { ...firstState, input: old.input }) ?? old);
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  useEffect(() => onInput?.((input) => setState((old) => ({ ...old, input, lesson: '' }))), []);
  const asker = useMemo(() => ({ client, input: state.input }), [client, state.input]);
  return (
    <Asker.Provider value={asker}>
      <Page state={state} change={(next) => setState((old) => ({ ...old, ...next }))} />
    </Asker.Provider>
  );
}

interface PageProps {
  readonly state: PageState;
  readonly change: (change: Partial<PageState>) => void;
}

function Page({ state, change }: PageProps) {
  const [shown, setShown] = useState<WrittenPlace & { readonly at: number }>();
  const light = useLight(state.variant, (place) => {
    const file = state.input.manifests.findIndex(({ name }) => name === place.file);
    if (file === -1) return;
    change({ tab: 'manifests', file });
    setShown({ ...place, at: Date.now() });
  });
  // What stood there before the first lesson comes back behind the last.
  const before = useRef<PageState>();
  const learn = (next: Partial<PageState>) => {
    if (state.lesson === '') before.current = state;
    change(next);
  };
  const close = () => change({ ...(before.current ?? firstState), view: 'lessons', lesson: '' });
  const starts = useRef(new Map<string, PoliciesAnswer>());
  const rules = useAnswer('rules', state.variant);
  useEffect(() => {
    document.title = `k8snet: ${views.find(({ id }) => id === state.view)?.title}`;
  }, [state.view]);
  return (
    <>
      <header class="top">
        <h1>k8snet</h1>
        <Tabs
          label="Views"
          tabs={views}
          chosen={state.view}
          panel="view"
          onChosen={(view) => change({ view: view as View })}
        />
      </header>
      <main>
        <InputPanel state={state} change={change} rules={rules.answer} light={light} shown={shown} />
        <div id="view" role="tabpanel" aria-labelledby={`tab-${state.view}`} data-busy={!rules.isCurrent}>
          {state.lesson !== '' && <LessonText id={state.lesson} change={learn} onClose={close} />}
          {state.view === 'rules' && <RulesView state={state} change={change} light={light} first={rules} />}
          {state.view === 'walk' && <WalkView state={state} change={change} onPlace={light.reveal} />}
          {state.view === 'lessons' && <LessonsView change={learn} />}
          {state.view === 'policies' && (
            <PoliciesView state={state} change={change} onPlace={light.reveal} starts={starts.current} />
          )}
          {state.view === 'findings' && <FindingsView state={state} onPlace={light.reveal} />}
          {state.view === 'map' && <MapView state={state} change={change} onPlace={light.reveal} />}
        </div>
      </main>
    </>
  );
}
