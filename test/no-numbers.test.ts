import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { proves } from './requirements.ts';
import { builtRows, mayBeOfType, listOutputPlaces, listPlaces, type Place } from './wire-schemas.ts';
import type { Row } from '#platform/http/row.ts';

const numbersIn = (places: readonly Place[]) =>
  places.filter(({ schema }) => mayBeOfType(schema, 'number', 'integer')).map(({ at }) => at);

const nameOf = ({ method, path }: Row) => `${method} ${path}`;

/** Numbers that others than the member whom they are about may see; each is about something else than a member's traits or matches. */
const harmless: Readonly<Record<string, readonly RegExp[]>> = {
  // How long the caller's own token lives.
  'POST /auth/register': [/^201\.expires_in$/],
  'POST /auth/login': [/^200\.expires_in$/],
  'POST /auth/refresh': [/^200\.expires_in$/],
  'POST /auth/mfa/authenticate': [/^200\.expires_in$/],
  'POST /auth/accept-invitation': [/^201\.expires_in$/],
  'POST /auth/sso/{org_id}/acs': [/^200\.expires_in$/],
  // How many of the caller's own sessions, of the organisation's users, and of the entries that the caller may read.
  'GET /auth/sessions': [/^200\.pagination\.total_count$/],
  'GET /orgs/me/users': [/^200\.pagination\.total_count$/],
  'GET /audit-log': [/^200\.pagination\.total_count$/],
  // What an organisation's people say together about the organisation, and how many of them it takes.
  'GET /orgs/me/culture-profile': [/^200\.(version|respondents)$/, /^200\.(braving|cvf)\.\w+$/],
  'GET /orgs/me/culture-profile/questionnaire': [/^200\.(minimum_respondents|respondents_missing)$/],
  'POST /orgs/me/culture-profile/responses': [/^201\.(profile_version|respondents_missing)$/],
  // How long the certificates of the organisation's own sign-in service live.
  'POST /orgs/{org_id}/sso/configure': [/^200\.idp_certificates\[\]\.days_left$/],
  'GET /orgs/{org_id}/sso/configuration': [/^200\.idp_certificates\[\]\.days_left$/],
  // What the organisation itself asked for in its job, or may ask for.
  'POST /orgs/me/jobs': [
    /^201\.(salary_min|salary_max|constraints\.years_experience_min)$/,
    /^201\.trait_priorities\.\w+$/,
  ],
  'GET /orgs/me/jobs': [
    /^200\.data\[\]\.(salary_min|salary_max|constraints\.years_experience_min)$/,
    /^200\.data\[\]\.trait_priorities\.\w+$/,
    /^200\.pagination\.total_count$/,
  ],
  'GET /orgs/me/jobs/{job_id}': [
    /^200\.(salary_min|salary_max|constraints\.years_experience_min)$/,
    /^200\.trait_priorities\.\w+$/,
  ],
  'GET /job-templates': [/^200\.data\[\]\.trait_priorities\.\w+$/, /^200\.pagination\.total_count$/],
  'PATCH /orgs/me/jobs/{job_id}': [
    /^200\.(salary_min|salary_max|constraints\.years_experience_min)$/,
    /^200\.trait_priorities\.\w+$/,
  ],
  // How many matches there are; none of them has a number.
  'GET /orgs/me/matches': [/^200\.pagination\.total_count$/],
  'GET /matches/job/{job_id}': [/^200\.pagination\.total_count$/],
  'GET /matches/member/{member_id}': [/^200\.pagination\.total_count$/],
  'GET /orgs/me/jobs/{job_id}/matches': [/^200\.pagination\.total_count$/],
  // How much of a member was measured, never what; and how often a credential was verified.
  'POST /credentials/issue': [/^201\.(claims\.trait_coverage|verifications)$/],
  'GET /credentials/': [/^200\.pagination\.total_count$/],
  'GET /credentials/{credential_id}': [/^200\.(claims\.trait_coverage|verifications)$/],
  'POST /credentials/{credential_id}/revoke': [/^200\.(claims\.trait_coverage|verifications)$/],
  'GET /credentials/{credential_id}/verify': [/^200\.credential\.claims\.trait_coverage$/],
  'GET /credentials/verify': [/^200\.credential\.claims\.trait_coverage$/],
  // How far the caller's own task is.
  'GET /tasks/{task_id}': [/^200\.progress\.(done|total)$/],
};

describe('no reply about matches has a number but the count of its list:', () => {
  const aboutMatches = builtRows.filter(
    ({ path, operation }) =>
      (/match/.test(path) || operation!.name.startsWith('matching.')) &&
      // What the caller asks of jobs, given back as it was sent.
      path !== '/members/me/matching-preferences',
  );

  it.each(aboutMatches.map((row) => [nameOf(row), row] as const))('%s', (_, row) => {
    proves('match-members-see-tier-labels-only');
    expect(numbersIn(listOutputPlaces(row)).filter((at) => !at.endsWith('.pagination.total_count'))).toEqual(
      [],
    );
  });

  it.each(aboutMatches.map((row) => [nameOf(row), row] as const))(
    '%s says how good a match is by a label of a closed list',
    (_, row) => {
      const labels = listOutputPlaces(row).filter(({ name }) => /quality|tier|confidence|status/.test(name));
      expect(labels.filter(({ schema }) => !Array.isArray(schema['enum'])).map(({ at }) => at)).toEqual([]);
    },
  );

  it('is about the rows that there are', () => {
    expect(aboutMatches.map(nameOf)).toEqual(
      expect.arrayContaining([
        'GET /members/me/matches',
        'GET /orgs/me/jobs/{job_id}/matches',
        'GET /matches/{match_id}',
      ]),
    );
  });
});

describe('a number leaves towards nobody but the member whom it is about, or is on the list of harmless ones:', () => {
  const seenByOthers = builtRows.filter(({ operation }) => [operation!.who].flat().join() !== 'member');

  it.each(seenByOthers.map((row) => [nameOf(row), row] as const))('%s', (name, row) => {
    const allowed = harmless[name] ?? [];
    expect(
      numbersIn(listOutputPlaces(row)).filter((at) => !allowed.some((expression) => expression.test(at))),
    ).toEqual([]);
  });

  it('the list names no row or number that is not there', () => {
    for (const [name, expressions] of Object.entries(harmless)) {
      const row = seenByOthers.find((each) => nameOf(each) === name);
      const numbers = row ? numbersIn(listOutputPlaces(row)) : [];
      expect([name, expressions.filter((expression) => !numbers.some((at) => expression.test(at)))]).toEqual([
        name,
        [],
      ]);
    }
  });
});

describe('the walk', () => {
  it('sees numbers wherever they hide', () => {
    const label = Type.Enum(['strong', 'weak']);
    const hiding = {
      score: Type.Number(),
      rank: Type.Optional(Type.Integer()),
      maybe: Type.Union([Type.Null(), Type.Object({ inner: Type.Array(Type.Number()) })]),
      nullable: Type.Unsafe({ type: ['integer', 'null'] }),
      listed: Type.Unsafe({ enum: ['a', 1] }),
      constant: Type.Literal(3),
      anything: Type.Unknown(),
      map: Type.Unsafe({ type: 'object', additionalProperties: { type: 'number' } }),
    };
    const all = listPlaces(Type.Object({ label, text: Type.String(), ...hiding }));
    expect(numbersIn(all)).toEqual([
      '.score',
      '.rank',
      '.maybe.inner[]',
      '.nullable',
      '.listed',
      '.constant',
      '.anything',
      '.map.*',
    ]);
  });
});
