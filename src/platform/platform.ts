import type { Logger } from '#platform/telemetry/log.ts';
import type { Clock } from '#platform/clock.ts';
import type { Config } from '#platform/config.ts';
import type { Database } from '#platform/database/database.ts';
import type { SigningKeys } from '#platform/security/keys.ts';
import type { Mailer } from '#platform/mail.ts';
import type { Metrics } from '#platform/telemetry/metrics.ts';
import type { FetchOutbound } from '#platform/outbound/outbound.ts';
import type { PersonalData } from '#platform/personal-data.ts';
import type { Queue } from '#platform/queue/queue.ts';
import type { Secrets } from '#platform/security/secrets.ts';

/** The outside world, as operations and tasks see it: made once by the composition root, replaced in parts by tests. */
export type Platform = {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly database: Database;
  readonly secrets: Secrets;
  readonly keys: SigningKeys;
  readonly mailer: Mailer;
  readonly queue: Queue;
  /** The only way to an address that a user gave us. */
  readonly fetchOutbound: FetchOutbound;
  readonly personalData: PersonalData;
};
