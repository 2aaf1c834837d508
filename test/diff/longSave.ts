/** More than eight megabytes of rules of endpoints. */
export function longSave(): string {
  const names = Array.from({ length: 24_000 }, (_, at) => `KUBE-SEP-${letters(at)}`);
  const rules = names.flatMap((name, at) => {
    const ip = `10.${at >> 16}.${(at >> 8) & 255}.${at & 255}`;
    return [
      `-A ${name} -s ${ip}/32 -m comment --comment "shop/web-${at}:a-port-whose-name-makes-long-lines-of-few-chains" -j KUBE-MARK-MASQ`,
      `-A ${name} -p tcp -m comment --comment "shop/web-${at}:a-port-whose-name-makes-long-lines-of-few-chains" -m tcp -j DNAT --to-destination ${ip}:8080`,
    ];
  });
  const shared = [':PREROUTING ACCEPT [0:0]', ':KUBE-MARK-MASQ - [0:0]'];
  const mark = '-A KUBE-MARK-MASQ -j MARK --set-xmark 0x4000/0x4000';
  return ['*nat', ...shared, ...names.map((name) => `:${name} - [0:0]`), mark, ...rules, 'COMMIT', ''].join('\n');
}

/** Sixteen letters of a hash. */
function letters(number: number): string {
  return number
    .toString()
    .padStart(16, '0')
    .replaceAll(/\d/g, (digit) => 'QWERTYUIOP'[Number(digit)] as string);
}
