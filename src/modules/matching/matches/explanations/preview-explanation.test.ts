import { describe, expect, it } from 'vitest';
import { startApp } from '#test/harness.ts';

const app = await startApp();
const readPreview = (token?: string) =>
  app.request('GET', '/members/me/previews/explanation', { ...(token !== undefined && { token }) });

describe('the preview of an explanation', () => {
  it('is what organisations read: about this person, without numbers, and about what the job asks for most, in detail', async () => {
    const { token } = await app.registerDeployedMember({ mean: Array<number>(20).fill(1.5) });
    const { status, body } = await readPreview(token);
    expect(status).toBe(200);
    expect(body.summary_text).toContain('this person');
    expect(JSON.stringify({ ...body, provisional: undefined })).not.toMatch(/\d/);
    expect(body.top_strengths).toHaveLength(3);
    expect(body.standings).toHaveLength(4);
    expect(body.standings[0]).toEqual({
      trait: 'analytical_depth',
      standing: 'clear',
      side: 'above',
      reason: 'Analytical depth: the answers place this person clearly above average.',
    });
    expect(body.questions).toEqual([]);
    expect(['exceptional', 'strong', 'moderate', 'developing']).toContain(body.match_tier);
  });

  it('refuses a member without a result, other roles and strangers', async () => {
    const { token } = await app.registerMember();
    const none = await readPreview(token);
    expect([none.status, none.body.code]).toEqual([404, 'trait_vector_not_found']);
    expect((await readPreview((await app.registerOrgAdmin()).token)).body.code).toBe('role_not_allowed');
    expect((await readPreview()).status).toBe(401);
  });
});
