/** Four letters as the number that their bytes are. */
export function word(letters: string): number {
  return new DataView(Uint8Array.from(letters, (letter) => letter.charCodeAt(0)).buffer).getInt32(0);
}
