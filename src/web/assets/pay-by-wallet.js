// Asks a wallet of the browser (EIP-1193) to sign a payment (ERC-3009) at the terms of the page, and sends it in the form that has them. What was signed is kept
// until its reply is shown, so that a payment whose reply was lost is sent again instead of signed again.

const form = document.querySelector('form[data-wallet]');
const pending = document.querySelector('[data-wallet-pending]');
const done = document.querySelector('[data-wallet-done]');
const prefix = `wallet-payment ${location.pathname}${location.search} `;

const announced_max = 20;
const name_characters_max = 60;

if (done) sessionStorage.removeItem(prefix + done.dataset.walletDone);
if (form) prepare();
if (pending) offerPending(pending.querySelector('form'));

function prepare() {
  const { data_type } = form.elements;
  addEventListener('eip6963:announceProvider', ({ detail }) => addWallet(detail));
  dispatchEvent(new Event('eip6963:requestProvider'));
  // The service has answered that this payment is not accepted.
  if ('refused' in form.dataset) sessionStorage.removeItem(prefix + data_type.value);
  form.hidden = false;
  form.addEventListener('submit', (event) => void handleSubmit(event));
}

/** Adds a wallet that has announced itself (EIP-6963). Its name is text from a program that nobody has checked. */
function addWallet(detail) {
  const { info, provider } = detail ?? {};
  if (
    typeof info?.uuid !== 'string' ||
    typeof info.name !== 'string' ||
    typeof provider?.request !== 'function'
  )
    return;
  const choice = form.querySelector('.wallet-choice');
  const { options } = choice.querySelector('select');
  if (options.length >= announced_max || [...options].some(({ value }) => value === info.uuid)) return;
  const option = new Option(info.name.slice(0, name_characters_max), info.uuid);
  options.add(Object.assign(option, { wallet: provider }));
  choice.hidden = options.length < 2;
}

/** The wallet that was chosen, the only one that has announced itself, or the one of older wallets. */
function selectWallet() {
  return form.querySelector('.wallet-choice select').selectedOptions[0]?.wallet ?? window.ethereum;
}

/** Shows the form that sends a payment again, if one has no reply yet. */
function offerPending(again) {
  const key = Object.keys(sessionStorage).find((each) => each.startsWith(prefix));
  if (key === undefined) return;
  again.elements.data_type.value = key.slice(prefix.length);
  again.elements.payment.value = sessionStorage.getItem(key);
  pending.hidden = false;
}

/** The first submission asks the wallet. The second one, with the payment, goes to the server. */
async function handleSubmit(event) {
  const { payment, data_type } = form.elements;
  if (payment.value !== '') return;
  event.preventDefault();
  event.stopPropagation();
  showMessage('');
  try {
    const signed = JSON.stringify(await sign(JSON.parse(form.dataset.wallet)));
    sessionStorage.setItem(prefix + data_type.value, signed);
    payment.value = signed;
    form.requestSubmit();
  } catch (error) {
    showMessage(form.dataset[describe(error)]);
  }
}

class WrongChainError extends Error {}

async function sign(terms) {
  const wallet = selectWallet();
  if (!wallet) return Promise.reject({ name: 'missing' });
  const ask = (method, ...params) => wallet.request({ method, params });
  const [from] = await ask('eth_requestAccounts');
  const chain_id = Number(terms.network.split(':')[1]);
  await requireChain(ask, chain_id);
  const authorization = buildAuthorization(from, terms);
  const signature = await ask(
    'eth_signTypedData_v4',
    from,
    JSON.stringify(buildTypedData(terms, chain_id, authorization)),
  );
  return { x402Version: 2, accepted: terms, payload: { signature, authorization } };
}

/** A signature for another chain would be refused, so the wallet is asked to switch. */
async function requireChain(ask, chain_id) {
  if (Number(await ask('eth_chainId')) === chain_id) return;
  try {
    await ask('wallet_switchEthereumChain', { chainId: `0x${chain_id.toString(16)}` });
  } catch {
    throw new WrongChainError();
  }
  if (Number(await ask('eth_chainId')) !== chain_id) throw new WrongChainError();
}

function buildAuthorization(from, { payTo, amount, maxTimeoutSeconds }) {
  const seconds = Math.floor(Date.now() / 1000);
  const nonce = Array.from(crypto.getRandomValues(new Uint8Array(32)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  );
  return {
    from,
    to: payTo,
    value: amount,
    // The clock of this device may be ahead of that of the chain.
    validAfter: String(seconds - 600),
    validBefore: String(seconds + maxTimeoutSeconds),
    nonce: `0x${nonce.join('')}`,
  };
}

function buildTypedData({ asset, extra }, chainId, message) {
  const build = (types) => Object.entries(types).map(([name, type]) => ({ name, type }));
  return {
    domain: { name: extra.name, version: extra.version, chainId, verifyingContract: asset },
    primaryType: 'TransferWithAuthorization',
    types: {
      EIP712Domain: build({
        name: 'string',
        version: 'string',
        chainId: 'uint256',
        verifyingContract: 'address',
      }),
      TransferWithAuthorization: build({
        from: 'address',
        to: 'address',
        value: 'uint256',
        validAfter: 'uint256',
        validBefore: 'uint256',
        nonce: 'bytes32',
      }),
    },
    message,
  };
}

/** The name of the words for what a wallet answers. EIP-1193 has 4001 for what its user refuses. */
function describe(error) {
  if (error instanceof WrongChainError) return 'wrongChain';
  if (error?.name === 'missing') return 'missing';
  return error?.code === 4001 ? 'rejected' : 'failed';
}

function showMessage(text) {
  const message = form.querySelector('.wallet-message');
  message.textContent = text;
  message.hidden = text === '';
}

/** A page that the browser brings back has signed nothing yet. */
addEventListener('pagehide', () => {
  if (form) form.elements.payment.value = '';
});
