/** The machines that executables are made for: names of files, as the engine and as krew call them. */
export const executableTargets = [
  { name: 'linux-amd64', engine: 'bun-linux-x64-baseline', os: 'linux', arch: 'amd64', file: 'k8snet' },
  { name: 'linux-arm64', engine: 'bun-linux-arm64', os: 'linux', arch: 'arm64', file: 'k8snet' },
  { name: 'linux-amd64-musl', engine: 'bun-linux-x64-musl', os: 'linux', arch: 'amd64', file: 'k8snet' },
  { name: 'darwin-amd64', engine: 'bun-darwin-x64', os: 'darwin', arch: 'amd64', file: 'k8snet' },
  { name: 'darwin-arm64', engine: 'bun-darwin-arm64', os: 'darwin', arch: 'arm64', file: 'k8snet' },
  { name: 'windows-amd64', engine: 'bun-windows-x64-baseline', os: 'windows', arch: 'amd64', file: 'k8snet.exe' },
] as const;

export type ExecutableTarget = (typeof executableTargets)[number];
