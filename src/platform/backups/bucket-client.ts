import { AwsClient } from 'aws4fetch';
import type { BucketPlace } from '#platform/archive-config.ts';
import { BackupError } from './backup-error.ts';

/** The operations of S3 that an archive needs. Keys begin at the place, without a slash. */
export type Bucket = {
  /** Stores an object. @param sha256 Of the content, in hexadecimal digits; the storage refuses another content. */
  readonly put: (key: string, content: Blob, sha256: string) => Promise<void>;
  /** Reads an object in chunks. @param bytes_max What it has at most. @returns undefined if it does not exist. */
  readonly get: (key: string, bytes_max: number) => Promise<AsyncIterable<Uint8Array> | undefined>;
  /** Lists up to `limit` keys behind `after`, in the order of their bytes. */
  readonly list: (begin: string, options?: ListOptions) => Promise<readonly ListedObject[]>;
  readonly remove: (key: string) => Promise<void>;
};

export type ListOptions = { readonly after?: string; readonly limit?: number };
export type ListedObject = { readonly key: string; readonly bytes: number };

/** One page of a list: what S3 gives at most. */
export const page_max = 1_000;

/** For a request without its content, of which 64 kB in a second are the least. */
const [request_ms_max, bytes_per_ms_min] = [30_000, 64];
const answer_bytes_max = 2_000_000;

/**
 * Opens a place in a storage that speaks S3 (https://docs.aws.amazon.com/AmazonS3/latest/API/), addressed by path. Requests are signed by Signature Version 4 with
 * the hash of their content, and limited in time. The address is the operator's, so it may be on a private network; nothing is redirected.
 *
 * @param patience_ms For a request without its content.
 * @throws BackupError (each operation) in one line with the status and the code of the storage.
 */
export function openBucket(
  { url, region, key_id, secret }: BucketPlace,
  patience_ms = request_ms_max,
): Bucket {
  const client = new AwsClient({
    accessKeyId: key_id,
    secretAccessKey: secret,
    service: 's3',
    region,
    // The archive tries again by itself.
    retries: 0,
  });
  const address = new URL(url);
  const [, bucket = '', ...folders] = address.pathname.split('/');
  const begin = folders.map((folder) => `${folder}/`).join('');

  async function send(method: string, target: string, init: RequestInit = {}, bytes = 0): Promise<Response> {
    try {
      return await client.fetch(target, {
        method,
        redirect: 'manual',
        ...init,
        signal: AbortSignal.timeout(patience_ms + Math.ceil(bytes / bytes_per_ms_min)),
      });
    } catch (error) {
      throw new BackupError(`${url} does not answer: ${describeCause(error)}`);
    }
  }

  return {
    put: async (key, content, sha256) => {
      const init = { body: content, headers: { 'x-amz-content-sha256': sha256 } };
      const response = await send('PUT', `${url}/${key}`, init, content.size);
      if (response.status !== 200) throw await describeRefusal(url, response);
      await response.body?.cancel();
    },
    get: async (key, bytes_max) => {
      const response = await send('GET', `${url}/${key}`, {}, bytes_max);
      if (response.status === 200) return readChunks(url, response, bytes_max);
      const refusal = await describeRefusal(url, response);
      if (refusal.code === 'NoSuchKey') return undefined;
      throw refusal;
    },
    list: async (folder, { after, limit = page_max } = {}) => {
      const query = new URLSearchParams({
        'list-type': '2',
        'max-keys': String(limit),
        prefix: `${begin}${folder}`,
        ...(after !== undefined && { 'start-after': `${begin}${after}` }),
      });
      const response = await send('GET', `${address.origin}/${bucket}?${String(query)}`);
      if (response.status !== 200) throw await describeRefusal(url, response);
      return parseList(url, await readText(url, response)).map(({ key, bytes }) => ({
        key: key.slice(begin.length),
        bytes,
      }));
    },
    remove: async (key) => {
      const response = await send('DELETE', `${url}/${key}`);
      if (response.status !== 204 && response.status !== 200 && response.status !== 404)
        throw await describeRefusal(url, response);
      await response.body?.cancel();
    },
  };
}

/** What an operator can do about a refusal, by the code of the storage. */
const advice: Readonly<Record<string, string>> = {
  AccessDenied: 'the key may not do this',
  InvalidAccessKeyId: 'look at TESSERA_ARCHIVE_KEY_ID',
  SignatureDoesNotMatch: 'look at TESSERA_ARCHIVE_SECRET',
  AuthorizationHeaderMalformed: 'look at TESSERA_ARCHIVE_REGION',
  PermanentRedirect: 'look at TESSERA_ARCHIVE_URL and TESSERA_ARCHIVE_REGION',
  NoSuchBucket: 'look at TESSERA_ARCHIVE_URL',
  RequestTimeTooSkewed: 'the clock of this machine is wrong',
};

/** A refusal of the storage, with its code. */
class StorageRefusal extends BackupError {
  readonly code: string;

  constructor(url: string, status: number, code: string) {
    const hint = Object.hasOwn(advice, code) ? `: ${advice[code]}` : '';
    super(`${url} answers ${status}${code && ` ${code}`}${hint}`);
    this.code = code;
  }
}

async function describeRefusal(url: string, response: Response): Promise<StorageRefusal> {
  const text = await readText(url, response).catch(() => '');
  return new StorageRefusal(url, response.status, /<Code>(\w{1,64})<\/Code>/.exec(text)?.[1] ?? '');
}

/** Keys of an archive have no character that XML escapes. */
function parseList(url: string, text: string): readonly ListedObject[] {
  if (!text.includes('<ListBucketResult'))
    throw new BackupError(`${url} does not speak S3: its list is not a ListBucketResult`);
  return text
    .split('<Contents>')
    .slice(1)
    .map((entry) => ({
      key: /<Key>([^<>&]{1,1024})<\/Key>/.exec(entry)?.[1] ?? '',
      bytes: Number(/<Size>(\d{1,13})<\/Size>/.exec(entry)?.[1] ?? 0),
    }));
}

async function readText(url: string, response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const part of readChunks(url, response, answer_bytes_max)) parts.push(part);
  return Buffer.concat(parts).toString('utf8');
}

async function* readChunks(url: string, { body }: Response, bytes_max: number): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  try {
    for await (const part of (body ?? []) as AsyncIterable<Uint8Array>) {
      bytes += part.length;
      if (bytes > bytes_max) throw new BackupError(`${url} sends more than it should`);
      yield part;
    }
  } catch (error) {
    if (error instanceof BackupError) throw error;
    throw new BackupError(`${url} breaks off: ${describeCause(error)}`);
  }
}

/** The reason in one word or line: `fetch` wraps what the system says. */
function describeCause(error: unknown): string {
  const { name, message, cause } = error as Error;
  if (name === 'TimeoutError') return 'it takes too long';
  const { code, message: reason } = (cause ?? {}) as { code?: string; message?: string };
  return code ?? reason ?? message;
}
