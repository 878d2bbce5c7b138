import { Type } from 'typebox';
import { buildPageSchema, pageQuery, readPage } from '#platform/database/paging.ts';
import { operation } from '#platform/operation.ts';
import { field, text, uuid } from '#platform/schema.ts';
import { sampleIds } from '#platform/schema-samples.ts';
import {
  organisationTiers,
  countFoundOrganisations,
  listFoundOrganisations,
  type OrganisationPlace,
} from '#modules/organisations/orgs';
import { foundOrganisationWire, toFoundWire } from './wire.ts';

export const searchOrganisations = operation({
  name: 'operator.searchOrganisations',
  title: 'Search organisations',
  summary: 'Lists organisations in the order of their names.',
  who: ['platform_admin'],
  input: Type.Object({
    name: Type.Optional(
      field(text(200), 'Only names that begin with this text. Case does not matter.', 'River'),
    ),
    id: Type.Optional(field(uuid, 'Only the organisation with this id.', sampleIds.organisation)),
    tier: Type.Optional(
      field(Type.Enum(organisationTiers), 'Only organisations of this tier.', 'E2 Builder'),
    ),
    suspended: Type.Optional(
      field(
        Type.Boolean(),
        'Only organisations that are suspended (true), or only those that are not (false).',
        true,
      ),
    ),
    ...pageQuery,
  }),
  output: { 200: buildPageSchema(foundOrganisationWire) },
  refuses: ['cursor_invalid'],
  run: (context, { limit, cursor, ...search }) => {
    const { database } = context;
    return readPage(
      context,
      { name: 'operator.searchOrganisations', filter: search, limit, cursor },
      {
        list: (after: OrganisationPlace | undefined, rows_max) =>
          listFoundOrganisations(database, search, after, rows_max),
        count: () => countFoundOrganisations(database, search),
        getPlace: ({ name_key, id }): OrganisationPlace => [name_key, id],
        toItem: toFoundWire,
      },
    );
  },
});
