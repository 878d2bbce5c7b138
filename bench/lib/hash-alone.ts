import { hash, verify } from '@node-rs/argon2';
import { sendToParent, waitForMessages } from './parent.ts';

/** The parent's message: how often to check a password. */
export type HashOrder = { readonly checks: number };

const password = 'Correct-Horse-7-Battery';
/** The parameters must be those of src/modules/access/accounts/passwords/passwords.ts. */
const stored = await hash(password, { memoryCost: 19_456, timeCost: 2, parallelism: 1 });

/** Checks passwords as the service does, three at a time in the threads of the pool. */
async function checkPasswords({ checks }: HashOrder): Promise<void> {
  let left = checks;
  const checkRemaining = async () => {
    while (left-- > 0) if (!(await verify(stored, password))) throw new Error('the password is wrong');
  };
  await Promise.all([checkRemaining(), checkRemaining(), checkRemaining()]);
}

process.on('message', (message: HashOrder | string) => {
  if (typeof message !== 'string') void checkPasswords(message).then(() => sendToParent('done'));
});
waitForMessages();
sendToParent('ready');
