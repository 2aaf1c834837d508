import { useContext, useMemo, useState } from 'preact/hooks';
import type { PlacedDiagnostic } from '../../../public/core.ts';
import type { PageInput } from '../../pageInput.ts';
import type { Answers } from '../../protocol.ts';
import type { Change, PageState, Tab } from '../pageState.ts';
import { Tabs } from '../Tabs.tsx';
import { Asker } from '../useAnswer.ts';
import type { Light, WrittenPlace } from '../useLight.ts';
import { addTexts } from './addTexts.ts';
import { Choice } from './Choice.tsx';
import { Editor } from './Editor.tsx';
import { SettingsFields } from './SettingsFields.tsx';

export interface InputPanelProps {
  readonly state: PageState;
  readonly change: Change;
  readonly rules: Answers['rules'] | undefined;
  readonly light: Light;
  readonly shown: (WrittenPlace & { readonly at: number }) | undefined;
}

/** What is compiled: manifests, a dump beside them, settings. */
export function InputPanel(props: InputPanelProps) {
  const { state, change, rules } = props;
  const asker = useContext(Asker);
  const [said, setSaid] = useState('');
  const take = async (files: readonly File[]) => {
    if (asker === undefined || files.length === 0) return;
    const { added, notes } = await addTexts(files, state.input, asker.client);
    setSaid(notes.join(' '));
    change(added);
  };
  return (
    <section
      class="input"
      aria-label="Input"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        take([...(event.dataTransfer?.files ?? [])]);
      }}
    >
      <Tabs
        label="Input"
        tabs={tabs}
        chosen={state.tab}
        panel="input-panel"
        onChosen={(tab) => change({ tab: tab as Tab, file: 0 })}
      />
      <div id="input-panel" class="panel" role="tabpanel" aria-labelledby={`tab-${state.tab}`}>
        {state.tab === 'settings' ? (
          <SettingsFields
            settings={state.input.settings}
            problems={rules?.settingProblems ?? []}
            onSettings={(settings) => change({ input: { ...state.input, settings } })}
          />
        ) : (
          <Files {...props} />
        )}
      </div>
      <p class="row">
        <label class="file">
          Add files
          <input
            type="file"
            multiple
            onChange={({ currentTarget }) => {
              take([...(currentTarget.files ?? [])]);
              currentTarget.value = '';
            }}
          />
        </label>
        <span class="quiet" role="status">
          {said === '' ? 'or drop them here: manifests, dumps, compressed or not' : said}
        </span>
      </p>
    </section>
  );
}

const tabs = [
  { id: 'manifests', title: 'Manifests' },
  { id: 'dump', title: 'Dump' },
  { id: 'settings', title: 'Settings' },
] as const;

function Files({ state, change, rules, light, shown }: InputPanelProps) {
  const { tab, file, input } = state;
  const isManifest = tab === 'manifests';
  const files = isManifest ? input.manifests : input.dumps;
  const own = files[file] ?? { name: isManifest ? 'manifests.yaml' : 'node.txt', text: '' };
  const problems = useMemo(() => problemsIn(rules?.problems ?? [], isManifest ? own.name : ''), [rules, own.name]);
  const lit = useMemo(() => (isManifest ? light.linesIn(own.name) : new Set<number>()), [light, own.name, isManifest]);
  return (
    <>
      {files.length > 1 && (
        <Choice
          label="File"
          value={String(file)}
          options={files.map(({ name }, at) => [String(at), name] as const)}
          onValue={(next) => change({ file: Number(next) })}
        />
      )}
      <div class="sheet">
        <Editor
          key={`${tab} ${file}`}
          label={isManifest ? `Manifests, ${own.name}` : `Dump, ${own.name}`}
          text={own.text}
          isYaml={isManifest}
          problems={problems}
          lit={lit}
          shown={shown && shown.file === own.name ? { ...shown, takesFocus: true } : undefined}
          onText={(text) => change({ input: withText(input, isManifest, file, { ...own, text }) })}
          onLine={(line) => isManifest && light.fromManifest(own.name, line)}
        />
      </div>
    </>
  );
}

function withText(input: PageInput, isManifest: boolean, file: number, own: { name: string; text: string }): PageInput {
  const replaced = <T extends { readonly name: string; readonly text: string }>(files: readonly T[]): readonly T[] =>
    files.length === 0 ? [own as T] : files.map((one, at) => (at === file ? { ...one, text: own.text } : one));
  return isManifest ? { ...input, manifests: replaced(input.manifests) } : { ...input, dumps: replaced(input.dumps) };
}

function problemsIn(problems: readonly PlacedDiagnostic[], file: string): readonly PlacedDiagnostic[] {
  return problems.flatMap((problem) => {
    const at = problem.at.filter((place) => place.file === file);
    return at.length === 0 ? [] : [{ ...problem, at }];
  });
}
