import { crc32, deflateSync } from 'node:zlib';
import { claimDomains, recordOperatorProof } from '#modules/organisations/orgs';
import { sql } from '#platform/database/database.ts';
import type { TestApp, TestReply } from '#test/harness.ts';
import type { IssuedCredential } from './credentials.ts';
import { createAcceptedMatch, createMatch, createPlacement, type TestMatch } from './feedback.ts';
import { shiftTime } from '../shift-time.ts';

/** A picture of circles, as a PNG. */
export function createPng(width = 32, height = width): Buffer {
  const rows = Array.from({ length: height }, (_, y) =>
    Buffer.from([0, ...Array.from({ length: width }, (_, x) => computeShade(x / width, y / height))]),
  );
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 8;
  const parts = [
    buildChunk('IHDR', header),
    buildChunk('IDAT', deflateSync(Buffer.concat(rows))),
    buildChunk('IEND'),
  ];
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...parts]);
}

function computeShade(x: number, y: number): number {
  const distance = Math.hypot(x - 0.5, y - 0.5);
  if (distance > 0.48) return 255;
  return Math.floor(distance * 10) % 2 === 0 ? 90 : 190;
}

function buildChunk(type: string, data = Buffer.alloc(0)): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, checksum]);
}

export const achievementDraft = {
  name: 'Field team lead',
  description: 'Plans and leads the work of a field team.',
  criteria: 'Led a field team for a season.',
};

/** Codes of both frameworks, as an organisation states them, and as a credential has them. */
export const alignmentDrafts = [
  { framework: 'esco', code: 'http://data.europa.eu/esco/skill/ccd0a1d9', name: 'manage field work' },
  { framework: 'onet', code: '19-4042.00', name: 'Environmental Science Technicians' },
];
export const alignmentClaim = [
  {
    targetName: 'manage field work',
    targetUrl: 'http://data.europa.eu/esco/skill/ccd0a1d9',
    targetFramework: 'ESCO',
  },
  {
    targetName: 'Environmental Science Technicians',
    targetUrl: 'https://www.onetonline.org/link/summary/19-4042.00',
    targetFramework: 'O*NET',
    targetCode: '19-4042.00',
  },
];

/** Defines an achievement, and attests it to a member, who accepts it. @returns the record of the credential, and its member's token. */
export async function createAchievementCredential(
  app: TestApp,
  draft: object = {},
  claims: object = {},
): Promise<{ readonly credential: IssuedCredential; readonly token: string }> {
  const match = await createVouchedMatch(app);
  const { body: achievement } = await app.request('POST', '/orgs/me/achievements', {
    token: match.org.token,
    body: { ...achievementDraft, alignments: alignmentDrafts, ...draft },
  });
  const { body: offer } = await sendAttestation(app, match, { achievement_id: achievement.id, claims });
  const { credential_id } = (await sendAnswer(app, match, offer.id)).body;
  const { token } = match.member;
  const { body: credential } = await app.request('GET', `/credentials/${credential_id}`, { token });
  return { credential: credential as IssuedCredential, token };
}

let domains = 0;
let names = 0;

/** A name that reads like no other: those of organisations that have proven a domain are protected. */
function createName(): string {
  const letters = String(names++).replaceAll(/\d/g, (digit) => 'abcdefghij'[Number(digit)]!);
  return `Harbour Health ${letters.toUpperCase()}`;
}

/** Creates a match that its member has not been asked about, with a name of its own. */
export const createStrangeMatch = (app: TestApp): Promise<TestMatch> => createMatch(app, createName());

/** Proves a domain of an organisation, as the operator does. @returns the domain. */
export async function proveDomain(app: TestApp, org_id: string): Promise<string> {
  const domain = `organisation-${++domains}.org`;
  await app.sql.transaction(async (tx) => {
    await claimDomains(tx, { org_id, domains: [domain], now: app.clock.now() });
    await recordOperatorProof(app.platform, tx, { org_id, domain, actor: null });
  });
  return domain;
}

/** Creates an accepted match whose organisation may vouch for people. */
export async function createVouchedMatch(app: TestApp): Promise<TestMatch & { readonly domain: string }> {
  const match = await createAcceptedMatch(app, createName());
  return { ...match, domain: await proveDomain(app, match.org.org_id) };
}

/** Creates a placement that began today, whose organisation may vouch for people. */
export async function createVouchedPlacement(app: TestApp): Promise<TestMatch & { readonly domain: string }> {
  const match = await createPlacement(app, 0, createName());
  const domain = await proveDomain(app, match.org.org_id);
  await app.drainQueue();
  return { ...match, domain };
}

export const statement = { claims: { statement: 'Led the sampling of 40 sites.' } };

/** Attests the member of a match; by default with a statement. */
export function sendAttestation(
  app: TestApp,
  { match_id, org }: Pick<TestMatch, 'match_id' | 'org'>,
  body: object = statement,
  token: string | undefined = org.token,
): Promise<TestReply> {
  const subject = 'member_id' in body ? {} : { match_id };
  return app.request('POST', '/orgs/me/credentials', {
    ...(token && { token }),
    body: { ...subject, credential_type: 'org_validation', ...body },
  });
}

/** Answers an offer as its member. */
export function sendAnswer(
  app: TestApp,
  { member }: Pick<TestMatch, 'member'>,
  offer_id: string,
  body: object = { decision: 'accept' },
): Promise<TestReply> {
  return app.request('POST', `/members/me/credential-offers/${offer_id}`, { token: member.token, body });
}

/** Lists the offers to a member, newest first. */
export async function listOffers(app: TestApp, token: string, query = ''): Promise<TestReply['body'][]> {
  return (await app.request('GET', `/members/me/credential-offers${query}`, { token })).body.data;
}

/** Lets the two weeks pass in which a placement can be disputed, and opens what waits. Tokens would expire if the clock advanced. */
export async function passDisputeTime(app: TestApp, member_id: string): Promise<void> {
  await app.sql.run(sql`
    update credential_offers set opens_at = ${shiftTime('opens_at', -14)}, closes_at = ${shiftTime('closes_at', -14)}
    where member_id = ${member_id} and state = 'waiting'`);
}
