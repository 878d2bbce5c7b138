import { emptySql, sql, type Reader, type Statement, type Transaction } from '#platform/database/database.ts';
import type { JobTemplate } from './template-priorities.ts';

/** Adds templates, and replaces those of the same code. Codes are distinct. */
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

/** All templates by code. */
export function listTemplates(db: Reader): Promise<JobTemplate[]> {
  return db.list(sql<JobTemplate>`
    select onet_code, title, description, trait_priorities from job_templates order by onet_code limit ${templates_max}`);
}

/** What is searched for: the text as it was typed, and its words' beginnings as a `buildTsquery`, empty where only whole words count. */
export type TemplateSearch = { readonly query: string; readonly beginnings: string };

export type FoundTemplate = JobTemplate & { readonly rank: number };

/** Where a page of templates goes on: behind the template of this rank and code. */
export type TemplatePlace = readonly [rank: number, onet_code: string];

/** Templates that speak of the search, the best first; all of them by code where the query is blank. */
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

export async function countFoundTemplates(db: Reader, search: TemplateSearch): Promise<number> {
  const { count } = await db.one(
    sql<{ count: number }>`select count(*) from job_templates where ${buildTemplateCondition(search)}`,
  );
  return count;
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

function buildTsquery({ query, beginnings }: TemplateSearch): Statement {
  const words = sql`websearch_to_tsquery('english', ${query})`;
  return beginnings === '' ? words : sql`(${words} || to_tsquery('simple', ${beginnings}))`;
}
