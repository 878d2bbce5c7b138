import { randomUUID } from 'node:crypto';
import { Type } from 'typebox';
import { recordCallerAudit } from '#modules/operations/audit';
import { recordConsentFact } from '#modules/people/members';
import { operation } from '#platform/operation.ts';
import { consentWithdrawn } from './events.ts';
import { doesEndApprovals } from './rules.ts';
import { insertDisapprovals } from './store-categories.ts';
import { insertConsentRecord } from './store.ts';
import { consentResource } from './resource.ts';

export const recordConsent = operation({
  name: 'consent.recordConsent',
  summary: 'Grants or withdraws one type of consent. Each decision adds a record and changes no earlier one.',
  who: ['member'],
  input: Type.Object(consentResource.createInput),
  output: { 201: consentResource.wire },
  location: () => '/members/me/consent',
  refuses: ['member_not_found'],
  idempotent: true,
  tools: [
    {
      name: 'set_consent',
      title: 'Give or withdraw a consent',
      kind: 'write',
      roles: ['member'],
      consent: 'Give and withdraw consents in your name',
      isDestructive: true,
      isIdempotent: true,
      description:
        'Gives or withdraws one consent in the person’s name, with effect at once. Withdrawing may end matches and credentials that depend on it. Tell the person what the consent means and ask them before every call.',
    },
  ],
  run: (context, { consent_type, granted, version }) =>
    context.transaction(async (tx) => {
      const { member_id } = context.caller;
      await recordConsentFact(context, tx, member_id, consent_type, granted);
      const record = {
        id: randomUUID(),
        member_id,
        consent_type,
        granted,
        version,
        created_at: context.now(),
      };
      insertConsentRecord(tx, record);
      if (!granted) await context.queue.emit(tx, consentWithdrawn, { member_id, consent_type });
      if (doesEndApprovals(consent_type, granted)) await insertDisapprovals(tx, member_id, context.now());
      await recordCallerAudit(context, tx, {
        action: granted ? 'consent.granted' : 'consent.withdrawn',
        member_id,
        detail: { consent_type, version },
      });
      return consentResource.toWire(record);
    }),
});
