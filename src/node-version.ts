/** Whether a Node version, such as `v24.21.0`, strips types and has what the service uses. */
export function isNodeVersionSupported(version: string): boolean {
  return Number(version.slice(1).split('.', 1)[0]) >= 24;
}
