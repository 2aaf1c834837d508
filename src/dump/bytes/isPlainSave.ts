/** Every line begins in the way of iptables-save, which no other program shares. */
export function isPlainSave(text: string): boolean {
  for (let at = 0; at < text.length; ) {
    switch (text.charCodeAt(at)) {
      case 0x0a:
        at += 1;
        continue;
      case 0x2d:
        // `-A CHAIN`, but not `-A -t` of ipvsadm.
        if (text.charCodeAt(at + 1) !== 0x41 || text.charCodeAt(at + 3) === 0x2d) return false;
        break;
      case 0x23:
      case 0x2a:
      case 0x3a:
      case 0x43:
      case 0x5b:
        break;
      default:
        return false;
    }
    const end = text.indexOf('\n', at);
    if (end === -1) return true;
    at = end + 1;
  }
  return true;
}
