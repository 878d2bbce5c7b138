import { randomUUID } from 'node:crypto';
import { sql } from '#platform/database/database.ts';
import type { NewFinding } from '../../src/modules/measurement/traits/parameters/findings.ts';
import type { TestApp } from '../harness.ts';

/** Stores a finding about statements, by default that one is weak. @returns its id. */
export async function insertFinding(
  app: TestApp,
  { kind = 'weak', item_ids = ['sincerity_03'], size = 0.4, ...about }: Partial<NewFinding> = {},
): Promise<string> {
  const { subject = '', compared_with = '', answered = 400 } = about;
  const id = randomUUID();
  await app.sql.run(sql`
    insert into item_findings (id, kind, item_ids, subject, compared_with, size, answered, respondents, parameter_version, found_at)
    values (${id}, ${kind}, ${item_ids}::text[], ${subject}, ${compared_with}, ${size}, ${answered}, 800, 'mvp20-2.0000000000000000',
      ${app.clock.now()})`);
  return id;
}

export async function clearFindings(app: TestApp): Promise<void> {
  await app.sql.run(sql`delete from item_findings`);
}
