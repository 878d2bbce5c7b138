import { EventEmitter } from 'node:events';
import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  randomBytes,
  sign as signData,
  verify as verifyData,
  type JsonWebKey,
  type KeyObject,
} from 'node:crypto';
import {
  Agent,
  DidDocument,
  DidsModule,
  InjectionSymbols,
  JsonTransformer,
  JwkDidRegistrar,
  JwkDidResolver,
  KeyDidRegistrar,
  KeyDidResolver,
  Kms,
  ConsoleLogger,
  LogLevel,
  RecordNotFoundError,
  type AgentDependencies,
  type BaseRecord,
  type DidResolver,
  type FileSystem,
  type Module,
  type StorageService,
} from '@credo-ts/core';
import { OpenId4VcModule } from '@credo-ts/openid4vc';
import { cleanUpAfterFile } from './clean-up.ts';
import type { TestApp } from './harness.ts';

export type CredoAgent = Awaited<ReturnType<typeof startCredoAgent>>;

/**
 * Starts an agent of Credo, a wallet framework by other makers, as holder and verifier. The framework brings protocols and formats. Keys and
 * storage come from here, in memory, because its own key store is a native program. All its requests reach the service in this process.
 */
export async function startCredoAgent(app: TestApp) {
  const fetchFromApp = createFetch(app);
  const dependencies: AgentDependencies = {
    FileSystem: NoFileSystem,
    EventEmitterClass: EventEmitter,
    fetch: fetchFromApp,
    // No protocol of this test uses web sockets.
    WebSocketClass: undefined as unknown as AgentDependencies['WebSocketClass'],
  };
  const agent = new Agent({
    config: { logger: new ConsoleLogger(LogLevel.off), autoUpdateStorageOnStartup: true },
    dependencies,
    modules: {
      storage: createStorageModule(),
      kms: new Kms.KeyManagementModule({ backends: [createKeyService()] }),
      dids: new DidsModule({
        resolvers: [createWebResolver(fetchFromApp), new JwkDidResolver(), new KeyDidResolver()],
        registrars: [new JwkDidRegistrar(), new KeyDidRegistrar()],
      }),
      openid4vc: new OpenId4VcModule(),
    },
  });
  await agent.initialize();
  cleanUpAfterFile(() => agent.shutdown());
  return agent;
}

function createFetch({ server }: TestApp): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const { pathname, search } = new URL(request.url);
    const payload = await request.text();
    const reply = await server.inject({
      method: request.method as 'GET' | 'POST',
      url: pathname + search,
      headers: Object.fromEntries(request.headers),
      ...(payload && { payload }),
    });
    return new Response(reply.payload, {
      status: reply.statusCode,
      headers: { 'content-type': String(reply.headers['content-type']) },
    });
  };
}

/** Like the framework's resolver of did:web, but with requests to the service in this process. */
function createWebResolver(fetchDocument: typeof fetch): DidResolver {
  return {
    supportedMethods: ['web'],
    allowsCaching: false,
    allowsLocalDidRecord: false,
    resolve: async (_context, did) => {
      const host = decodeURIComponent(did.slice('did:web:'.length));
      const reply = await fetchDocument(`https://${host}/.well-known/did.json`);
      const didDocument = JsonTransformer.fromJSON(await reply.json(), DidDocument);
      return { didDocument, didDocumentMetadata: {}, didResolutionMetadata: {} };
    },
  };
}

class NoFileSystem implements FileSystem {
  readonly dataPath = '';
  readonly cachePath = '';
  readonly tempPath = '';
  readonly exists = async () => false;
  readonly createDirectory = refuseFiles;
  readonly copyFile = refuseFiles;
  readonly write = refuseFiles;
  readonly read = refuseFiles;
  readonly delete = refuseFiles;
  readonly downloadToFile = refuseFiles;
}

async function refuseFiles(): Promise<never> {
  throw new Error('this agent has no files');
}

// The framework's own constraint of a storage for all kinds of records.
// oxlint-disable-next-line typescript/no-explicit-any
type AnyRecord = BaseRecord<any, any, any>;

/** Stores records in memory. */
function createStorageModule(): Module {
  const records = new Map<string, AnyRecord>();
  const listOfType = (type: string) => [...records.values()].filter((record) => record.type === type);
  const save = async (_context: unknown, record: AnyRecord) => void records.set(record.id, record);
  const storage: StorageService<AnyRecord> = {
    supportsCursorPagination: false,
    save,
    update: save,
    delete: async (_context, { id }) => void records.delete(id),
    deleteById: async (_context, _class, id) => void records.delete(id),
    getById: async (_context, { type }, id) => {
      const record = listOfType(type).find((each) => each.id === id);
      if (!record) throw new RecordNotFoundError('the record does not exist', { recordType: type });
      return record;
    },
    getAll: async (_context, { type }) => listOfType(type),
    findByQuery: async (_context, { type }, query) =>
      listOfType(type).filter((record) => hasTags(record.getTags(), query)),
  };
  return {
    register: (manager) => manager.registerInstance(InjectionSymbols.StorageService, storage),
  };
}

/** Whether tags match a query: every value is equal, or contained in a list, and one of the alternatives under `$or` matches. */
function hasTags(tags: Readonly<Record<string, unknown>>, query: object): boolean {
  return Object.entries(query as Readonly<Record<string, unknown>>).every(([name, wanted]) => {
    if (wanted === undefined) return true;
    if (name === '$or') return (wanted as readonly object[]).some((each) => hasTags(tags, each));
    const value = tags[name];
    return Array.isArray(wanted)
      ? Array.isArray(value) && wanted.every((each) => value.includes(each))
      : value === wanted;
  });
}

/** Keys in memory, with the cryptography of Node. */
function createKeyService(): Kms.KeyManagementService {
  const keys = new Map<string, KeyObject>();
  const refuse = async (): Promise<never> => {
    throw new Error('this key service only signs and verifies');
  };
  const toJwk = (key: KeyObject, kid: string) => ({ ...createPublicKey(key).export({ format: 'jwk' }), kid });
  return {
    backend: 'node',
    isOperationSupported: (_context, { operation }) =>
      ['createKey', 'sign', 'verify', 'randomBytes'].includes(operation),
    getPublicKey: async (_context, keyId) => {
      const key = keys.get(keyId);
      return key ? (toJwk(key, keyId) as Kms.KmsJwkPublic) : null;
    },
    createKey: async (_context, { keyId = randomBytes(16).toString('hex'), type }) => {
      const { privateKey } =
        type.kty === 'OKP'
          ? generateKeyPairSync('ed25519')
          : generateKeyPairSync('ec', { namedCurve: 'P-256' });
      keys.set(keyId, privateKey);
      return { keyId, publicJwk: toJwk(privateKey, keyId) as never };
    },
    importKey: refuse,
    deleteKey: async (_context, { keyId }) => keys.delete(keyId),
    sign: async (_context, { keyId, data }) => {
      const key = keys.get(keyId);
      if (!key) throw new Error(`the key ${keyId} does not exist`);
      const hash = key.asymmetricKeyType === 'ed25519' ? null : 'sha256';
      return { signature: new Uint8Array(signData(hash, data, { key, dsaEncoding: 'ieee-p1363' })) };
    },
    verify: async (_context, { key, algorithm, data, signature }) => {
      const jwk = key.publicJwk as JsonWebKey | undefined;
      const publicKey = jwk
        ? createPublicKey({ key: jwk, format: 'jwk' })
        : createPublicKey(keys.get(key.keyId!) ?? createPrivateKey(''));
      const hash = algorithm === 'EdDSA' || algorithm === 'Ed25519' ? null : 'sha256';
      const isRight = verifyData(hash, data, { key: publicKey, dsaEncoding: 'ieee-p1363' }, signature);
      return isRight
        ? { verified: true, publicJwk: (jwk ?? publicKey.export({ format: 'jwk' })) as never }
        : { verified: false };
    },
    encrypt: refuse,
    decrypt: refuse,
    randomBytes: (_context, { length }) => new Uint8Array(randomBytes(length)),
  };
}
