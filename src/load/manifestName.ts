/** What a directory is searched for. */
export const manifestName = /\.(?:yaml|yml|json)$/;
