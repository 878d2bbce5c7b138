import type { OperationInput } from '#platform/operation.ts';
import type * as auth from '#modules/access/accounts';
import { createFieldRefusal } from '#lib/refusal.ts';
import { html, type Html } from '../serving/html.ts';
import type { Visit } from '../serving/page.ts';
import { renderForm, type Form } from './form.ts';

type PasskeyForm = {
  /** Whether the browser creates a passkey or uses one. */
  readonly ask: 'create' | 'get';
  /** The options for the browser, from the API. */
  readonly public_key: object;
  /** Offers passkeys in the field of the email address as well. */
  readonly autofill?: true;
  readonly form: Form;
};

/** Renders a form whose field `passkey` a script fills in with the answer of the browser. Without scripts it is not shown. */
export function renderPasskeyForm(visit: Visit, { ask, public_key, autofill, form }: PasskeyForm): Html {
  const { cancelled, known, unsupported } = visit.texts.passkeyForms;
  return renderForm(visit, {
    ...form,
    hidden: { ...form.hidden, passkey: '' },
    attributes: html`data-passkey="${ask}" data-options="${JSON.stringify(public_key)}"
    data-cancelled="${cancelled}" data-known="${known}" data-unsupported="${unsupported}"
    ${autofill && 'data-autofill'}`,
    after: html`${form.after}<span class="passkey-message" role="alert" hidden></span>`,
  });
}

/** The operations that take a passkey check which of the two it is. */
type AnyPasskey = OperationInput<typeof auth.authenticatePasskey>['passkey'] &
  OperationInput<typeof auth.addPasskey>['passkey'];

/** Reads the answer of the browser from a form. The operation checks what is in it. @throws Refusal `passkey_refused`. */
export function readPasskey(text: string): AnyPasskey {
  try {
    return JSON.parse(text) as AnyPasskey;
  } catch {
    throw createFieldRefusal('passkey_refused', '/passkey', 'must be the answer of the browser');
  }
}
