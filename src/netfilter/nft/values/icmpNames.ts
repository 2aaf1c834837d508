/** Types of ICMP as nft names them. */
export const icmpTypes: ReadonlyMap<string, number> = new Map([
  ['echo-reply', 0],
  ['destination-unreachable', 3],
  ['source-quench', 4],
  ['redirect', 5],
  ['echo-request', 8],
  ['router-advertisement', 9],
  ['router-solicitation', 10],
  ['time-exceeded', 11],
  ['parameter-problem', 12],
  ['timestamp-request', 13],
  ['timestamp-reply', 14],
  ['info-request', 15],
  ['info-reply', 16],
  ['address-mask-request', 17],
  ['address-mask-reply', 18],
]);

/** Types of ICMPv6. */
export const icmpv6Types: ReadonlyMap<string, number> = new Map([
  ['destination-unreachable', 1],
  ['packet-too-big', 2],
  ['time-exceeded', 3],
  ['parameter-problem', 4],
  ['echo-request', 128],
  ['echo-reply', 129],
  ['mld-listener-query', 130],
  ['mld-listener-report', 131],
  ['mld-listener-done', 132],
  ['mld-listener-reduction', 132],
  ['nd-router-solicit', 133],
  ['nd-router-advert', 134],
  ['nd-neighbor-solicit', 135],
  ['nd-neighbor-advert', 136],
  ['nd-redirect', 137],
  ['router-renumbering', 138],
  ['ind-neighbor-solicit', 141],
  ['ind-neighbor-advert', 142],
  ['mld2-listener-report', 143],
]);

/** Codes of unreachable destinations, by the protocol that `reject with` names. */
export const rejectCodes: Readonly<Record<string, ReadonlyMap<string, number>>> = {
  icmp: new Map([
    ['net-unreachable', 0],
    ['host-unreachable', 1],
    ['prot-unreachable', 2],
    ['port-unreachable', 3],
    ['net-prohibited', 9],
    ['host-prohibited', 10],
    ['admin-prohibited', 13],
  ]),
  icmpv6: new Map([
    ['no-route', 0],
    ['admin-prohibited', 1],
    ['addr-unreachable', 3],
    ['port-unreachable', 4],
    ['policy-fail', 5],
    ['reject-route', 6],
  ]),
};
