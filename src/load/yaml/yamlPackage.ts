/** The `yaml` package, handed in: it is imported only once a text needs it. */
export type YamlPackage = typeof import('yaml');
