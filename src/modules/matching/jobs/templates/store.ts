import { emptySql, sql, type Reader, type Statement, type Transaction } from '#platform/database/database.ts';
import type { JobTemplate } from './template-priorities.ts';

/** Adds templates and replaces those with the same codes. The codes must be distinct. */
export async function upsertTemplates(tx: Transaction, templates: readonly JobTemplate[]): Promise<void> {
  await tx.run(sql`
    insert into job_templates (onet_code, title, description, trait_priorities)
    select * from unnest(
      ${templates.map((template) => template.onet_code)}::text[], ${templates.map((template) => template.title)}::text[],
      ${templates.map((template) => template.description)}::text[],
      ${templates.map((template) => JSON.stringify(template.trait_priorities))}::jsonb[])
    on conflict (onet_code) do update set
      title = excluded.title, description = excluded.description, trait_priorities = excluded.trait_priorities`);
}

const templates_max = 10_000;

/** Lists all templates by code. */
export function listTemplates(db: Reader): Promise<JobTemplate[]> {
  return db.list(sql<JobTemplate>`
    select onet_code, title, description, trait_priorities from job_templates order by onet_code limit ${templates_max}`);
}

/** A search: the text as typed, and its word prefixes as a `tsquery`, empty if only whole words are searched. */
export type TemplateSearch = { readonly query: string; readonly prefixes: string };

export type FoundTemplate = JobTemplate & { readonly rank: number };

/** The position of a template in the list: its rank and code. */
export type TemplatePlace = readonly [rank: number, onet_code: string];

/** Lists the templates that match the search, the best first; all templates by code if the query is blank. */
export function listFoundTemplates(
  db: Reader,
  search: TemplateSearch,
  after: TemplatePlace | undefined,
  limit: number,
): Promise<FoundTemplate[]> {
  const from = after
    ? sql`where rank < ${after[0]}::real or (rank = ${after[0]}::real and onet_code > ${after[1]})`
    : emptySql;
  return db.list(sql<FoundTemplate>`
    select onet_code, title, description, trait_priorities, rank from (
      select onet_code, title, description, trait_priorities, ${buildRankExpression(search)} as rank from job_templates where ${buildTemplateCondition(search)}
    ) as found ${from} order by rank desc, onet_code limit ${limit}`);
}

export function countFoundTemplates(db: Reader, search: TemplateSearch): Promise<number> {
  return db.count(
    sql<{ count: number }>`select count(*) from job_templates where ${buildTemplateCondition(search)}`,
  );
}

function buildRankExpression(search: TemplateSearch): Statement {
  return isBlank(search) ? sql`0::real` : sql`ts_rank(search, ${buildTsquery(search)})`;
}

function buildTemplateCondition(search: TemplateSearch): Statement {
  return isBlank(search) ? sql`true` : sql`search @@ ${buildTsquery(search)}`;
}

function isBlank({ query }: TemplateSearch): boolean {
  return query.trim() === '';
}

function buildTsquery({ query, prefixes }: TemplateSearch): Statement {
  const words = sql`websearch_to_tsquery('english', ${query})`;
  return prefixes === '' ? words : sql`(${words} || to_tsquery('simple', ${prefixes}))`;
}
