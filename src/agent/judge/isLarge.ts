/** Whether so much was read that it is worth while to free the memory of a comparison at once. */
export function isLarge(files: readonly { readonly bytes: Uint8Array }[]): boolean {
  return files.reduce((sum, { bytes }) => sum + bytes.length, 0) > largest;
}

/** Bytes of dumps; smaller nodes leave little behind. */
const largest = 4 << 20;
