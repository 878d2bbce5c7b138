import type pg from 'pg';

/** A node that may hold rows. */
export type CitusNode = {
  /** `host:port` */
  readonly name: string;
  readonly is_active: boolean;
};

/** A database with the extension Citus (https://docs.citusdata.com/en/v13.0/develop/api_metadata.html). */
export type Engine = {
  readonly version: string;
  /** Workers only know their own shards: what is created must be created on the coordinator. */
  readonly is_coordinator: boolean;
  /** The coordinator is among the nodes, which it must be to hold copies of tables that are on every node. */
  readonly is_listed: boolean;
  readonly workers: readonly CitusNode[];
  /** Workers whose extension has another version, or that cannot be asked, each with what it says. */
  readonly others: readonly string[];
  /** Since which migration `database distribute` has placed all tables; undefined if it never began, null if it has not ended yet. */
  readonly migration: string | null | undefined;
};

export const no_citus =
  'the database has no Citus: install it on each server, and run "create extension citus" in this database on each';

/** Says in words where a table is. */
export function describePlace(place: string): string {
  if (place === 'single') return 'on the first node';
  return place === 'copied' ? 'on every node' : `distributed by ${place}`;
}

/** Reads which engine a database has; undefined for plain PostgreSQL. */
export async function readEngine(client: pg.Client): Promise<Engine | undefined> {
  const { rows } = await client.query<{ version: string }>(
    `select extversion as version from pg_extension where extname = 'citus'`,
  );
  const [extension] = rows;
  if (!extension) return undefined;
  const { rows: nodes } = await client.query<CitusNode & { group: number }>(
    `select nodename || ':' || nodeport as name, isactive as is_active, groupid as group from pg_dist_node
     where noderole = 'primary' order by nodeid`,
  );
  const { rows: own } = await client.query<{ group: number }>(
    `select groupid as group from pg_dist_local_group`,
  );
  const is_coordinator = own[0]?.group === 0;
  return {
    version: extension.version,
    is_coordinator,
    is_listed: nodes.some(({ group }) => group === 0),
    workers: nodes.filter(({ group }) => group !== 0),
    others: is_coordinator ? await listOtherVersions(client, extension.version) : [],
    migration: await findPlacedMigration(client),
  };
}

async function listOtherVersions(client: pg.Client, version: string): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string; result: string }>(`
    select nodename || ':' || nodeport as name, result
    from run_command_on_workers('select extversion from pg_extension where extname = ''citus''')`);
  return rows
    .filter(({ result }) => result !== version)
    .map(({ name, result }) => `${name} (${result.split('\n', 1)[0] || 'no answer'})`);
}

/** Since which migration all tables were placed; undefined if `database distribute` never began, null if it has not ended yet. */
export async function findPlacedMigration(client: pg.Client): Promise<string | null | undefined> {
  const { rows } = await client.query<{ exists: boolean }>(
    `select to_regclass('distribution.progress') is not null as exists`,
  );
  if (!rows[0]!.exists) return undefined;
  const { rows: found } = await client.query<{ migration: string }>(
    'select migration from distribution.progress',
  );
  return found[0]?.migration ?? null;
}

/** The newest migration that ran; undefined in an empty database. */
export async function findNewestMigration(client: pg.Client): Promise<string | undefined> {
  const { rows: tables } = await client.query<{ exists: boolean }>(
    `select to_regclass('migrations') is not null as exists`,
  );
  if (!tables[0]!.exists) return undefined;
  const { rows } = await client.query<{ name: string }>('select max(name) as name from migrations');
  return rows[0]?.name;
}

/** Says what is wrong with the nodes; undefined if nothing is. */
export function findEngineFault({ version, is_coordinator, workers, others }: Engine): string | undefined {
  if (!is_coordinator) return 'this is a worker of Citus: TESSERA_DATABASE_URL must lead to the coordinator';
  const away = workers.find(({ is_active }) => !is_active);
  if (away) return `the worker ${away.name} is not active: activate or remove it`;
  if (others.length === 0) return undefined;
  return `Citus is ${version} here, but not on every worker: ${others.join(', ')}`;
}

/** Describes the nodes in a few words. */
export function describeEngine({ version, workers, migration }: Engine): string {
  const nodes = `${workers.length} ${workers.length === 1 ? 'worker' : 'workers'}`;
  return `Citus ${version}, ${nodes}, ${migration === undefined ? 'not distributed' : 'distributed'}`;
}

/** Says why a database must not be used yet; undefined if it is whole, distributed or not. */
export async function describeHalfDistribution(client: pg.Client): Promise<string | undefined> {
  const placed = await findPlacedMigration(client);
  if (placed === undefined) return undefined;
  const newest = await findNewestMigration(client);
  if (placed === newest) return undefined;
  const reason =
    placed === null
      ? 'the database is half distributed'
      : `the database was migrated to ${newest} after it was distributed`;
  return `${reason}: run "database distribute --yes" as the role that owns it`;
}
