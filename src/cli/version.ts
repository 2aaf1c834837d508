/** The build inserts it from package.json; a run from the sources has none. */
declare const K8SNET_VERSION: string | undefined;

export const version: string = typeof K8SNET_VERSION === 'string' ? K8SNET_VERSION : '0.0.0-source';
