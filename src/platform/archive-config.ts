import path from 'node:path';
import { ConfigError, parseRange } from '#platform/config-numbers.ts';

/** Where the embedded database is archived, for how many days, and whether a drill proves it every night. */
export type ArchiveConfig = { readonly dir: string; readonly days: number; readonly drill: boolean };

type Values = {
  readonly TESSERA_ARCHIVE_DIR: string | undefined;
  readonly TESSERA_ARCHIVE_DAYS: string;
  readonly TESSERA_DRILL: string;
  readonly TESSERA_DATABASE_URL: string | undefined;
  readonly TESSERA_DATA_DIR: string;
};

/**
 * Reads the settings of the archive.
 *
 * @throws ConfigError if one needs another, or is refused with another.
 */
export function readArchiveConfig(values: Values): ArchiveConfig | undefined {
  const days = parseRange('TESSERA_ARCHIVE_DAYS', values.TESSERA_ARCHIVE_DAYS, 1, 3_650);
  const drill = values.TESSERA_DRILL === 'nightly';
  if (!values.TESSERA_ARCHIVE_DIR) {
    if (drill) throw new ConfigError('TESSERA_DRILL needs TESSERA_ARCHIVE_DIR, which it tries to restore');
    return undefined;
  }
  if (values.TESSERA_DATABASE_URL)
    throw new ConfigError(
      'TESSERA_ARCHIVE_DIR is for the embedded database: archive that of TESSERA_DATABASE_URL with pgBackRest (docs/operating.md)',
    );
  const [dir, cluster] = [values.TESSERA_ARCHIVE_DIR, `${values.TESSERA_DATA_DIR}/postgres`].map((each) =>
    path.resolve(each),
  ) as [string, string];
  if (`${dir}/`.startsWith(`${cluster}/`))
    throw new ConfigError('TESSERA_ARCHIVE_DIR is inside the database: choose another directory');
  return { dir, days, drill };
}
