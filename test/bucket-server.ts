import { createHash, createHmac } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { SignatureV4 } from '@smithy/signature-v4';

/** How a storage misbehaves. */
export type StorageFault = { readonly status: number; readonly code: string } | 'silent' | 'cut';

/** The part of S3 that an archive needs, in memory. It verifies signatures with the code of AWS, which is not that of the client. */
export type BucketServer = {
  readonly url: string;
  /** What is stored, by key. */
  readonly objects: Map<string, Buffer>;
  /** Asked for each request whose signature is right; undefined to answer as usual. */
  fault: (method: string, key: string) => StorageFault | undefined;
  readonly close: () => Promise<void>;
};

export const access = { region: 'eu-test-1', key_id: 'AKIDEXAMPLE', secret: 'a-secret-for-tests' };
const bucket = 'archives';

type Answer = { readonly status: number; readonly body?: Buffer | string };

/** Starts a storage with the bucket `archives` on a free port of the loopback address. */
export async function startBucketServer(): Promise<BucketServer> {
  const objects = new Map<string, Buffer>();
  const server = http.createServer((request, response) => {
    void answer(request, response);
  });

  async function answer(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const url = new URL(request.url!, 'http://storage');
    const [, named, ...rest] = url.pathname.split('/');
    const key = rest.join('/');
    const content = Buffer.concat(chunks);
    let { status, body = '' } = await refuseForeign(request, url, content);
    const fault = status === 200 ? started.fault(request.method!, key) : undefined;
    if (fault === 'silent') return;
    if (fault === 'cut') {
      response.writeHead(200, { 'content-length': '100' }).write('x');
      await pause(10);
      response.destroy();
      return;
    }
    if (fault) ({ status, body } = buildError(fault.status, fault.code));
    else if (status === 200 && named !== bucket) ({ status, body } = buildError(404, 'NoSuchBucket'));
    else if (status === 200) ({ status, body = '' } = run(request, { key, url, content }));
    const bytes = Buffer.from(body as string);
    response.writeHead(status, status === 204 ? {} : { 'content-length': bytes.length }).end(bytes);
  }

  function run(
    request: http.IncomingMessage,
    { key, url, content }: { readonly key: string; readonly url: URL; readonly content: Buffer },
  ): Answer {
    if (request.method === 'PUT') {
      if (request.headers['content-length'] === undefined) return buildError(411, 'MissingContentLength');
      objects.set(key, content);
      return { status: 200 };
    }
    if (request.method === 'DELETE') {
      objects.delete(key);
      return { status: 204 };
    }
    if (key === '' && url.searchParams.get('list-type') === '2') return { status: 200, body: list(url) };
    const found = objects.get(key);
    return found ? { status: 200, body: found } : buildError(404, 'NoSuchKey');
  }

  function list({ searchParams }: URL): string {
    const prefix = searchParams.get('prefix') ?? '';
    const after = searchParams.get('start-after') ?? '';
    const found = [...objects.keys()].filter((key) => key.startsWith(prefix) && key > after).sort();
    const contents = found
      .slice(0, Number(searchParams.get('max-keys') ?? 1_000))
      .map((key) => `<Contents><Key>${key}</Key><Size>${objects.get(key)!.length}</Size></Contents>`);
    return `<?xml version="1.0"?><ListBucketResult>${contents.join('')}</ListBucketResult>`;
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const started: BucketServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/${bucket}`,
    objects,
    fault: () => undefined,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return started;
}

function buildError(status: number, code: string): Required<Answer> {
  return { status, body: `<?xml version="1.0"?><Error><Code>${code}</Code></Error>` };
}

const authorization =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/\d{8}\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/;

/** Answers a request whose signature or content is wrong as S3 does; otherwise with 200. */
async function refuseForeign(request: http.IncomingMessage, url: URL, content: Buffer): Promise<Answer> {
  const [, key_id, region, signed = '', signature] =
    authorization.exec(request.headers.authorization ?? '') ?? [];
  if (signature === undefined) return buildError(403, 'AccessDenied');
  if (key_id !== access.key_id) return buildError(403, 'InvalidAccessKeyId');
  if (region !== access.region) return buildError(400, 'AuthorizationHeaderMalformed');
  const names = signed.split(';');
  const time = String(request.headers['x-amz-date']);
  const again = await new SignatureV4({
    service: 's3',
    region: access.region,
    credentials: { accessKeyId: access.key_id, secretAccessKey: access.secret },
    sha256: Sha256,
    uriEscapePath: false,
    applyChecksum: false,
  }).sign(
    {
      method: request.method!,
      protocol: 'http:',
      hostname: '127.0.0.1',
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
      headers: Object.fromEntries(names.map((name) => [name, String(request.headers[name])])),
    },
    {
      signingDate: new Date(time.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z')),
    },
  );
  if (!again.headers['authorization']?.endsWith(`Signature=${signature}`))
    return buildError(403, 'SignatureDoesNotMatch');
  const hash = request.headers['x-amz-content-sha256'];
  if (request.method === 'PUT' && hash !== createHash('sha256').update(content).digest('hex'))
    return buildError(400, 'XAmzContentSHA256Mismatch');
  return { status: 200 };
}

/** SHA-256 as the code of AWS wants it. */
class Sha256 {
  readonly #hash: ReturnType<typeof createHash> | ReturnType<typeof createHmac>;

  constructor(secret?: unknown) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', toBytes(secret));
  }

  update(data: unknown): void {
    this.#hash.update(toBytes(data));
  }

  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }

  reset(): void {
    throw new Error('a hash is used once');
  }
}

function toBytes(data: unknown): string | Uint8Array {
  if (typeof data === 'string') return data;
  if (data instanceof ArrayBuffer) return new Uint8Array(data);
  const { buffer, byteOffset, byteLength } = data as Uint8Array;
  return new Uint8Array(buffer, byteOffset, byteLength);
}
