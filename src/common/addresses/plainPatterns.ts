/** Parts of regular expressions, for text that needs no parser: what they match is written as every tool prints it. */

const octet = /(?:[1-9]\d?|1\d\d|2[0-4]\d|25[0-5]|0)/.source;

/** `10.244.1.7`, without leading zeros. */
export const plainIpv4 = `${octet}(?:\\.${octet}){3}`;

/** 1 to 65535, without leading zeros. */
export const plainPort = /(?:[1-9]\d{0,3}|[1-5]\d{4}|6[0-4]\d{3}|65[0-4]\d\d|655[0-2]\d|6553[0-5])/.source;
