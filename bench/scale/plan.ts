/** A measured value, with the bench that measures it. */
type Constant = {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  readonly from: string;
};

/** What one unit of each thing takes. Processor times are of one core of the development machine. */
export const constants = {
  member_bytes: { what: 'a measured member in the tables', value: 8_323, unit: 'bytes', from: '`storage`' },
  match_bytes: { what: 'a match in both tables', value: 650, unit: 'bytes', from: '`growth`' },
  index_bytes: { what: 'a member in the index', value: 235, unit: 'bytes', from: '`matching`' },
  job_bytes: { what: 'an active job in the index', value: 900, unit: 'bytes', from: '`matching`' },
  part_members: { what: 'members in one part', value: 131_072_000, unit: '', from: '32-bit memory' },
  arrival_wal: { what: 'WAL of a member who arrives', value: 19_400, unit: 'bytes', from: '`growth`' },
  answer_wal: { what: 'WAL of an answer', value: 360, unit: 'bytes', from: '`storage`' },
  job_wal: { what: 'WAL of a new or changed job', value: 1_050_000, unit: 'bytes', from: '`growth`' },
  list_ms: { what: 'a list, whatever the members', value: 25, unit: 'ms', from: '`index-parts`' },
  list_member_ns: { what: 'a list, for each member', value: 14, unit: 'ns', from: '`index-parts`' },
  recompute_ms: { what: 'an unchanged list in the database', value: 27, unit: 'ms', from: '`growth`' },
  arrival_ms: { what: 'a member who arrives', value: 3.5, unit: 'ms', from: '`growth`' },
  pair_us: { what: 'a member with a job whose list is full', value: 0.13, unit: 'µs', from: '`match-cost`' },
  request_ms: { what: 'a request in Node', value: 0.41, unit: 'ms', from: '`request-cost`' },
  request_database_ms: { what: 'its statements', value: 0.2, unit: 'ms', from: '`request-cost`' },
  answer_ms: { what: 'an answer in Node', value: 5.6, unit: 'ms', from: '`match-cost`' },
  answer_database_ms: { what: 'its statements', value: 0.9, unit: 'ms', from: '`match-cost`' },
  login_ms: { what: 'a password hash', value: 14, unit: 'ms', from: '`scale`' },
  commits: {
    what: 'commits of one server in a second, 8 clients',
    value: 2_000,
    unit: '',
    from: '`pgbench -N -c 8`',
  },
  read_ms: { what: 'a paid read in Node', value: 1.3, unit: 'ms', from: '`reads`' },
  read_database_ms: { what: 'its statements', value: 2.1, unit: 'ms', from: '`reads`' },
} satisfies Readonly<Record<string, Constant>>;

/** How an installation is used. Nobody has measured this: replace it with what you know. */
const use = {
  members_for_a_job: 1_000,
  /** Members who register or are measured again in a day, and jobs that are new or changed. */
  daily_share: 0.01,
  answers: 100,
  daily_requests: 5,
  daily_logins: 0.1,
  daily_reads: 0.01,
  /** The busiest second compared with the mean. */
  peak: 4,
  /** How busy a core may be at the peak. */
  utilisation: 0.6,
};

/** On demand, in dollars a month: a large cloud's machine with 2 cores of ARM and 8 GB (0.0816 an hour), its network disk and its object storage, June 2026. */
export const prices = { core_usd: 30, core_gb: 4, disk_gb_usd: 0.08, archive_gb_usd: 0.023 };

/** A database server: its cores and how much of the tables it holds. */
const server = { cores: 32, tables_gb: 1_000 };
const list_matches = 1_000;
const day_s = 86_400;
const value = Object.fromEntries(
  Object.entries(constants).map(([name, each]) => [name, each.value]),
) as Readonly<Record<keyof typeof constants, number>>;

/** What a population needs. Gigabytes are 10⁹ bytes. */
export type Plan = Readonly<
  Record<
    | 'members'
    | 'jobs'
    | 'tables_gb'
    | 'daily_wal_gb'
    | 'archive_gb'
    | 'index_gb'
    | 'parts'
    | 'job_s'
    | 'member_s'
    | 'lists_hours'
    | 'arrivals_hours'
    | 'peak_requests'
    | 'peak_commits'
    | 'api_cores'
    | 'database_cores'
    | 'servers'
    | 'monthly_usd',
    number
  >
>;

/** Calculates what so many members need. */
export function planPopulation(members: number): Plan {
  const jobs = members / use.members_for_a_job;
  const storage = planStorage(members, jobs);
  const matching = planMatching(members, jobs);
  const requests = planRequests(members);
  const servers = Math.ceil(
    Math.max(
      storage.tables_gb / server.tables_gb,
      requests.database_cores / server.cores,
      requests.peak_commits / value.commits,
    ),
  );
  const plan = { members, jobs, ...storage, ...matching, ...requests, servers };
  return { ...plan, monthly_usd: computeMonthlyPrice(plan) };
}

function planStorage(members: number, jobs: number) {
  const arrivals = members * use.daily_share;
  const tables_gb = (members * value.member_bytes + jobs * list_matches * value.match_bytes) / 1e9;
  const arrival_wal = value.arrival_wal + use.answers * value.answer_wal;
  const daily_wal_gb = (arrivals * arrival_wal + 2 * jobs * use.daily_share * value.job_wal) / 1e9;
  return { tables_gb, daily_wal_gb, archive_gb: 2 * tables_gb + 7 * daily_wal_gb };
}

function planMatching(members: number, jobs: number) {
  const job_s = value.list_ms / 1e3 + (members * value.list_member_ns) / 1e9;
  const member_s = value.arrival_ms / 1e3 + (jobs * value.pair_us) / 1e6;
  return {
    index_gb: (members * value.index_bytes + jobs * value.job_bytes) / 1e9,
    parts: Math.ceil(members / value.part_members),
    job_s,
    member_s,
    lists_hours: (jobs * (job_s + value.recompute_ms / 1e3)) / 3_600,
    arrivals_hours: (members * use.daily_share * member_s) / 3_600,
  };
}

function planRequests(members: number) {
  const computePeak = (daily: number) => (members * daily * use.peak) / day_s;
  const requests = computePeak(use.daily_requests);
  const answers = computePeak(use.daily_share * use.answers);
  const [logins, reads] = [computePeak(use.daily_logins), computePeak(use.daily_reads)];
  const api_ms =
    requests * value.request_ms + answers * value.answer_ms + logins * value.login_ms + reads * value.read_ms;
  const database_ms =
    requests * value.request_database_ms +
    answers * value.answer_database_ms +
    reads * value.read_database_ms;
  return {
    peak_requests: requests + answers + logins + reads,
    peak_commits: answers + logins + reads,
    api_cores: api_ms / 1e3 / use.utilisation,
    database_cores: database_ms / 1e3 / use.utilisation,
  };
}

/** Cores, or the memory that comes with them where that is more, disks and the archive. Every database server has a standby. */
function computeMonthlyPrice(plan: Omit<Plan, 'monthly_usd'>): number {
  const worker_cores = Math.max(
    (plan.lists_hours + plan.arrivals_hours) / 24,
    plan.index_gb / prices.core_gb,
  );
  const cores = plan.api_cores + worker_cores + 2 * plan.servers * server.cores;
  return (
    cores * prices.core_usd +
    2 * plan.tables_gb * prices.disk_gb_usd +
    plan.archive_gb * prices.archive_gb_usd
  );
}
