import { describe, expect, it } from 'vitest';
import { startApp } from '#test/harness.ts';

const app = await startApp();
const { status, body } = await app.request('GET', '/example/match');

describe('the match of the fictional person', () => {
  it('is described to the organisation without a number, and to the member in the second person', () => {
    expect(status).toBe(200);
    const { member, organisation_before, organisation_after, match_tier } = body;
    expect(match_tier).toBe('strong');
    expect(member.summary_text).toContain('you');
    for (const words of [organisation_before, organisation_after]) {
      expect(words.summary_text).toContain('this person');
      expect(JSON.stringify(words)).not.toMatch(/\d/);
    }
  });

  it('says before both have agreed only what concerns the traits that the job asks for most, and no less after it', () => {
    const { organisation_before: before, organisation_after: after, job } = body;
    expect(job.asks.slice(0, 2)).toEqual(['empathic_attunement', 'collaborative_orientation']);
    expect(before.standings.map(({ trait }: { trait: string }) => trait)).toEqual(
      job.asks.slice(0, before.standings.length),
    );
    expect(after.top_strengths).toEqual(expect.arrayContaining(before.top_strengths));
    expect(after.growth_areas).toEqual(expect.arrayContaining(before.growth_areas));
  });

  it('names her only in what an acceptance reveals, and she meets what the job requires, as each match does', () => {
    const { person, member_id, acceptance, requirements } = body;
    expect(JSON.stringify(body.organisation_before)).not.toContain(person.name);
    expect(acceptance.organisation_receives).toEqual(['display_name', 'email', 'note']);
    expect(member_id).toMatch(/^0{8}-/);
    expect(requirements.length).toBeGreaterThan(0);
    expect(requirements.every(({ met }: { met: boolean }) => met)).toBe(true);
  });

  it('takes no input', async () => {
    expect((await app.request('GET', '/example/match?job=1')).status).toBe(422);
  });
});
