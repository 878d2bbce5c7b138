import { randomUUID } from 'node:crypto';
import { Type } from 'typebox';
import { Refusal } from '#lib/refusal.ts';
import { lockOrganisation } from '#modules/organisations/orgs';
import { operation } from '#platform/operation.ts';
import { views_max } from './rules.ts';
import { listViews, upsertView } from './store.ts';
import { viewInput, viewWire } from './wire.ts';

export const saveView = operation({
  name: 'matches.saveView',
  title: 'Save a view',
  summary:
    'Saves a filter and an order of tables for everybody in the organisation. A view with the same name is replaced and keeps its id.',
  who: ['org_admin'],
  input: Type.Object(viewInput),
  output: { 200: viewWire },
  refuses: ['organisation_not_found', 'view_limit_reached'],
  run: (
    context,
    { name, status = null, quality = null, waits_for = null, label = null, is_new = false, sort = 'fit' },
  ) =>
    context.transaction(async (tx) => {
      const { org_id } = context.caller;
      if (!(await lockOrganisation(tx, org_id))) throw new Refusal('organisation_not_found');
      const views = await listViews(tx, org_id);
      if (views.length >= views_max && !views.some((view) => view.name === name))
        throw new Refusal('view_limit_reached');
      return upsertView(tx, org_id, {
        id: randomUUID(),
        name,
        status,
        quality,
        waits_for,
        label,
        is_new,
        sort,
      });
    }),
});
