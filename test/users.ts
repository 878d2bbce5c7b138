import { randomBytes } from 'node:crypto';
import type { TestReply, FakeClock, TestRequest } from './harness.ts';
import { sql } from '#platform/database/database.ts';
import { buildTraitVector, continuousTraits, traitCodes } from '#modules/measurement/traits';
import type { Platform } from '#platform/platform.ts';
import { sendPatiently } from './send-patiently.ts';

export type TestUser = {
  readonly token: string;
  readonly user_id: string;
  readonly email: string;
  readonly password: string;
};
export type TestMember = TestUser & { readonly member_id: string };
export type TestOrgUser = TestUser & { readonly org_id: string };

/** The users of a test, registered through the API. */
export type TestUsers = {
  registerMember(overrides?: { email?: string; name?: string }): Promise<TestMember>;
  /** An administrator of a new organisation, by default with a verified email address. */
  registerOrgAdmin(overrides?: {
    email?: string;
    name?: string;
    is_verified?: boolean;
  }): Promise<TestOrgUser>;
  registerPlatformAdmin(): Promise<TestUser>;
  /** A member at engagement level 4 with a measured trait vector: 20 latent means and variances in slot order. */
  registerDeployedMember(measured?: {
    mean?: readonly number[];
    variance?: readonly number[];
  }): Promise<TestMember>;
};

export const password = 'Correct-Horse-7-Battery';

type Send = (method: string, path: string, request?: TestRequest) => Promise<TestReply>;

export function createTestUsers(platform: Platform, sendOnce: Send, clock: FakeClock): TestUsers {
  const { database } = platform;
  const send: Send = (...request) => sendPatiently(() => sendOnce(...request));
  let organisations = 0;
  const registerUser = async (role: string, { email = createEmail(), name = 'Test Person' } = {}) => {
    const { status, body } = await send('POST', '/auth/register', { body: { email, password, name, role } });
    if (status !== 201) throw new Error(`the registration failed with ${status}: ${JSON.stringify(body)}`);
    return { token: body.access_token as string, user_id: body.user.id as string, email, password };
  };
  const registerMember: TestUsers['registerMember'] = async (overrides) => {
    const user = await registerUser('member', overrides);
    const { member_id } = await database.one(
      sql<{ member_id: string }>`select member_id from users where id = ${user.user_id}`,
    );
    return { ...user, member_id };
  };
  return {
    registerMember,
    registerOrgAdmin: async ({ is_verified = true, ...overrides } = {}) => {
      // Each by a name of its own: those of organisations that have proven a domain are protected.
      const user = await registerUser('org_admin', {
        name: `Test Organisation ${toLetters(++organisations)}`,
        ...overrides,
      });
      // Without a verified address, an organisation sees no matches.
      const { org_id } = await database.one(sql<{ org_id: string }>`
        update users set email_verified_at = ${is_verified ? clock.now() : null} where id = ${user.user_id} returning org_id`);
      return { ...user, org_id };
    },
    registerPlatformAdmin: async () => {
      const user = await registerMember();
      await database.run(
        sql`update users set role = 'platform_admin', member_id = null where id = ${user.user_id}`,
      );
      const { body } = await send('POST', '/auth/login', { body: { email: user.email, password } });
      return { ...user, token: body.access_token as string };
    },
    registerDeployedMember: async ({ mean = Array(20).fill(0), variance = Array(20).fill(0.15) } = {}) => {
      const member = await registerMember();
      const { member_id, token } = member;
      await database.run(
        sql`update members set email_verified = true, assessment_phase = 'complete' where id = ${member_id}`,
      );
      const pickContinuous = (slots: readonly number[]) =>
        continuousTraits.map((trait) => slots[traitCodes.indexOf(trait)]!);
      const posterior = { mean: pickContinuous(mean), variance: pickContinuous(variance) };
      const vector = JSON.stringify(buildTraitVector(posterior, []));
      await database.run(sql`
        insert into trait_vectors (member_id, version, item_bank_version, provisional, vector, latent_mean, latent_variance, created_at)
        values (${member_id}, 1, 'test', false, ${vector}::jsonb, ${mean}, ${variance}, ${clock.now()})`);
      for (const consent_type of ['assessment_data', 'matching'])
        await send('POST', '/members/me/consent', {
          token,
          body: { consent_type, granted: true, version: '1.0' },
        });
      await send('PUT', '/members/me/profile', { token, body: filledProfile });
      return member;
    },
  };
}

/** Logs a user in whose access token has expired. @returns a new token. */
export async function logInAgain(
  app: { readonly request: Send },
  { email, password }: Pick<TestUser, 'email' | 'password'>,
): Promise<string> {
  const { status, body } = await app.request('POST', '/auth/login', { body: { email, password } });
  if (status !== 200) throw new Error(`the login failed with ${status}`);
  return body.access_token;
}

export const filledProfile = {
  current_industry: 'health',
  years_experience: 7,
  education_level: 'bachelors',
  location_country: 'AU',
  location_state: 'NSW',
};

export function createEmail(): string {
  return `p${randomBytes(6).toString('hex')}@example.org`;
}

const unlikeLetters = 'BCDFGHKP';

/**
 * Counts in letters, because a digit in a reply to an organisation could be a number about a person. No two of them look alike, because the name of
 * an organisation must not read like another one.
 */
function toLetters(count: number): string {
  return count.toString(unlikeLetters.length).replaceAll(/./g, (digit) => unlikeLetters[Number(digit)]!);
}
