import { describe, expect, it } from 'vitest';
import { startApp } from '#test/harness.ts';
import { answerForScience, startVolunteer } from '#test/modules/volunteers.ts';

const app = await startApp();

describe('reading a test for science', () => {
  it('shows the same item until it is answered, and the same result afterwards', async () => {
    const started = await startVolunteer(app);
    const read = () => app.request('GET', `/volunteers/${started.code}`);
    expect((await read()).body).toEqual(started);
    const end = await answerForScience(app, started);
    expect((await read()).body).toEqual(end);
  });

  it('is possible with the code alone, and finds nothing by parts of it', async () => {
    const { code } = await startVolunteer(app);
    for (const wrong of [code.slice(0, -1), code.toUpperCase(), `${code}A`, '%27', '..%2f', 'x'.repeat(61)]) {
      const { status } = await app.request('GET', `/volunteers/${wrong}`);
      expect([404, 422]).toContain(status);
    }
  });
});
