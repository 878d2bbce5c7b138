import fc from 'fast-check';
import { expect, test } from 'vitest';
import { startApp, type TestApp } from '#test/harness.ts';
import type { TestMember } from '#test/users.ts';
import { proves } from '#test/requirements.ts';
import {
  listForms,
  createCredential,
  requestRevocation,
  requestVerification,
  type IssuedCredential,
} from '#test/modules/credentials.ts';

/** The expected state of each credential, which says whether it must verify. */
type Model = { readonly credentials: { readonly expires_at_ms: number; revoked: boolean }[] };
type Real = {
  readonly app: TestApp;
  readonly member: TestMember;
  readonly credentials: IssuedCredential[];
};
type Command = fc.AsyncCommand<Model, Real>;

const computeExpectedStatus = ({ credentials }: Model, index: number, { app }: Real) => {
  const { expires_at_ms, revoked } = credentials[index]!;
  if (revoked) return 'revoked';
  return app.clock.now().getTime() < expires_at_ms ? 'active' : 'expired';
};

/** A command on one of the issued credentials. */
function createCredentialCommand(
  pick: number,
  name: string,
  run: (model: Model, real: Real, index: number) => Promise<void>,
): Command {
  return {
    check: ({ credentials }) => credentials.length > 0,
    run: (model, real) => run(model, real, pick % model.credentials.length),
    toString: () => `${name}(${pick})`,
  };
}

function createCommand(name: string, run: (model: Model, real: Real) => Promise<void>): Command {
  return { check: () => true, run, toString: () => name };
}

const issue = (expiry_days: number) =>
  createCommand(`issue(${expiry_days})`, async (model, real) => {
    const credential = await createCredential(real.app, real.member.token, { expiry_days });
    real.credentials.push(credential);
    model.credentials.push({ expires_at_ms: Date.parse(credential.expires_at), revoked: false });
  });

const revokeOne = (pick: number) =>
  createCredentialCommand(pick, 'revoke', async (model, real, index) => {
    const { status, body } = await requestRevocation(
      real.app,
      real.member.token,
      real.credentials[index]!.id,
    );
    model.credentials[index]!.revoked = true;
    expect([status, body.status]).toEqual([200, 'revoked']);
  });

const wait = (hours: number) =>
  createCommand(`wait(${hours} h)`, async (_model, { app }) => app.clock.advance(hours * 3_600_000));

const rotate = createCommand('rotate', async (_model, { app }) => {
  await app.platform.keys.rotate('credential');
});

const verifyOne = (pick: number, form: number) =>
  createCredentialCommand(pick, `verify form ${form} of `, async (model, real, index) => {
    const { body } = await requestVerification(real.app, listForms(real.credentials[index]!)[form]!);
    expect(body.checks.signature).toBe('passed');
    expect(body.valid).toBe(computeExpectedStatus(model, index, real) === 'active');
    expect(body.checks.revocation).toBe(model.credentials[index]!.revoked ? 'revoked' : 'passed');
  });

const verifyById = (pick: number) =>
  createCredentialCommand(pick, 'verifyById', async (model, real, index) => {
    const { body } = await real.app.request('GET', `/credentials/${real.credentials[index]!.id}/verify`);
    const status = computeExpectedStatus(model, index, real);
    expect([body.status, body.valid]).toEqual([status, status === 'active']);
  });

const list = (status: 'active' | 'revoked' | 'expired') =>
  createCommand(`list(${status})`, async (model, real) => {
    const { token } = real.member;
    const { body } = await real.app.request('GET', `/credentials/?limit=100&status=${status}`, { token });
    const expected = real.credentials.filter(
      (_, index) => computeExpectedStatus(model, index, real) === status,
    );
    expect(new Set(body.data.map(({ id }: { id: string }) => id))).toEqual(
      new Set(expected.map(({ id }) => id)),
    );
  });

test('after any sequence of commands, exactly the active credentials verify, in every form and with every key', async () => {
  proves('credential-statuses', 'credential-verify-by-id-checks-signature-expiry-revocation');
  const app = await startApp({ TESSERA_ACCESS_TOKEN_SECONDS: '99999999' });
  const commands = [
    fc.integer({ min: 1, max: 3 }).map(issue),
    fc.nat(50).map(revokeOne),
    fc.integer({ min: 1, max: 30 }).map(wait),
    fc.constant(rotate),
    fc.tuple(fc.nat(50), fc.nat(2)).map(([pick, form]) => verifyOne(pick, form)),
    fc.tuple(fc.nat(50), fc.nat(2)).map(([pick, form]) => verifyOne(pick, form)),
    fc.nat(50).map(verifyById),
    fc.constantFrom('active' as const, 'revoked' as const, 'expired' as const).map(list),
  ];
  await fc.assert(
    fc.asyncProperty(fc.commands(commands, { maxCommands: 40, size: 'max' }), async (run) => {
      const member = await app.registerMember();
      const createState = () => ({ model: { credentials: [] }, real: { app, member, credentials: [] } });
      await fc.asyncModelRun(createState, run);
    }),
    { numRuns: 25, seed: 20_260_302 },
  );
});
