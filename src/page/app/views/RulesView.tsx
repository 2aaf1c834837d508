import { useMemo, useState } from 'preact/hooks';
import { lessons } from '../../lessons/lessons.ts';
import type { Answers, Variant } from '../../protocol.ts';
import { commandLine } from '../commandLine.ts';
import { Editor, type ShownLine } from '../input/Editor.tsx';
import { VariantFields } from '../input/VariantFields.tsx';
import { Problems } from '../Problems.tsx';
import type { Change, PageState } from '../pageState.ts';
import { Take } from '../Take.tsx';
import { type Given, useAnswer } from '../useAnswer.ts';
import { afterTyping, type Light } from '../useLight.ts';
import { otherLines } from './otherLines.ts';

export interface RulesViewProps {
  readonly state: PageState;
  readonly change: Change;
  readonly light: Light;
  /** The answer to what is chosen first; others need it too. */
  readonly first: Given<Answers['rules']>;
}

/** The rules of a node, of one choice or of two side by side; a rule says what it does and where it comes from. */
export function RulesView({ state, change, light, first }: RulesViewProps) {
  const { variant, other } = state;
  const second = useAnswer('rules', other);
  const own = first.answer?.text ?? '';
  const beside = other === undefined ? undefined : second.answer?.text;
  const differences = useMemo(
    () => (beside === undefined ? undefined : { own: otherLines(own, beside), beside: otherLines(beside, own) }),
    [own, beside],
  );
  const spokenOf = lessons.find(({ id }) => id === state.lesson)?.shows;
  const compared = first.isCurrent && second.isCurrent ? JSON.stringify([variant, other]) : '';
  const hasDump = state.input.dumps.some(({ text }) => text.trim() !== '');
  return (
    <section class="view" aria-labelledby="rules-title">
      <h2 id="rules-title">Rules of the node</h2>
      <div class={other === undefined ? 'sides one' : 'sides'}>
        <Side
          name={other === undefined ? '' : 'Left: '}
          variant={variant}
          hasDump={hasDump}
          given={first}
          onVariant={(next) => change({ variant: next })}
          light={light}
          different={differences?.own}
          spokenOf={spokenOf}
          compared={compared}
          command={commandLine(state, variant)}
        />
        {other !== undefined && (
          <Side
            name="Right: "
            variant={other}
            hasDump={hasDump}
            given={second}
            onVariant={(next) => change({ other: next })}
            light={light}
            different={differences?.beside}
            spokenOf={spokenOf}
            compared={compared}
            command={commandLine(state, other)}
          />
        )}
      </div>
      <p class="row">
        <button type="button" onClick={() => change({ other: other === undefined ? variant : undefined })}>
          {other === undefined ? 'Compare with another choice' : 'Close the right side'}
        </button>
        {differences !== undefined && (
          <span role="status">
            {differences.own.size + differences.beside.size === 0
              ? 'Both sides have the same lines.'
              : `Marked: ${differences.own.size} lines only on the left, ${differences.beside.size} only on the right.`}
          </span>
        )}
      </p>
    </section>
  );
}

interface SideProps {
  readonly name: string;
  readonly variant: Variant;
  readonly hasDump: boolean;
  readonly given: Given<Answers['rules']>;
  readonly onVariant: (variant: Variant) => void;
  readonly light: Light;
  readonly different: ReadonlySet<number> | undefined;
  /** What the lesson that is open speaks of. */
  readonly spokenOf: string | undefined;
  /** The choices whose lines are compared; empty while one is on its way. */
  readonly compared: string;
  readonly command: string;
}

function Side({ name, variant, hasDump, given, onVariant, light, different, spokenOf, compared, command }: SideProps) {
  const { answer, failure } = given;
  const [line, setLine] = useState(0);
  const text = answer?.text ?? '';
  const sentence = useAnswer('line', line === 0 ? undefined : { variant, line }).answer?.sentence;
  const lines = useAnswer('lines', light.names.length === 0 ? undefined : { variant, names: light.names }, afterTyping);
  const lit = useMemo(() => new Set(light.names.length === 0 ? [] : lines.answer), [light, lines.answer]);
  const said = text.split('\n', line)[line - 1] ?? '';
  const from = useAnswer('sources', line === 0 ? undefined : { variant, at: { kind: 'rule', line } }, afterTyping);
  const sources = from.isCurrent ? (from.answer ?? []) : [];
  return (
    <div class="side">
      <VariantFields
        name={name}
        variant={variant}
        hasDump={hasDump}
        compiled={answer && { mode: answer.mode, version: answer.version }}
        onVariant={onVariant}
      />
      <div class="sheet" data-lines={text === '' ? 0 : text.split('\n').length}>
        <Editor
          label={`${name}rules`}
          text={text}
          isReadOnly
          lit={lit}
          shown={shownLine({ text, light, lit, different, spokenOf, compared })}
          {...(different && { different })}
          onLine={(next) => {
            setLine(next);
            light.fromRule(variant, next);
          }}
        />
      </div>
      <div class="explained" aria-live="polite">
        {line === 0 || said.trim() === '' ? (
          <p class="quiet">
            Put the cursor into a line to see what it does and which line of the manifests it comes from.
          </p>
        ) : (
          <>
            <p>{sentence ?? 'This line is no rule: it declares or closes what rules stand in, or holds a value.'}</p>
            {sources.length > 0 && (
              <p class="row">
                Comes from{' '}
                {sources.map(({ name: source, place }) =>
                  place === undefined ? (
                    <span key={source}>{source}</span>
                  ) : (
                    <button type="button" key={source} onClick={() => light.reveal(place)}>
                      {`${source} (${place.file}:${place.line})`}
                    </button>
                  ),
                )}
              </p>
            )}
          </>
        )}
      </div>
      <Take
        what={`${name}rules`.toLowerCase().replace(': ', ' ')}
        command={command}
        file={text === '' ? undefined : { name: fileName(variant), text }}
      />
      <Problems problems={answer?.problems ?? []} failure={failure} onPlace={light.reveal} />
    </div>
  );
}

/** The line to bring into sight: of what a person chose in the manifests, of a lesson, or the first that differs. */
function shownLine({
  text,
  light,
  lit,
  different,
  spokenOf,
  compared,
}: Pick<SideProps, 'light' | 'different' | 'spokenOf' | 'compared'> & {
  readonly text: string;
  readonly lit: ReadonlySet<number>;
}): ShownLine | undefined {
  const [first] = lit;
  if (light.chosen > 0 && first !== undefined) return { line: first, at: `chosen ${light.chosen}`, takesFocus: false };
  const place = spokenOf === undefined ? -1 : text.indexOf(spokenOf);
  if (place >= 0)
    return {
      line: text.slice(0, place).split('\n').length,
      at: `spoken of ${spokenOf} ${compared}`,
      takesFocus: false,
    };
  const [other] = different ?? [];
  // Typing changes lines, and is not to move what somebody reads.
  return other === undefined || compared === ''
    ? undefined
    : { line: other, at: `different ${compared}`, takesFocus: false };
}

function fileName({ form, mode }: Variant): string {
  const end = { json: 'json', script: 'sh', save: 'save', restore: 'restore', 'ipvsadm-list': 'txt', dump: 'txt' }[
    form
  ];
  return `${mode === '' ? 'rules' : mode}.${end}`;
}
