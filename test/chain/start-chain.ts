import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import {
  createPublicClient,
  createTestClient,
  createWalletClient,
  http,
  parseAbi,
  type Address,
  type Hex,
} from 'viem';
import { generatePrivateKey, privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts';
import { foundry } from 'viem/chains';
import { cleanUpAfterFile } from '../clean-up.ts';
import contracts from './contracts.json' with { type: 'json' };

/** The functions of `contracts.sol` that tests call. */
export const testTokenAbi = parseAbi([
  'function mint(address to, uint256 value)',
  'function transfer(address to, uint256 value) returns (bool)',
  'function transferTwice(address to, uint256 value)',
  'function balanceOf(address account) view returns (uint256)',
  'function cancelAuthorization(address authorizer, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)',
]);

export type TestChain = Awaited<ReturnType<typeof startChain>>;

export type ChainOptions = {
  /** Mines a block in this interval, instead of one for each transaction. */
  readonly block_seconds?: number;
  readonly chain_id?: number;
};

/** The first account of every anvil, which it publishes and gives coins. */
const rich_key = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';

/**
 * Starts a real EVM chain in a process of its own, which ends with the test file, and with the test process even if that is killed. On it is a token
 * like USDC. `facilitator` has coins for fees, and `payTo` has nothing.
 */
export async function startChain({ block_seconds, chain_id = foundry.id }: ChainOptions = {}) {
  const url = await startAnvil(block_seconds, chain_id);
  const transport = http(url);
  const shared = {
    chain: { ...foundry, id: chain_id },
    transport,
    pollingInterval: 20,
    cacheTime: 0,
  } as const;
  const reader = createPublicClient(shared);
  const control = createTestClient({ ...shared, mode: 'anvil' });
  const rich = createWalletClient({ ...shared, account: privateKeyToAccount(rich_key) });
  const [token, otherToken] = [await deploy('TestToken'), await deploy('TestToken')];
  const facilitatorKey = generatePrivateKey();
  await giveCoins(privateKeyToAccount(facilitatorKey).address);
  const payTo = privateKeyToAccount(generatePrivateKey()).address;

  return {
    url,
    reader,
    control,
    token,
    otherToken,
    payTo,
    facilitatorKey,
    /** The settings of a service that is paid on this chain. */
    environment: {
      TESSERA_EVM_RPC_URL: url,
      TESSERA_EVM_CHAIN_ID: String(chain_id),
      TESSERA_EVM_ASSET: token,
      TESSERA_EVM_PAY_TO: payTo,
    },
    createPayer,
    deployWallet: (owner: Address) => deploy('TestWallet', owner.slice(2).padStart(64, '0')),
    readBalance: (address: Address, asset: Address = token) =>
      reader.readContract({ address: asset, abi: testTokenAbi, functionName: 'balanceOf', args: [address] }),
    mint: (to: Address, value: bigint) => sendFrom(rich.account, token, 'mint', [to, value]),
    sendFrom,
  };

  /** Creates a wallet with coins for fees and five units of the token. */
  async function createPayer(): Promise<PrivateKeyAccount> {
    const account = privateKeyToAccount(generatePrivateKey());
    await giveCoins(account.address);
    for (const asset of [token, otherToken])
      await sendFrom(rich.account, asset, 'mint', [account.address, 5_000_000n]);
    return account;
  }

  /** Sends a transaction to a token, and waits until it is mined. @returns its hash. */
  async function sendFrom(
    account: PrivateKeyAccount,
    asset: Address,
    functionName: 'mint' | 'transfer' | 'transferTwice' | 'cancelAuthorization' | 'transferWithAuthorization',
    args: readonly unknown[],
  ): Promise<Hex> {
    const wallet = createWalletClient({ ...shared, account });
    const call = { address: asset, abi: testTokenAbi, functionName, args } as never;
    const hash = await wallet.writeContract(call);
    const { status } = await reader.waitForTransactionReceipt({ hash });
    if (status !== 'success') throw new Error(`${functionName} was reverted`);
    return hash;
  }

  async function giveCoins(address: Address): Promise<void> {
    await control.setBalance({ address, value: 10n ** 19n });
  }

  async function deploy(name: keyof typeof contracts, constructorArguments = ''): Promise<Address> {
    const data = `${contracts[name]}${constructorArguments}` as Hex;
    const hash = await rich.sendTransaction({ data });
    const { contractAddress } = await reader.waitForTransactionReceipt({ hash });
    return contractAddress!;
  }
}

/** Ends anvil when the pipe closes, which happens whenever this process ends. */
const supervisor = '"$0" "$@" & node=$!; trap "kill -9 $node" EXIT; while read -r line; do :; done';

async function startAnvil(block_seconds: number | undefined, chain_id: number): Promise<string> {
  const blocks = block_seconds === undefined ? [] : ['--block-time', String(block_seconds)];
  const options = ['--port', '0', '--chain-id', String(chain_id), ...blocks];
  const child = spawn('/bin/sh', ['-c', supervisor, findAnvil(), ...options], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  cleanUpAfterFile(async () => {
    const closed = new Promise((resolve) => void child.once('close', resolve));
    child.stdin.end();
    await closed;
  });
  for await (const line of createInterface(child.stdout)) {
    const [, at] = /^Listening on (\S+)/.exec(line) ?? [];
    if (at === undefined) continue;
    child.stdout.resume();
    return `http://${at}`;
  }
  throw new Error('anvil ended before it listened');
}

/** The binary is in a package of the platform, of which the package manager installs one. */
function findAnvil(): string {
  const architecture = process.arch === 'x64' ? 'amd64' : process.arch;
  const require = createRequire(createRequire(import.meta.url).resolve('@foundry-rs/anvil/package.json'));
  const manifest = require.resolve(`@foundry-rs/anvil-${process.platform}-${architecture}/package.json`);
  return manifest.replace(/package\.json$/, 'bin/anvil');
}
