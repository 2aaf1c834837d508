import { useEffect, useRef } from 'preact/hooks';
import type { PlacedDiagnostic } from '../../../public/core.ts';
import { createTextEditor, type TextEditor } from './textEditor.ts';

export interface EditorProps {
  readonly label: string;
  readonly text: string;
  readonly isReadOnly?: boolean;
  readonly isYaml?: boolean;
  readonly problems?: readonly PlacedDiagnostic[];
  readonly lit?: ReadonlySet<number>;
  readonly different?: ReadonlySet<number>;
  readonly shown?: ShownLine | undefined;
  readonly onText?: (text: string) => void;
  readonly onLine?: (line: number) => void;
}

/** A line to bring into sight; `at` tells one asking from the next. */
export interface ShownLine {
  readonly line: number;
  readonly at: number | string;
  readonly takesFocus: boolean;
}

/** A text in a shadow root: the editor's styles then go into its sheets, which a strict policy allows. */
export function Editor(props: EditorProps) {
  const { label, text, problems = none, lit = noLines, different = noLines, shown } = props;
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<TextEditor>();
  const latest = useRef(props);
  latest.current = props;
  // Typed, and not yet come back as `text`: who types fast is ahead of what is drawn.
  const typed = useRef<string[]>([]);
  useEffect(() => {
    const element = host.current as HTMLDivElement;
    const parent = element.shadowRoot ?? element.attachShadow({ mode: 'open' });
    editor.current = createTextEditor({
      parent,
      label,
      isReadOnly: props.isReadOnly === true,
      isYaml: props.isYaml === true,
      onText: (changed) => {
        typed.current.push(changed);
        latest.current.onText?.(changed);
      },
      onLine: (line) => latest.current.onLine?.(line),
    });
    return () => editor.current?.destroy();
  }, []);
  useEffect(() => {
    const own = typed.current.lastIndexOf(text);
    typed.current = own === -1 ? [] : typed.current.slice(own + 1);
    if (own === -1) editor.current?.setText(text);
  }, [text]);
  useEffect(() => editor.current?.setProblems(problems), [problems, text]);
  useEffect(() => editor.current?.setLines(lit, different), [lit, different, text]);
  useEffect(() => {
    if (shown !== undefined) editor.current?.reveal(shown.line, shown.takesFocus);
  }, [shown?.at]);
  return <div class="editor" ref={host} />;
}

const none: readonly PlacedDiagnostic[] = [];
const noLines: ReadonlySet<number> = new Set();
