import { expect, test } from 'vitest';
import { buildLinkedInLink } from './linkedin-link.ts';

const times = { issued_at: '2026-12-31T23:30:00.000Z', expires_at: '2027-03-01T00:00:00.000Z' };
const id = '0d0b2f5e-6c3a-4a57-9a55-0f6a3a2c9a10';

const readFields = (link: string) => {
  const { origin, pathname, searchParams } = new URL(link);
  expect(`${origin}${pathname}`).toBe('https://www.linkedin.com/profile/add');
  return Object.fromEntries(searchParams);
};

test('the link has the parameters that LinkedIn documents, and names the organisation that vouches', () => {
  const link = buildLinkedInLink('https://tessera.example', {
    id,
    credential_type: 'placement_attestation',
    attestation_tier: 'org_validated',
    claims: { job_title: 'Nurse & carer', organisation_name: 'Härbour Health' },
    ...times,
  });
  expect(readFields(link)).toEqual({
    startTask: 'CERTIFICATION_NAME',
    name: 'Placement in a job · Nurse & carer',
    organizationName: 'Härbour Health',
    issueYear: '2026',
    issueMonth: '12',
    expirationYear: '2027',
    expirationMonth: '3',
    certUrl: `https://tessera.example/verify/${id}`,
    certId: id,
  });
});

test('a self-attested credential says so in its name, and names no organisation of its holder’s choice', () => {
  const link = buildLinkedInLink('https://tessera.example', {
    id,
    credential_type: 'archetype_attestation',
    attestation_tier: 'self_attested',
    claims: { archetype_family: 'craft' },
    ...times,
  });
  expect(readFields(link)).toMatchObject({
    name: 'Archetype (self-declared)',
    organizationName: 'Tessera at tessera.example',
  });
});
