/** What a mapping without apiVersion, kind and metadata is a part of, by its fields; undefined: it may be anything. */
export function partOfObject(value: Readonly<Record<string, unknown>>): string | undefined {
  if ('apiVersion' in value || 'kind' in value || 'metadata' in value) return undefined;
  const inner = typeof value.spec === 'object' && value.spec !== null ? value.spec : value;
  return parts.find(({ fields }) => fields.some((field) => Object.hasOwn(inner, field)))?.kind;
}

/** Fields that one kind alone has, of those that are read. */
const parts: readonly { readonly kind: string; readonly fields: readonly string[] }[] = [
  {
    kind: 'Service',
    fields: [
      'clusterIP',
      'clusterIPs',
      'sessionAffinity',
      'externalTrafficPolicy',
      'internalTrafficPolicy',
      'externalName',
    ],
  },
  { kind: 'NetworkPolicy', fields: ['podSelector', 'policyTypes'] },
  { kind: 'Pod', fields: ['podIP', 'podIPs', 'hostIP', 'containers', 'nodeName', 'dnsPolicy'] },
  { kind: 'Deployment', fields: ['template', 'replicas'] },
  { kind: 'Node', fields: ['podCIDR', 'podCIDRs'] },
  { kind: 'EndpointSlice', fields: ['addressType'] },
  { kind: 'Endpoints', fields: ['subsets'] },
];
