import { useEffect, useRef } from 'preact/hooks';
import type { PlacedDiagnostic } from '../../core.ts';
import { createTextEditor, type TextEditor } from './textEditor.ts';

export interface EditorProps {
  readonly label: string;
  readonly text: string;
  readonly isReadOnly?: boolean;
  readonly isYaml?: boolean;
  readonly problems?: readonly PlacedDiagnostic[];
  readonly lit?: ReadonlySet<number>;
  readonly different?: ReadonlySet<number>;
  /** The line that somebody asked to see; `at` tells one asking from the next. */
  readonly shown?: { readonly line: number; readonly at: number; readonly takesFocus: boolean } | undefined;
  readonly onText?: (text: string) => void;
  readonly onLine?: (line: number) => void;
}

/** A text in a shadow root: the editor's styles then go into its sheets, which a strict policy allows. */
export function Editor(props: EditorProps) {
  const { label, text, problems = none, lit = noLines, different = noLines, shown } = props;
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<TextEditor>();
  const latest = useRef(props);
  latest.current = props;
  useEffect(() => {
    const element = host.current as HTMLDivElement;
    const parent = element.shadowRoot ?? element.attachShadow({ mode: 'open' });
    editor.current = createTextEditor({
      parent,
      label,
      isReadOnly: props.isReadOnly === true,
      isYaml: props.isYaml === true,
      onText: (changed) => latest.current.onText?.(changed),
      onLine: (line) => latest.current.onLine?.(line),
    });
    return () => editor.current?.destroy();
  }, []);
  useEffect(() => editor.current?.setText(text), [text]);
  useEffect(() => editor.current?.setProblems(problems), [problems, text]);
  useEffect(() => editor.current?.setLines(lit, different), [lit, different, text]);
  useEffect(() => {
    if (shown !== undefined) editor.current?.reveal(shown.line, shown.takesFocus);
  }, [shown?.at]);
  return <div class="editor" ref={host} />;
}

const none: readonly PlacedDiagnostic[] = [];
const noLines: ReadonlySet<number> = new Set();
