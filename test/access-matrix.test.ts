import { beforeAll, describe, expect, it } from 'vitest';
import { additionalRows, specifiedRows } from '../src/api.ts';
import { accessMatrix, type Access } from './access-matrix.ts';
import { castJob, createCast, type Cast } from './cast.ts';
import { unknownId, startApp, type TestReply, type TestApp } from './harness.ts';
import { proves } from './requirements.ts';
import { createCredential } from './modules/credentials.ts';
import { roles, type Role } from '#lib/caller.ts';
import { flushVerifications } from '#modules/credentials';
import { sql } from '#platform/database/database.ts';
import { listPathFields, type Row } from '#platform/http/row.ts';

const rows = [...specifiedRows, ...additionalRows];
const nameOf = ({ method, path }: Row) => `${method} ${path}`;
// Whoever logs out loses the token that the other rows need.
const built = rows
  .filter(({ operation }) => operation)
  .toSorted((one, other) => Number(logsOut(one)) - Number(logsOut(other)));

let app: TestApp;
let cast: Cast;
let ids: Readonly<Record<string, string>>;
/** A session of somebody with whom nobody else here has to do. */
let foreignSession: string;
/** A credential of somebody who is in no other row's way. */
let foreignCredential: string;

beforeAll(async () => {
  app = await startApp();
  cast = await createCast(app);
  foreignSession = (await app.request('GET', '/auth/sessions', { token: cast.theirs.admin.token })).body
    .data[0].id;
  ids = {
    job_id: cast.ours.job_id,
    match_id: await cast.readMatchId(cast.deployed, cast.ours),
    task_id: cast.ours.task_id,
    member_id: cast.deployed.member_id,
    org_id: cast.ours.org_id,
    credential_id: (await createCredential(app, cast.deployed.token)).id,
  };
  foreignCredential = (await createCredential(app, cast.neighbour.token)).id;
});

describe('the golden table', () => {
  it('has the rows of the API, each once, and no other', () => {
    expect(Object.keys(accessMatrix).toSorted()).toEqual(rows.map(nameOf).toSorted());
  });

  it('leaves open to anyone exactly the rows that the specification calls Public', () => {
    proves('surface-auth-column-values');
    for (const row of rows)
      expect([nameOf(row), accessMatrix[nameOf(row)] === 'anyone']).toEqual([
        nameOf(row),
        row.access === 'public',
      ]);
  });

  it('says of every built row who may call it, and the operation says the same', () => {
    const sorted = (access: Access | undefined) => (Array.isArray(access) ? new Set<string>(access) : access);
    for (const row of built)
      expect([nameOf(row), sorted(row.operation!.who)]).toEqual([
        nameOf(row),
        sorted(accessMatrix[nameOf(row)]),
      ]);
  });
});

describe('what belongs to somebody else is answered like what does not exist, by', () => {
  type Who = readonly [
    who: string,
    token: () => string | undefined,
    foreign: () => Promise<Readonly<Record<string, readonly string[]>>>,
  ];

  const people: readonly Who[] = [
    ...(['admin', 'viewer', 'auditor'] as const).map((who): Who => [
      who,
      () => cast.ours[who].token,
      async () => ({
        job_id: [cast.theirs.job_id],
        match_id: [
          await cast.readMatchId(cast.deployed, cast.theirs),
          await cast.readMatchId(cast.neighbour, cast.theirs),
        ],
        task_id: [cast.theirs.task_id, ...(who === 'admin' ? [] : [cast.ours.task_id])],
        user_id: [cast.theirs.viewer.user_id, cast.theirs.admin.user_id, cast.newcomer.user_id],
      }),
    ]),
    [
      'deployed',
      () => cast.deployed.token,
      async () => ({
        match_id: [await cast.readMatchId(cast.neighbour, cast.ours)],
        task_id: [cast.ours.task_id],
        member_id: [cast.neighbour.member_id],
        credential_id: [foreignCredential],
      }),
    ],
    [
      'newcomer',
      () => cast.newcomer.token,
      async () => ({
        match_id: [ids['match_id']!],
        task_id: [cast.ours.task_id],
        member_id: [cast.deployed.member_id],
        credential_id: [foreignCredential],
      }),
    ],
    [
      'platformAdmin',
      () => cast.platformAdmin.token,
      // Every credential is a platform administrator's to see.
      async () => ({ match_id: [ids['match_id']!], task_id: [cast.ours.task_id], credential_id: [] }),
    ],
  ];

  const withIds = built.filter(({ path }) => listPathFields(path).length > 0);

  const admitted = withIds.flatMap((row) =>
    people
      .filter(([who]) => accessMatrix[nameOf(row)]!.includes(roleOf(who)))
      // To a platform administrator, nobody's match is foreign here.
      .filter(([who]) => who !== 'platformAdmin' || row.operation?.name !== 'matching.setMatchStatus')
      .map((person) => [row, person] as const),
  );

  it.each(admitted.map(([row, [who, token, foreign]]) => [nameOf(row), who, row, token, foreign] as const))(
    '%s for %s',
    async (_name, _who, row, token, foreign) => {
      proves('error-not-a-party-refused', 'match-get-only-own-member-or-organisation');
      const [field] = listPathFields(row.path) as [string];
      const absent = await send(row, { [field]: unknownId }, token());
      expect(absent.status).toBe(404);
      for (const id of { session_id: [foreignSession], org_id: [cast.theirs.org_id], ...(await foreign()) }[
        field
      ] ?? []) {
        const answer = await send(row, { [field]: id }, token());
        expect(stripped(answer)).toEqual(stripped(absent));
        expect(Object.keys(answer.headers)).toEqual(Object.keys(absent.headers));
      }
    },
  );

  it('a list has the own rows only, and takes no cursor of somebody else’s list', async () => {
    const { ours, theirs, deployed, neighbour } = cast;
    for (const { admin } of [ours, theirs])
      await app.request('POST', '/orgs/me/jobs', { token: admin.token, body: castJob });
    const lists: readonly (readonly [path: string, token: string, otherPath: string, otherToken: string])[] =
      [
        ['/orgs/me/jobs', ours.admin.token, '/orgs/me/jobs', theirs.admin.token],
        [
          `/orgs/me/jobs/${ours.job_id}/matches`,
          ours.viewer.token,
          `/orgs/me/jobs/${theirs.job_id}/matches`,
          theirs.viewer.token,
        ],
        ['/orgs/me/matches', ours.viewer.token, '/orgs/me/matches', theirs.viewer.token],
        ['/members/me/matches', deployed.token, '/members/me/matches', neighbour.token],
      ];
    for (const [path, token, otherPath, otherToken] of lists) {
      const own = await app.request('GET', `${path}?limit=1`, { token });
      const other = await app.request('GET', `${otherPath}?limit=100`, { token: otherToken });
      const idsOf = ({ body }: TestReply) => body.data.map(({ id }: { id: string }) => id);
      const whole = await app.request('GET', `${path}?limit=100`, { token });
      expect(idsOf(whole).filter((id: string) => idsOf(other).includes(id))).toEqual([]);
      const { next_cursor } = own.body.pagination;
      expect(next_cursor).toEqual(expect.any(String));
      const taken = await app.request('GET', `${otherPath}?cursor=${next_cursor}`, { token: otherToken });
      expect([path, taken.status, taken.body.code]).toEqual([path, 400, 'cursor_invalid']);
    }
  });
});

describe('the service lets in whom the golden table names, and nobody else:', () => {
  const callers = ['anonymous', ...roles] as const;

  it('(and a change would be seen)', async () => {
    const before = await everything();
    await app.request('POST', '/orgs/me/jobs', { token: cast.ours.admin.token, body: castJob });
    const after = await everything();
    expect(Object.keys(after).filter((table) => after[table] !== before[table])).toContain('jobs');
  });

  it.each(built.map((row) => [nameOf(row), row] as const))('%s', async (name, row) => {
    proves('error-missing-role-refused');
    const access = accessMatrix[name]!;
    const refused = callers.filter((caller) => access !== 'anyone' && !access.includes(caller as Role));
    await flushVerifications(app.platform);
    const before = await everything();
    for (const caller of refused) {
      const answer = await send(row, ids, tokenOf(caller));
      const no = caller === 'anonymous' ? [401, 'authentication_required'] : [403, 'role_not_allowed'];
      expect([caller, answer.status, answer.body.code]).toEqual([caller, ...no]);
    }
    expect(await everything(), 'a refusal must change nothing').toEqual(before);
    for (const caller of callers.filter((each) => !refused.includes(each))) {
      const answer = await send(
        row,
        ids,
        leaves(row) && caller === 'member' ? (await app.registerMember()).token : tokenOf(caller),
      );
      expect(['authentication_required', 'role_not_allowed', 'token_invalid']).not.toContain(
        answer.body?.code,
      );
      expect(answer.status).toBeLessThan(500);
    }
  });

  it.each(rows.filter(({ operation }) => !operation).map((row) => [nameOf(row), row] as const))(
    '%s, once it is built',
    async (_, row) => {
      const { status, body } = await send(row, {}, undefined);
      expect([status, body.code]).toEqual([501, 'not_implemented']);
    },
  );
});

function logsOut({ operation }: Row): boolean {
  return operation?.name === 'auth.logOut';
}

/** Whoever asks this is a member no longer, and the other rows need theirs. */
function leaves({ operation }: Row): boolean {
  return ['rights.deleteAccount', 'rights.withdrawAllConsent'].includes(operation?.name ?? '');
}

function roleOf(who: string): Role {
  const organisation: Readonly<Record<string, Role>> = {
    admin: 'org_admin',
    viewer: 'org_viewer',
    auditor: 'auditor',
    platformAdmin: 'platform_admin',
  };
  return organisation[who] ?? 'member';
}

function tokenOf(caller: Role | 'anonymous'): string | undefined {
  const { ours, deployed, platformAdmin } = cast;
  return {
    anonymous: undefined,
    member: deployed.token,
    org_admin: ours.admin.token,
    org_viewer: ours.viewer.token,
    auditor: ours.auditor.token,
    platform_admin: platformAdmin.token,
  }[caller];
}

/** A request without content: a caller is admitted, or not, before the content is read. */
function send(
  { method, path }: Row,
  fields: Readonly<Record<string, string>>,
  token: string | undefined,
): Promise<TestReply> {
  const at = path.replace(/\{(\w+)\}/g, (_, field: string) => fields[field] ?? unknownId);
  return app.request(method, at, {
    ...(token !== undefined && { token }),
    ...(method !== 'GET' && { body: contents[`${method} ${path}`] ?? {} }),
  });
}

/** What must be in a request before anybody looks whose object it is about. */
const contents: Readonly<Record<string, object>> = {
  'PUT /matches/{match_id}/status': { status: 'org_interested' },
  'POST /matches/{match_id}/response': { decision: 'accept' },
  'POST /orgs/{org_id}/sso/configure': { email_domains: ['harbour.example'] },
  'PUT /credentials/{credential_id}/visibility': { visibility: 'private' },
};

function stripped({ status, body }: TestReply) {
  const { request_id: _request, instance: _instance, ...told } = body;
  return { status, told };
}

/** A fingerprint of every table of ours. */
async function everything(): Promise<Readonly<Record<string, string>>> {
  const tables = await app.sql.list(
    sql<{
      table_name: string;
    }>`select table_name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  );
  const prints = await Promise.all(
    tables.map(({ table_name }) =>
      app.sql.one(
        sql<{
          print: string;
        }>`select md5(query_to_xml(${`select * from "${table_name}" order by 1`}, true, false, '')::text) as print`,
      ),
    ),
  );
  return Object.fromEntries(tables.map(({ table_name }, index) => [table_name, prints[index]!.print]));
}
