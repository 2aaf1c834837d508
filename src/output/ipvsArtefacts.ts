export function ipvsArtefacts(..._: unknown[]) {
  return [] as never[];
}
