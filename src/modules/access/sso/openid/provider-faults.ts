import { Refusal } from '#lib/refusal.ts';
import { OutboundError } from '#platform/outbound/outbound.ts';
import { ProviderFault } from './connect-provider.ts';

/** Whether an error says that a provider cannot be asked, and not that this service has a defect. */
export function isProviderFault(error: unknown): error is ProviderFault | OutboundError {
  return error instanceof ProviderFault || error instanceof OutboundError;
}

/** The refusal of a login whose provider cannot be asked. */
export function createUnavailableRefusal(fault: ProviderFault | OutboundError): Refusal {
  return new Refusal('sso_provider_unavailable', {
    detail: `The identity provider ${fault.message}.`,
    headers: { 'retry-after': '60' },
  });
}
