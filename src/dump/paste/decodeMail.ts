/**
 * Decodes quoted-printable, as a mail is stored: `=` at the end of a line that continues, `=3D` for `=`. The parts of a
 * broken line are joined at its first line and leave empty lines behind.
 */
export function decodeMail(text: string): string {
  if (!/^Content-Transfer-Encoding: quoted-printable$/im.test(text) && !isBroken(text)) return text;
  const lines = text.split('\n');
  const whole: string[] = [];
  let open = -1;
  for (const line of lines) {
    const goesOn = line.endsWith('=');
    const part = goesOn ? line.slice(0, -1) : line;
    if (open === -1) whole.push(part);
    else {
      whole[open] += part;
      whole.push('');
    }
    if (!goesOn) open = -1;
    else if (open === -1) open = whole.length - 1;
  }
  return whole
    .map((line) => line.replace(codes, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))))
    .join('\n');
}

/** Only ASCII: rules have no other letters, and comments do not need them. */
const codes = /=([2-7][0-9A-F])/g;

/** Rules are longer than the lines of a mail, and their lines never end like this. */
function isBroken(text: string): boolean {
  const broken = text.match(/^.{60,76}=$/gm)?.length ?? 0;
  return broken > 1 && /^-A .*=$/m.test(text);
}
