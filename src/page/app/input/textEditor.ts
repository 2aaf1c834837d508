import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { type Diagnostic, lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { EditorState, type Extension, RangeSetBuilder, StateEffect, StateField } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  drawSelection,
  EditorView,
  highlightActiveLine,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import { tags } from '@lezer/highlight';
import type { PlacedDiagnostic } from '../../../public/core.ts';

/** An editor of one text, or a view of one that can be read and searched only. Lines count from 1. */
export interface TextEditor {
  readonly setText: (text: string) => void;
  readonly setProblems: (problems: readonly PlacedDiagnostic[]) => void;
  /** Lines that light up, and lines that the other side does not have. */
  readonly setLines: (lit: ReadonlySet<number>, different: ReadonlySet<number>) => void;
  readonly reveal: (line: number, takesFocus: boolean) => void;
  readonly destroy: () => void;
}

export interface TextEditorOptions {
  readonly parent: ShadowRoot;
  readonly label: string;
  readonly isReadOnly: boolean;
  readonly isYaml: boolean;
  readonly onText: (text: string) => void;
  readonly onLine: (line: number) => void;
}

export function createTextEditor(options: TextEditorOptions): TextEditor {
  const view = new EditorView({
    root: options.parent,
    parent: options.parent,
    state: EditorState.create({ doc: '', extensions: extensionsOf(options) }),
  });
  let isSetting = false;
  callbacks.set(view, {
    onText: (text) => {
      if (!isSetting) options.onText(text);
    },
    onLine: (line) => {
      if (!isSetting) options.onLine(line);
    },
  });
  return {
    setText: (text) => {
      if (view.state.doc.toString() === text) return;
      isSetting = true;
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text }, effects: showLines.of(noLines) });
      isSetting = false;
    },
    setProblems: (problems) =>
      view.dispatch(
        setDiagnostics(
          view.state,
          problems.flatMap((one) => marksOf(one, view)),
        ),
      ),
    setLines: (lit, different) => view.dispatch({ effects: showLines.of({ lit, different }) }),
    reveal: (line, takesFocus) => {
      if (line < 1 || line > view.state.doc.lines) return;
      const { from } = view.state.doc.line(line);
      isSetting = !takesFocus;
      view.dispatch({
        ...(takesFocus && { selection: { anchor: from } }),
        effects: EditorView.scrollIntoView(from, { y: 'center' }),
      });
      isSetting = false;
      if (takesFocus) view.focus();
    },
    destroy: () => view.destroy(),
  };
}

interface Callbacks {
  readonly onText: (text: string) => void;
  readonly onLine: (line: number) => void;
}

const callbacks = new WeakMap<EditorView, Callbacks>();

interface ShownLines {
  readonly lit: ReadonlySet<number>;
  readonly different: ReadonlySet<number>;
}

const noLines: ShownLines = { lit: new Set(), different: new Set() };
const showLines = StateEffect.define<ShownLines>();
const litLine = Decoration.line({ class: 'lit' });
const differentLine = Decoration.line({ class: 'different' });

const lineMarks = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (marks, transaction) => {
    const shown = transaction.effects.find((effect) => effect.is(showLines));
    return shown === undefined ? marks.map(transaction.changes) : decorationsOf(shown.value, transaction.state);
  },
  provide: (field) => EditorView.decorations.from(field),
});

function decorationsOf({ lit, different }: ShownLines, { doc }: EditorState): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  const lines = [...new Set([...lit, ...different])].filter((line) => line >= 1 && line <= doc.lines);
  for (const line of lines.sort((a, b) => a - b)) {
    const { from } = doc.line(line);
    if (different.has(line)) builder.add(from, from, differentLine);
    if (lit.has(line)) builder.add(from, from, litLine);
  }
  return builder.finish();
}

function marksOf(
  { at, severity, message, hint, code }: PlacedDiagnostic,
  { state: { doc } }: EditorView,
): Diagnostic[] {
  return at
    .filter(({ line }) => line >= 1 && line <= doc.lines)
    .map(({ line, column, endColumn }) => {
      const { from, to, text } = doc.line(line);
      // Columns count characters, positions UTF-16 units.
      const unitsBefore = (characters: number) => Array.from(text).slice(0, characters).join('').length;
      const start = Math.min(from + unitsBefore(column - 1), to);
      const end = endColumn === undefined ? to : Math.min(from + unitsBefore(endColumn - 1), to);
      const level = severity === 'error' ? 'error' : severity === 'warning' ? 'warning' : 'info';
      return { from: start, to: end, severity: level, message: hint ? `${message}\n${hint}` : message, source: code };
    });
}

function extensionsOf({ label, isReadOnly, isYaml }: TextEditorOptions): Extension {
  return [
    lineNumbers(),
    drawSelection(),
    highlightActiveLine(),
    highlightSelectionMatches(),
    isReadOnly ? [EditorState.readOnly.of(true), EditorView.lineWrapping] : [history(), lintGutter()],
    keymap.of([...defaultKeymap, ...historyKeymap, ...searchKeymap, ...lintKeymap]),
    isYaml ? yaml() : [],
    syntaxHighlighting(colours),
    theme,
    lineMarks,
    EditorView.contentAttributes.of({
      'aria-label': label,
      tabindex: '0',
      ...(isReadOnly && { 'aria-readonly': 'true' }),
    }),
    EditorView.updateListener.of(({ view, docChanged, selectionSet, state }) => {
      const own = callbacks.get(view);
      if (docChanged) own?.onText(state.doc.toString());
      if (selectionSet) own?.onLine(state.doc.lineAt(state.selection.main.head).number);
    }),
  ];
}

const colours = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--key)' },
  { tag: [tags.string, tags.content], color: 'var(--text)' },
  { tag: [tags.comment], color: 'var(--quiet)' },
  { tag: [tags.keyword, tags.meta, tags.separator, tags.punctuation], color: 'var(--quiet)' },
]);

const theme = EditorView.theme({
  '&': { height: '100%', color: 'var(--text)', backgroundColor: 'var(--sheet)', fontSize: '0.8125rem' },
  '&.cm-focused': { outline: '2px solid var(--focus)', outlineOffset: '-2px' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.5' },
  '.cm-gutters': { color: 'var(--quiet)', backgroundColor: 'var(--sheet)', borderRight: '1px solid var(--edge)' },
  '.cm-activeLine': { backgroundColor: 'var(--active)' },
  '.cm-activeLineGutter': { backgroundColor: 'var(--active)' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground': {
    backgroundColor: 'var(--selected)',
  },
  '.cm-selectionMatch': { backgroundColor: 'var(--selected)' },
  '.cm-line.lit': { backgroundColor: 'var(--lit)' },
  '.cm-line.different': { backgroundColor: 'var(--different)', boxShadow: 'inset 3px 0 0 var(--different-edge)' },
  '.cm-line.different.lit': { backgroundColor: 'var(--lit)' },
  // The package draws these by images, which the page's policy does not load.
  '.cm-lintRange': { backgroundImage: 'none', textDecoration: 'underline wavy var(--quiet)' },
  '.cm-lintRange-error': { backgroundImage: 'none', textDecoration: 'underline wavy var(--error)' },
  '.cm-lintRange-warning': { backgroundImage: 'none', textDecoration: 'underline wavy var(--warning)' },
  '.cm-lintRange-info, .cm-lintRange-hint': { backgroundImage: 'none' },
  '.cm-lint-marker': { content: 'normal', borderRadius: '50%', backgroundColor: 'var(--quiet)' },
  '.cm-lint-marker-error': { content: 'normal', backgroundColor: 'var(--error)' },
  '.cm-lint-marker-warning': { content: 'normal', backgroundColor: 'var(--warning)' },
  '.cm-lint-marker-info, .cm-lint-marker-hint': { content: 'normal' },
  '.cm-lintPoint:after': { borderBottomColor: 'var(--error)' },
  '.cm-tooltip, .cm-panels': {
    color: 'var(--text)',
    backgroundColor: 'var(--page)',
    border: '1px solid var(--edge)',
    whiteSpace: 'pre-wrap',
  },
  '.cm-panels input, .cm-panels button, .cm-panels label': { color: 'var(--text)', fontSize: '0.8125rem' },
  '.cm-textfield, .cm-button': { backgroundImage: 'none', backgroundColor: 'var(--sheet)', borderColor: 'var(--edge)' },
});
