import {
  createPublicClient,
  createWalletClient,
  defineChain,
  encodeFunctionData,
  keccak256,
  parseAbi,
  parseEventLogs,
  parseTransaction,
  TransactionReceiptNotFoundError,
  type Account,
  type Log,
  type TransactionReceipt,
} from 'viem';
import { nonceManager, privateKeyToAccount } from 'viem/accounts';
import type { ChainSettings } from '#platform/config.ts';
import { ChainUnavailableError } from './chain-unavailable.ts';
import { createTransport } from './transport.ts';

type Hex = `0x${string}`;

/** The functions and events of the token that payments use: ERC-20 and ERC-3009. */
const tokenAbi = parseAbi([
  'function name() view returns (string)',
  'function version() view returns (string)',
  'function decimals() view returns (uint8)',
  'function balanceOf(address account) view returns (uint256)',
  'function transfer(address to, uint256 value) returns (bool)',
  'function authorizationState(address authorizer, bytes32 nonce) view returns (bool)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)',
]);

/** A transfer of the token, as an event of a mined transaction. Addresses are in lower case. */
export type TokenTransfer = {
  readonly from: Hex;
  readonly to: Hex;
  readonly value: bigint;
  readonly log_index: number;
};

/** A mined transaction, as far as payments are concerned. */
export type MinedTransaction = {
  readonly hash: Hex;
  readonly succeeded: boolean;
  readonly block_number: bigint;
  readonly confirmations: number;
  readonly transfers: readonly TokenTransfer[];
  /** The authorisations of ERC-3009 that it used, of the token. */
  readonly authorizations: readonly { readonly from: Hex; readonly nonce: Hex }[];
};

/** The name and version with which signatures for the token are made (EIP-712). */
export type TokenDomain = { readonly name: string; readonly version: string };

export type Chain = ReturnType<typeof openChain>;

/** How often a transaction that was sent is looked for. */
const poll_ms = 250;

/**
 * Opens a client of an EVM chain and of the token on it. Every function throws a {@link ChainUnavailableError} if the node gives no usable
 * answer: then nothing is known.
 *
 * @param key The account that sends transactions, if there is one.
 */
export function openChain(settings: ChainSettings, key?: Hex) {
  let faults = 0;
  const connection = connect(settings, () => void faults++, key);
  const { reader, token } = connection;
  let domain: Promise<TokenDomain> | undefined;
  return {
    reader,
    sender: connection.sender,
    /** Counts the failures of the node so far, for callers of libraries that hide them. */
    countFaults: () => faults,
    /** Reads once which chain and which token this is. @throws Error for others than those of the configuration. */
    readTokenDomain: () =>
      (domain ??= readTokenDomain(connection).catch((error: unknown) => {
        domain = undefined;
        throw error;
      })),
    /** Reads a transaction; undefined if it is not mined, or no longer. */
    readMined: (hash: Hex) => readMined(connection, hash),
    /** Describes a receipt that was just read, with one confirmation. */
    describeReceipt: (receipt: TransactionReceipt) =>
      describeReceipt(connection, receipt, receipt.blockNumber),
    readBlockTime: (blockNumber: bigint) => readBlockTime(connection, blockNumber),
    /** Reads the time of the newest block. */
    readHeadTime: () => readBlockTime(connection),
    /** Reads what an address has of the token. */
    readBalance: (address: Hex) =>
      guard(() => reader.readContract({ ...token, functionName: 'balanceOf', args: [address] })),
    isAuthorizationUsed: (from: Hex, nonce: Hex) =>
      guard(() => reader.readContract({ ...token, functionName: 'authorizationState', args: [from, nonce] })),
    /** Finds the transaction that used an authorisation, from the newest block back to a time. */
    findAuthorizationUse: (from: Hex, nonce: Hex, since: Date) =>
      findAuthorizationUse(connection, { from, nonce, since }),
    /** Whether an address is a contract. */
    hasCode: async (address: Hex) => ((await guard(() => reader.getCode({ address }))) ?? '0x') !== '0x',
    signTransfer: (transfer: NewTransfer) => signTransfer(connection, transfer),
    /** Signs a transaction again, with the same nonce and a fee that is at least a quarter higher, without sending it. */
    replaceSigned: (raw: Hex) => replaceSigned(connection, raw),
    /** Reads the nonce of the next transaction of the sending account. */
    readNextNonce: () =>
      guard(() =>
        reader.getTransactionCount({
          address: requireAccount(connection.account).address,
          blockTag: 'pending',
        }),
      ),
    /** Sends a transaction that was signed before. @returns its hash. */
    sendSigned: (raw: Hex) => guard(() => reader.sendRawTransaction({ serializedTransaction: raw })),
  };
}

type Connection = ReturnType<typeof connect>;

function connect(settings: ChainSettings, onFault: () => void, key: Hex | undefined) {
  const shared = {
    transport: createTransport(settings.rpcUrl, onFault),
    chain: defineChain({
      id: settings.chainId,
      name: 'chain',
      nativeCurrency: { name: 'coin', symbol: 'COIN', decimals: 18 },
      rpcUrls: { default: { http: [] } },
    }),
    pollingInterval: poll_ms,
    cacheTime: 0,
  } as const;
  const account = key && privateKeyToAccount(key, { nonceManager });
  return {
    settings,
    account,
    reader: createPublicClient(shared),
    sender: account && createWalletClient({ ...shared, account }),
    token: { address: settings.asset, abi: tokenAbi } as const,
  };
}

async function readTokenDomain({ settings, reader, token }: Connection): Promise<TokenDomain> {
  const [id, decimals, name, version] = await guard(() =>
    Promise.all([
      reader.getChainId(),
      reader.readContract({ ...token, functionName: 'decimals' }),
      reader.readContract({ ...token, functionName: 'name' }),
      reader.readContract({ ...token, functionName: 'version' }),
    ]),
  );
  if (id !== settings.chainId)
    throw new Error(
      `TESSERA_EVM_RPC_URL leads to the chain ${id}, but TESSERA_EVM_CHAIN_ID is ${settings.chainId}`,
    );
  if (decimals !== 6)
    throw new Error(`the token of TESSERA_EVM_ASSET has ${decimals} decimals; Tessera needs one with 6`);
  return { name, version };
}

async function readMined({ settings, reader }: Connection, hash: Hex): Promise<MinedTransaction | undefined> {
  const [receipt, head] = await guard(() =>
    Promise.all([
      reader.getTransactionReceipt({ hash }).catch((error: unknown) => {
        if (error instanceof TransactionReceiptNotFoundError) return undefined;
        throw error;
      }),
      reader.getBlockNumber(),
    ]),
  );
  return receipt && describeReceipt({ settings }, receipt, head);
}

function describeReceipt(
  { settings }: Pick<Connection, 'settings'>,
  receipt: TransactionReceipt,
  head: bigint,
): MinedTransaction {
  return {
    hash: receipt.transactionHash,
    succeeded: receipt.status === 'success',
    block_number: receipt.blockNumber,
    // The head may have been read before the block of the receipt.
    confirmations: Math.max(1, Number(head - receipt.blockNumber) + 1),
    ...readTokenEvents(receipt.logs, settings.asset),
  };
}

/** Reads the time of a block, or of the newest one. */
async function readBlockTime({ reader }: Connection, blockNumber?: bigint): Promise<Date> {
  const { timestamp } = await guard(() =>
    blockNumber === undefined ? reader.getBlock() : reader.getBlock({ blockNumber }),
  );
  return new Date(Number(timestamp) * 1000);
}

/** Nodes limit the blocks of one search, so there are several. */
async function findAuthorizationUse(
  connection: Connection,
  { from, nonce, since }: { readonly from: Hex; readonly nonce: Hex; readonly since: Date },
): Promise<Hex | undefined> {
  const { reader, token } = connection;
  const filter = { eventName: 'AuthorizationUsed', args: { authorizer: from, nonce } } as const;
  let toBlock = await guard(() => reader.getBlockNumber());
  for (let search = 0; search < searches_max; search++) {
    const fromBlock = toBlock > search_blocks ? toBlock - search_blocks : 0n;
    const range = { fromBlock, toBlock };
    const [log] = await guard(() => reader.getContractEvents({ ...token, ...filter, ...range }));
    if (log) return log.transactionHash;
    if (fromBlock === 0n || (await readBlockTime(connection, fromBlock)) < since) return undefined;
    toBlock = fromBlock - 1n;
  }
  return undefined;
}

/** A transfer of the token to sign. */
type NewTransfer = { readonly to: Hex; readonly value: bigint; readonly nonce: number };

/**
 * Signs a transfer of the token without sending it, so that its hash can be stored first. A transaction that was sent and whose outcome is not
 * known is sent again as it is; its nonce prevents that money moves twice.
 */
async function signTransfer(
  { settings, account, reader }: Connection,
  { to, value, nonce }: NewTransfer,
): Promise<{ readonly raw: Hex; readonly hash: Hex }> {
  const from = requireAccount(account);
  const data = encodeFunctionData({ abi: tokenAbi, functionName: 'transfer', args: [to, value] });
  const raw = await guard(async () => {
    const [gas, fees] = await Promise.all([
      reader.estimateGas({ account: from.address, to: settings.asset, data }),
      reader.estimateFeesPerGas(),
    ]);
    const { maxFeePerGas, maxPriorityFeePerGas } = fees;
    const limits = { gas: (gas * 12n) / 10n, maxFeePerGas, maxPriorityFeePerGas };
    const { chainId, asset } = settings;
    return from.signTransaction({ type: 'eip1559', chainId, to: asset, data, nonce, ...limits });
  });
  return { raw, hash: keccak256(raw) };
}

/** Nodes replace a transaction if both of its fees are at least a tenth higher. */
async function replaceSigned({ account, reader }: Connection, raw: Hex): Promise<{ raw: Hex; hash: Hex }> {
  const earlier = parseTransaction(raw);
  if (earlier.type !== 'eip1559') throw new Error('only a transaction of type eip1559 gets a higher fee');
  const current = await guard(() => reader.estimateFeesPerGas());
  const computeHigher = (fee: bigint | undefined, now: bigint) => {
    const higher = ((fee ?? 0n) * 5n) / 4n + 1n;
    return higher > now ? higher : now;
  };
  const maxPriorityFeePerGas = computeHigher(earlier.maxPriorityFeePerGas, current.maxPriorityFeePerGas);
  const maxFeePerGas = computeHigher(earlier.maxFeePerGas, current.maxFeePerGas);
  const fees = { maxPriorityFeePerGas, maxFeePerGas };
  // Without the earlier signature, which would become part of what is signed.
  const { chainId, nonce, to, data, gas } = earlier;
  const unsigned = { type: 'eip1559', chainId, nonce, to, data, gas, ...fees } as const;
  const signed = await requireAccount(account).signTransaction(unsigned);
  return { raw: signed, hash: keccak256(signed) };
}

const search_blocks = 2_000n;
const searches_max = 100;

function requireAccount<Signer extends Account>(account: Signer | undefined): Signer {
  if (!account) throw new Error('TESSERA_EVM_FACILITATOR_KEY must be set to send transactions');
  return account;
}

/** Finds the failure of the node among the causes of an error of viem, so that callers see one class. */
async function guard<Result>(call: () => Promise<Result>): Promise<Result> {
  try {
    return await call();
  } catch (error) {
    for (let cause = error; cause instanceof Error; cause = cause.cause)
      if (cause instanceof ChainUnavailableError) throw cause;
    throw error;
  }
}

/** Reads the events of the token itself: another contract can emit the same events. */
export function readTokenEvents(
  logs: readonly Log[],
  asset: Hex,
): Pick<MinedTransaction, 'transfers' | 'authorizations'> {
  const own = logs.filter(({ address }) => address.toLowerCase() === asset);
  const events = parseEventLogs({ abi: tokenAbi, logs: own });
  const toLower = (text: Hex) => text.toLowerCase() as Hex;
  return {
    transfers: events.flatMap((event) =>
      event.eventName === 'Transfer'
        ? [
            {
              from: toLower(event.args.from),
              to: toLower(event.args.to),
              value: event.args.value,
              log_index: event.logIndex,
            },
          ]
        : [],
    ),
    authorizations: events.flatMap((event) =>
      event.eventName === 'AuthorizationUsed'
        ? [{ from: toLower(event.args.authorizer), nonce: toLower(event.args.nonce) }]
        : [],
    ),
  };
}
