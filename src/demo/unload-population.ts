import { createProgressBar, type ProgressOutput } from '#lib/progress-bar.ts';
import { hasUsersOfOrganisation } from '#modules/access/accounts';
import { deleteOrganisationInvitations } from '#modules/matching/candidates';
import { deleteOrganisationOrders } from '#modules/matching/partners';
import { deleteJobs, listJobIds, lockJob } from '#modules/matching/jobs';
import { deleteOrganisationMatches } from '#modules/matching/matches';
import { countSyntheticMembers, markSyntheticMembers } from '#modules/people/members';
import { deleteOrganisation, lockSyntheticOrganisations } from '#modules/organisations/orgs';
import { eraseMemberData } from '#modules/people/rights';
import type { Transaction } from '#platform/database/database.ts';
import type { Platform } from '#platform/platform.ts';

const batch_members = 200;

export type UnloadedPopulation = {
  readonly members: number;
  readonly jobs: number;
  readonly organisations: number;
  /** Organisations that an operator has given users. They lose their jobs and stay. */
  readonly organisations_kept: number;
};

/**
 * Removes what every `demo load` has added: synthetic members with all their data, and synthetic organisations with their jobs and matches,
 * also those with other members. Nothing else changes. An interrupted run is completed by the next one.
 */
export async function unloadPopulation(
  platform: Platform,
  _input: Readonly<Record<string, string>> = {},
  output: ProgressOutput = process.stderr,
): Promise<UnloadedPopulation> {
  const removed = await platform.database.transaction(removeOrganisations);
  const total = await countSyntheticMembers(platform.database);
  const showProgress = createProgressBar('members', output);
  let members = 0;
  for (let erased = batch_members; erased === batch_members;) {
    showProgress(Math.min(members, total), total);
    erased = await platform.database.transaction((tx) => eraseBatch(platform, tx));
    members += erased;
  }
  showProgress(total, total);
  return { members, ...removed };
}

async function removeOrganisations(tx: Transaction): Promise<Omit<UnloadedPopulation, 'members'>> {
  const org_ids = await lockSyntheticOrganisations(tx);
  let [jobs, kept] = [0, 0];
  for (const org_id of org_ids) {
    const job_ids = await listJobIds(tx, org_id);
    // No computation stores matches from then on.
    for (const job_id of job_ids) await lockJob(tx, job_id);
    await deleteOrganisationMatches(tx, org_id, job_ids);
    await deleteOrganisationOrders(tx, org_id);
    await deleteOrganisationInvitations(tx, org_id);
    await deleteJobs(tx, job_ids);
    jobs += job_ids.length;
    if (await hasUsersOfOrganisation(tx, org_id)) kept++;
    else await deleteOrganisation(tx, org_id);
  }
  return { jobs, organisations: org_ids.length - kept, organisations_kept: kept };
}

/** Erases one batch. @returns how many members it erased. */
async function eraseBatch(platform: Platform, tx: Transaction): Promise<number> {
  const member_ids = await markSyntheticMembers(tx, batch_members);
  for (const member_id of member_ids) await eraseMemberData(platform, tx, member_id);
  return member_ids.length;
}
