import { randomBytes } from 'node:crypto';
import type { Answer, FakeClock, Request } from './harness.ts';
import { sql } from '#platform/database/database.ts';
import type { Platform } from '#platform/platform.ts';

export type Person = {
  readonly token: string;
  readonly user_id: string;
  readonly email: string;
  readonly password: string;
};
export type MemberPerson = Person & { readonly member_id: string };
export type OrgPerson = Person & { readonly org_id: string };

/** The people of a test, made through the front door. */
export type People = {
  member(overrides?: { email?: string; name?: string }): Promise<MemberPerson>;
  orgAdmin(overrides?: { email?: string; name?: string }): Promise<OrgPerson>;
  platformAdmin(): Promise<Person>;
  /** A member at engagement level 4 with a measured trait vector: 20 latent means and variances in slot order. */
  deployedMember(measured?: {
    mean?: readonly number[];
    variance?: readonly number[];
  }): Promise<MemberPerson>;
};

export const password = 'Correct-Horse-7-Battery';

type Send = (method: string, path: string, request?: Request) => Promise<Answer>;

export function people(platform: Platform, send: Send, clock: FakeClock): People {
  const { database } = platform;
  const register = async (role: string, { email = someEmail(), name = 'Test Person' } = {}) => {
    const { status, body } = await send('POST', '/auth/register', { body: { email, password, name, role } });
    if (status !== 201) throw new Error(`registration answered ${status}: ${JSON.stringify(body)}`);
    return { token: body.access_token as string, user_id: body.user.id as string, email, password };
  };
  const member: People['member'] = async (overrides) => {
    const person = await register('member', overrides);
    const { member_id } = await database.one(
      sql<{ member_id: string }>`select member_id from users where id = ${person.user_id}`,
    );
    return { ...person, member_id };
  };
  return {
    member,
    orgAdmin: async (overrides) => {
      const person = await register('org_admin', { name: 'Test Organisation', ...overrides });
      const { org_id } = await database.one(
        sql<{ org_id: string }>`select org_id from users where id = ${person.user_id}`,
      );
      return { ...person, org_id };
    },
    platformAdmin: async () => {
      const person = await member();
      await database.run(
        sql`update users set role = 'platform_admin', member_id = null where id = ${person.user_id}`,
      );
      const { body } = await send('POST', '/auth/login', { body: { email: person.email, password } });
      return { ...person, token: body.access_token as string };
    },
    deployedMember: async ({ mean = Array(20).fill(0), variance = Array(20).fill(0.15) } = {}) => {
      const person = await member();
      const { member_id, token } = person;
      await database.run(
        sql`update members set email_verified = true, assessment_phase = 'complete' where id = ${member_id}`,
      );
      await database.run(sql`
        insert into trait_vectors (member_id, version, item_bank_version, vector, latent_mean, latent_variance, created_at)
        values (${member_id}, 1, 'test', '{}', ${mean}, ${variance}, ${clock.now()})`);
      for (const consent_type of ['assessment_data', 'matching'])
        await send('POST', '/members/me/consent', {
          token,
          body: { consent_type, granted: true, version: '1' },
        });
      await send('PUT', '/members/me/profile', { token, body: filledProfile });
      return person;
    },
  };
}

export const filledProfile = {
  current_industry: 'health',
  years_experience: 7,
  education_level: 'bachelors',
  location_country: 'AU',
  location_state: 'NSW',
};

export function someEmail(): string {
  return `p${randomBytes(6).toString('hex')}@example.org`;
}
