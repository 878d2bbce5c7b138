import { readAssertion, type Assertion } from './assertion.ts';
import { checkResponseForm, type Envelope } from './response-form.ts';
import type { ParseTime } from './saml.ts';
import { verifyAssertion, type IdentityProvider, type ServiceProvider } from './signatures.ts';

/** What a response is verified with. */
export type Verification = {
  readonly provider: IdentityProvider;
  readonly service: ServiceProvider;
  readonly parseTime: ParseTime;
};

/** The assertion is authenticated; the envelope is only if `signs.response` says so. */
export type VerifiedResponse = { readonly envelope: Envelope; readonly assertion: Assertion };

/**
 * Checks the form of a response, verifies its signatures with the keys of the provider only, and reads the assertion from exactly the text that was verified.
 * It compares no issuer, address, request or time, and does not know which assertions were used: the caller does.
 *
 * @param xml At most a few hundred KiB: the caller limits the size.
 * @throws SamlError
 */
export async function verifyResponse(
  xml: string,
  { provider, service, parseTime }: Verification,
): Promise<VerifiedResponse> {
  const envelope = checkResponseForm(xml);
  const verified = await verifyAssertion(xml, envelope, provider, service);
  return { envelope, assertion: readAssertion(verified, parseTime) };
}
