/**
 * Takes quoted-printable off, as a mail is stored: `=` at the end of a line that goes on, `=3D` for `=`. Lines that were
 * broken come together where they began, and leave empty ones behind.
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

/** ASCII alone: rules have no other letters, and comments need none. */
const codes = /=([2-7][0-9A-F])/g;

/** Rules are longer than the lines of a mail, and no line of theirs ends so. */
function isBroken(text: string): boolean {
  const broken = text.match(/^.{60,76}=$/gm)?.length ?? 0;
  return broken > 1 && /^-A .*=$/m.test(text);
}
