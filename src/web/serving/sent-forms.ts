import { LRUCache } from 'lru-cache';
import { instanceMemory } from '#platform/instance-memory.ts';
import type { Platform } from '#platform/platform.ts';
import type { PageReply } from './page-reply.ts';

const remembered_max = 2_000;
const remembered_ms = 600_000;

type SentForm = { readonly sending: string; readonly handling: Promise<PageReply> };

/** The last sending of each view of a page, with the reply to it, by the token of the view's forms. */
const sentForms = instanceMemory(
  () => new LRUCache<string, SentForm>({ max: remembered_max, ttl: remembered_ms }),
);

/** What is sent, and how. */
type Sending = {
  readonly token: string;
  /** What {@link identifySending} computes. */
  readonly sending: string;
  readonly handle: () => Promise<{ readonly reply: PageReply; readonly succeeded: boolean }>;
  /** Whether a visitor can still use the reply: the session that it began may have ended. */
  readonly isUsable: (reply: PageReply) => Promise<boolean>;
};

/**
 * Handles a sending of a form once: a second click gets the reply to the first. Operations that create or pay also recognise it in the
 * database, as an Idempotency-Key, so that this holds on several nodes. A form that failed may be sent again, and so may one after which
 * something else was sent from the same view of its page: a visitor who goes back can change their mind twice.
 */
export async function handleOnce(platform: Platform, sent: Sending): Promise<PageReply> {
  const { token, sending, handle, isUsable } = sent;
  const forms = sentForms(platform);
  const known = forms.get(token);
  if (known?.sending === sending) {
    const reply = await known.handling;
    if (await isUsable(reply)) return reply;
    // Of several that wait here, the first one handles the form.
    if (forms.get(token) !== known) return handleOnce(platform, sent);
  }
  const handling = handle().then(({ reply, succeeded }) => {
    if (!succeeded) forget();
    return reply;
  });
  const entry = { sending, handling };
  const forget = () => void (forms.peek(token) === entry && forms.delete(token));
  handling.catch(forget);
  forms.set(token, entry);
  return handling;
}
