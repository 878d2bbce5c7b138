/**
 * Formats what a list was computed with: the version of the job's requirements, of the policy and of the vectors. Places on lists that were computed
 * with anything else cannot be compared.
 */
export function formatListBasis({
  version,
  policy_version,
  listed_version,
}: {
  readonly version: number;
  readonly policy_version: number;
  readonly listed_version: string | undefined;
}): string {
  return `${version} ${policy_version} ${listed_version}`;
}
