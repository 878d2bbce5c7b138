import { ConfigError } from '#platform/config-numbers.ts';

/** The variables that decide together with others. */
type Values = {
  readonly TESSERA_DATABASE_URL: string | undefined;
  readonly TESSERA_PAYMENT_RAIL: string;
  readonly TESSERA_WEBHOOK_ALLOW_PRIVATE: string;
};

/** What follows from the variables. */
type Settings = {
  readonly production: boolean;
  readonly sandbox: boolean;
  readonly masterKey: Buffer | undefined;
  readonly publicUrl: string;
  readonly rateLimits: boolean;
  readonly serves: { readonly api: boolean; readonly worker: boolean };
  readonly indexShard: object | undefined;
};

/**
 * Refuses in production what is meant for development.
 *
 * @throws ConfigError that names the variable.
 */
export function checkProductionSettings(values: Values, config: Settings): void {
  if (!config.production) return;
  const refuse = (name: string, rule: string) => {
    throw new ConfigError(`${name} ${rule} when TESSERA_ENV is production`);
  };
  if (!config.masterKey) refuse('TESSERA_MASTER_KEY', 'must be set');
  if (!config.publicUrl.startsWith('https://')) refuse('TESSERA_PUBLIC_URL', 'must be an https URL');
  if (values.TESSERA_PAYMENT_RAIL.split(',').includes('mock') && !config.sandbox)
    refuse('TESSERA_PAYMENT_RAIL', 'must not contain mock');
  if (!config.rateLimits) refuse('TESSERA_RATE_LIMITS', 'must be on');
  if (values.TESSERA_WEBHOOK_ALLOW_PRIVATE === 'true')
    refuse('TESSERA_WEBHOOK_ALLOW_PRIVATE', 'must be false');
}

/**
 * A sandbox has a database of its own, which no other process uses because the test clock belongs to one process. No money moves.
 *
 * @throws ConfigError that names the variable.
 */
export function checkSandboxSettings(values: Values, { sandbox, serves }: Settings): void {
  if (!sandbox) return;
  if (values.TESSERA_DATABASE_URL !== undefined)
    throw new ConfigError(
      'TESSERA_DATABASE_URL must be unset when TESSERA_SANDBOX is on: a sandbox has a database of its own in TESSERA_DATA_DIR',
    );
  if (values.TESSERA_PAYMENT_RAIL !== 'mock')
    throw new ConfigError('TESSERA_PAYMENT_RAIL must be mock when TESSERA_SANDBOX is on');
  if (!serves.api || !serves.worker)
    throw new ConfigError('TESSERA_ROLES must be api,worker when TESSERA_SANDBOX is on');
}

/**
 * The parts of an index are processes of several machines, which find each other in the database and know each other by the master key.
 *
 * @throws ConfigError that names the variable.
 */
export function checkShardSettings(values: Values, { indexShard, masterKey, serves }: Settings): void {
  if (!indexShard) return;
  if (!serves.worker)
    throw new ConfigError('TESSERA_ROLES must contain worker when TESSERA_INDEX_SHARD is set');
  if (values.TESSERA_DATABASE_URL === undefined)
    throw new ConfigError('TESSERA_DATABASE_URL must be set when TESSERA_INDEX_SHARD is set');
  if (!masterKey) throw new ConfigError('TESSERA_MASTER_KEY must be set when TESSERA_INDEX_SHARD is set');
}
