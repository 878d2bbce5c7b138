import { Refusal } from '#lib/refusal.ts';
import type { Secrets } from '#platform/security/secrets.ts';

/** A form that was sent: which one of its page, and what was entered. */
export type SentForm = { readonly action: string; readonly fields: Readonly<Record<string, string>> };

/** The hidden field in which a page that asks who the visitor is carries the form that it asks for. */
export const kept_form_field = 'kept_form';

const purpose = 'kept-form';

type Services = { readonly secrets: Secrets };

/** Encrypts a form for a page that carries it, because it may contain a password or the secret of a webhook. */
export function sealForm({ secrets }: Services, { action, fields }: SentForm): string {
  return secrets.encrypt(purpose, JSON.stringify({ action, fields })).toString('base64url');
}

/** Decrypts what {@link sealForm} encrypted. @throws Refusal `request_malformed`. */
export function openForm({ secrets }: Services, sealed: string): SentForm {
  try {
    return JSON.parse(secrets.decrypt(purpose, Buffer.from(sealed, 'base64url'))) as SentForm;
  } catch {
    throw new Refusal('request_malformed', { detail: 'The form that was kept was changed on its way.' });
  }
}
