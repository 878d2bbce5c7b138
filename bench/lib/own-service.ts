import { readConfig } from '#platform/config.ts';
import { startService, type Service } from '../../src/app/service.ts';
import { findFreePort } from './ports.ts';

type Additions = Omit<NonNullable<Parameters<typeof startService>[1]>, 'quiet'>;

/** Starts a service in this process that serves requests and whose tasks run when the bench drains them. It stops at the end. */
export async function startOwnService(
  cleaning: AsyncDisposableStack,
  dataDir: string,
  variables: Readonly<Record<string, string>> = {},
  additions: Additions = {},
): Promise<Service> {
  const service = await startService(
    readConfig({
      TESSERA_DATA_DIR: dataDir,
      TESSERA_PORT: String(await findFreePort()),
      TESSERA_INTERNAL_PORT: String(await findFreePort()),
      ...variables,
      TESSERA_ROLES: 'api',
    }),
    { ...additions, quiet: true },
  );
  cleaning.defer(() => service.stop());
  return service;
}
