import path from 'node:path';
import { ConfigError, parseRange } from '#platform/config-numbers.ts';

/** A place in a storage that speaks S3. */
export type BucketPlace = {
  /** Scheme, host, bucket and what the keys begin with, such as `https://s3.eu-central-1.amazonaws.com/bucket/tessera`; without a slash at the end. */
  readonly url: string;
  readonly region: string;
  readonly key_id: string;
  readonly secret: string;
};

/** Where an archive is: a directory, or a place in a storage that speaks S3. */
export type ArchivePlace = string | BucketPlace;

/** Where the embedded database is archived, for how many days, and whether a drill proves it every night. */
export type ArchiveConfig = { readonly place: ArchivePlace; readonly days: number; readonly drill: boolean };

type Values = {
  readonly TESSERA_ARCHIVE_DIR: string | undefined;
  readonly TESSERA_ARCHIVE_URL: string | undefined;
  readonly TESSERA_ARCHIVE_REGION: string;
  readonly TESSERA_ARCHIVE_KEY_ID: string | undefined;
  readonly TESSERA_ARCHIVE_SECRET: string | undefined;
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
  const name = values.TESSERA_ARCHIVE_DIR ? 'TESSERA_ARCHIVE_DIR' : 'TESSERA_ARCHIVE_URL';
  if (!values[name]) {
    if (drill)
      throw new ConfigError(
        'TESSERA_DRILL needs TESSERA_ARCHIVE_DIR or TESSERA_ARCHIVE_URL, which it tries to restore',
      );
    return undefined;
  }
  if (values.TESSERA_DATABASE_URL)
    throw new ConfigError(
      `${name} is for the embedded database: archive that of TESSERA_DATABASE_URL with pgBackRest (docs/operating.md)`,
    );
  if (values.TESSERA_ARCHIVE_DIR && values.TESSERA_ARCHIVE_URL)
    throw new ConfigError('TESSERA_ARCHIVE_DIR and TESSERA_ARCHIVE_URL are both set: set one of them');
  return { place: values.TESSERA_ARCHIVE_DIR ? readDirectory(values) : readBucket(values), days, drill };
}

function readDirectory({ TESSERA_ARCHIVE_DIR = '', TESSERA_DATA_DIR }: Values): string {
  const [dir, cluster] = [TESSERA_ARCHIVE_DIR, `${TESSERA_DATA_DIR}/postgres`].map((each) =>
    path.resolve(each),
  ) as [string, string];
  if (`${dir}/`.startsWith(`${cluster}/`))
    throw new ConfigError('TESSERA_ARCHIVE_DIR is inside the database: choose another directory');
  return dir;
}

function readBucket(values: Values): BucketPlace {
  const { TESSERA_ARCHIVE_KEY_ID: key_id, TESSERA_ARCHIVE_SECRET: secret } = values;
  if (!key_id || !secret)
    throw new ConfigError('TESSERA_ARCHIVE_URL needs TESSERA_ARCHIVE_KEY_ID and TESSERA_ARCHIVE_SECRET');
  const url = normaliseUrl(values.TESSERA_ARCHIVE_URL!);
  if (!url)
    throw new ConfigError(
      'TESSERA_ARCHIVE_URL is not valid: it must be https://HOST/BUCKET or https://HOST/BUCKET/FOLDER, or the same with http on this machine or a name without dots',
    );
  return { url, region: values.TESSERA_ARCHIVE_REGION, key_id, secret };
}

/** Letters, digits and `-._` only, so that no key has to be escaped. */
const folders = /^(?:\/[A-Za-z0-9][A-Za-z0-9._-]{0,99}){1,5}\/?$/;

/** Removes a slash at the end. @returns undefined if it is not the address of a bucket, or everyone on the way could read what is sent. */
export function normaliseUrl(text: string): string | undefined {
  const url = URL.parse(text);
  if (!url || url.username || url.password || url.search || url.hash || !folders.test(url.pathname))
    return undefined;
  const isNear = url.hostname === '127.0.0.1' || url.hostname === '[::1]' || !/[.:]/.test(url.hostname);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isNear)) return undefined;
  return `${url.origin}${url.pathname}`.replace(/\/$/, '');
}
