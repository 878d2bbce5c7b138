import { Type } from 'typebox';
import { orgRoles } from '#lib/caller.ts';
import { buildPageSchema, pageQuery, readPage } from '#platform/database/paging.ts';
import { operation } from '#platform/operation.ts';
import { buildPrefixQuery } from '../rules.ts';
import { templateWire, toTemplateWire } from '../wire.ts';
import { countFoundTemplates, listFoundTemplates, type TemplatePlace } from './store.ts';

export const searchTemplates = operation({
  name: 'jobs.searchTemplates',
  summary:
    'Searches job templates, which are trait priorities by occupation. The best matches for the query are first.',
  // The ratings are public, and a visitor tries a job with them before an account.
  who: 'anyone',
  input: Type.Object({
    query: Type.Optional(
      Type.String({
        maxLength: 200,
        pattern: '^[^\\u0000]*$',
        description:
          'Words or beginnings of words. Supports "exact phrases", OR and -exclusion. Without a query, all templates are listed by code.',
        examples: ['water quality'],
      }),
    ),
    ...pageQuery,
  }),
  output: { 200: buildPageSchema(templateWire) },
  refuses: ['cursor_invalid'],
  tools: [
    {
      name: 'search_job_templates',
      title: 'Search job templates',
      kind: 'read',
      roles: orgRoles,
      consent: 'Search job templates',
      description:
        'Searches trait priorities by occupation, which are based on evidence. Use the best result as trait_priorities of create_job.',
    },
  ],
  run: (context, { query = '', limit, cursor }) => {
    const { database } = context;
    const search = { query, prefixes: buildPrefixQuery(query) };
    return readPage(
      context,
      { name: 'jobs.searchTemplates', filter: { query }, limit, cursor },
      {
        list: (after: TemplatePlace | undefined, rows_max) =>
          listFoundTemplates(database, search, after, rows_max),
        count: () => countFoundTemplates(database, search),
        getPlace: ({ rank, onet_code }): TemplatePlace => [rank, onet_code],
        toItem: toTemplateWire,
      },
    );
  },
});
