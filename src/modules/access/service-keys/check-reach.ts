import type { ApiRow } from '#lib/api-row.ts';
import { isNetwork } from '#lib/network-address.ts';
import { createFieldRefusal } from '#lib/refusal.ts';
import { listPermissibleRows, type KeyMaker } from './rules.ts';

/** @throws Refusal `field_invalid` for what is no network. */
export function checkNetworks(networks: readonly string[]): void {
  for (const [index, network] of networks.entries())
    if (!isNetwork(network))
      throw createFieldRefusal(
        'field_invalid',
        `/networks/${index}`,
        'must be an address or a network, such as 203.0.113.0/24',
      );
}

/** @throws Refusal `field_invalid` for a row that a key of this role may not be permitted. */
export function checkPermissions(
  rows: readonly ApiRow[],
  role: KeyMaker,
  permissions: readonly string[],
): void {
  const permissible = listPermissibleRows(rows, role);
  for (const [index, permission] of permissions.entries())
    if (!permissible.includes(permission))
      throw createFieldRefusal(
        'field_invalid',
        `/permissions/${index}`,
        `must be a row of the API that you may call without a recent authentication, such as ${samples[role]}`,
      );
}

const samples: Readonly<Record<KeyMaker, string>> = {
  org_admin: 'GET /orgs/me/jobs',
  platform_admin: 'GET /operator/health',
};
