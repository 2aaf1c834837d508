import { useState } from 'preact/hooks';

export interface TakeProps {
  /** What the buttons belong to, for labels: `rules`. */
  readonly what: string;
  readonly command: string;
  /** Undefined: there is nothing to save. */
  readonly file?: { readonly name: string; readonly text: string } | undefined;
}

/** Takes along what is shown: as a command line that gives the same, and as a file. */
export function Take({ what, command, file }: TakeProps) {
  const [said, setSaid] = useState('');
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(command);
      setSaid('Copied.');
    } catch {
      setSaid('The browser does not allow it: mark the text and copy it.');
    }
  };
  return (
    <div class="take">
      <code class="command">{command}</code>
      <span class="row">
        <button type="button" onClick={copy}>
          Copy the command
        </button>
        {file !== undefined && <button type="button" onClick={() => save(file)}>{`Download the ${what}`}</button>}
        <span role="status">{said}</span>
      </span>
    </div>
  );
}

function save({ name, text }: { readonly name: string; readonly text: string }): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // A busy browser begins later.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
