/**
 * A 32-bit number as C's strtoul with base 0 reads it: decimal, `0x` hexadecimal or `0` octal; undefined: not a number.
 */
export function readMark(text: string): number | undefined {
  if (text.length === 0 || text.length > 12) {
    return undefined;
  }
  let number: number;
  if (text.charCodeAt(0) !== 0x30) {
    number = decimal.test(text) ? Number(text) : Number.NaN;
  } else if (text.length === 1) {
    return 0;
  } else if (text.charCodeAt(1) === 0x78 || text.charCodeAt(1) === 0x58) {
    number = hexadecimal.test(text) ? Number(text) : Number.NaN;
  } else {
    number = octal.test(text) ? Number.parseInt(text, 8) : Number.NaN;
  }
  return number <= 0xffffffff ? number : undefined;
}

/** As the kernel's tools print marks. */
export function hexMark(mark: number): string {
  return `0x${mark.toString(16)}`;
}

/** As kube-proxy prints them: always eight digits. */
export function paddedMark(mark: number): string {
  return `0x${mark.toString(16).padStart(8, '0')}`;
}

const decimal = /^\d+$/;
const hexadecimal = /^0[xX][0-9a-fA-F]+$/;
const octal = /^0[0-7]+$/;
