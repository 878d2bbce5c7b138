import { nil_uuid } from '#lib/nil-uuid.ts';
import { createFieldRefusal, Refusal } from '#lib/refusal.ts';
import type { Reader } from '#platform/database/database.ts';
import type { Services } from '#platform/platform.ts';
import type { Organisation } from '../resource.ts';
import { isVerifiedByName } from '../domains/check-domain-holder.ts';
import { hasProvenDomain } from '../domains/store.ts';
import { computeNameSkeleton } from '#lib/text/look-alikes.ts';
import { findNameFault, listNamedHosts, namesake_reason } from './rules.ts';
import { listNamesakes, listProvenTexts } from './store.ts';

type NamedOrganisation = Pick<Organisation, 'id' | 'name'>;

/**
 * Checks a name that an organisation chooses: it must not be taken for this service, or for an organisation that has proven its domain.
 *
 * @param id The organisation; undefined for a new one.
 * @throws Refusal `organisation_name_taken`, or `field_invalid` for a word of several alphabets.
 */
export async function checkOrganisationName(
  services: Pick<Services, 'config'>,
  db: Reader,
  { id = nil_uuid, name }: { readonly id?: string; readonly name: string },
): Promise<void> {
  const fault = findNameFault(name, new URL(services.config.publicUrl).host);
  if (fault) throw createFieldRefusal(fault.code, '/name', fault.reason);
  if (await hasProvenNamesake(services, db, { id, name }))
    throw createFieldRefusal('organisation_name_taken', '/name', namesake_reason);
}

/**
 * Checks the name under which an organisation writes to strangers. It may have been chosen before another organisation proved its domain, or before names
 * were checked; one that has proven a domain itself is known by that.
 *
 * @throws Refusal `organisation_name_taken`.
 */
export async function checkSenderName(
  services: Pick<Services, 'config'>,
  db: Reader,
  organisation: NamedOrganisation,
): Promise<void> {
  if (await hasProvenDomain(db, organisation.id)) return;
  const fault = findNameFault(organisation.name, new URL(services.config.publicUrl).host);
  const reason =
    fault?.reason ?? ((await hasProvenNamesake(services, db, organisation)) ? namesake_reason : undefined);
  if (reason !== undefined)
    throw new Refusal('organisation_name_taken', {
      detail: `Emails would name your organisation, and its name ${reason}, with PATCH /orgs/me, or keep it and prove a domain of yours, with POST /orgs/{org_id}/sso/domains/{domain}/verify or to the operator of this service.`,
    });
}

/**
 * Finds those of some names that would be taken for this service, or for an organisation that has proven a domain: of programs, for example, whose names
 * nobody checks when they are registered.
 */
export async function findImitations(
  { config }: Pick<Services, 'config'>,
  db: Reader,
  names: readonly string[],
): Promise<ReadonlySet<string>> {
  const { host } = new URL(config.publicUrl);
  const skeletons = names.map(computeNameSkeleton);
  const domains = names.flatMap(listNamedHosts);
  const proven = new Set(await listProvenTexts(db, { skeletons, domains }));
  const isImitation = (name: string) =>
    findNameFault(name, host) !== undefined ||
    [computeNameSkeleton(name), ...listNamedHosts(name)].some((text) => proven.has(text));
  return new Set(names.filter(isImitation));
}

/**
 * Whether the name reads like that of another organisation that has proven a domain. Where reserved names count as proven, tests and demonstrations
 * call several organisations the same; a name that is only spelled differently is refused there as well.
 */
async function hasProvenNamesake(
  services: Pick<Services, 'config'>,
  db: Reader,
  { id, name }: NamedOrganisation,
): Promise<boolean> {
  const namesakes = await listNamesakes(db, { org_id: id, name, domains: listNamedHosts(name) });
  return namesakes.some((other) =>
    isVerifiedByName(services, other.domain) ? other.name !== name : other.is_proven,
  );
}
