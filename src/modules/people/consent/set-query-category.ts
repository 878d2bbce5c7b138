import { randomUUID } from 'node:crypto';
import { Type } from 'typebox';
import { Refusal } from '#lib/refusal.ts';
import { recordCallerAudit } from '#modules/operations/audit';
import { lockMember } from '#modules/people/members';
import { checkIfMatch } from '#platform/etag.ts';
import { operation } from '#platform/operation.ts';
import { field } from '#platform/schema.ts';
import { computeLevelFromRecords, mayApprove, queryCategories } from './rules.ts';
import { insertCategoryRecord, listLatestCategories } from './store-categories.ts';
import { listLatestConsents } from './store.ts';
import { queryConsentWire, toQueryConsentWire } from './wire.ts';

export const setQueryCategory = operation({
  name: 'consent.setQueryCategory',
  summary:
    'Approves or disapproves the sale of one category of the caller’s identity data. Requires consent level L2 (selective) or above.',
  who: ['member'],
  input: Type.Object({
    category: field(Type.Enum(queryCategories), 'The category of identity data.'),
    approved: field(Type.Boolean(), 'Whether others may pay for this category.', true),
  }),
  output: { 200: queryConsentWire },
  etag: true,
  refuses: ['consent_level_too_low', 'member_not_found'],
  run: (context, { category, approved }) =>
    context.transaction(async (tx) => {
      const { member_id } = context.caller;
      if (!(await lockMember(tx, member_id))) throw new Refusal('member_not_found');
      const consents = await listLatestConsents(tx, member_id);
      const before = await listLatestCategories(tx, member_id);
      await checkIfMatch(context.request, () => toQueryConsentWire(consents, before));
      if (!mayApprove(computeLevelFromRecords(consents, before))) throw new Refusal('consent_level_too_low');
      const current = before.find((each) => each.category === category)?.approved;
      if (current === approved) return toQueryConsentWire(consents, before);
      const record = { id: randomUUID(), member_id, category, approved, created_at: context.now() };
      await insertCategoryRecord(tx, record);
      await recordCallerAudit(context, tx, {
        action: approved ? 'consent.category_approved' : 'consent.category_disapproved',
        member_id,
        detail: { category },
      });
      return toQueryConsentWire(consents, [...before.filter((each) => each.category !== category), record]);
    }),
});
