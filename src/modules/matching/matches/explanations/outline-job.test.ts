import { describe, expect, it } from 'vitest';
import { startApp } from '#test/harness.ts';

const app = await startApp();
const askOutline = (trait_priorities: unknown) =>
  app.request('POST', '/job-outline', { body: { trait_priorities } });

describe('the outline of a job', () => {
  it('says what a job asks for most, with the shares of the fit, and what its organisation reads and when', async () => {
    const { status, body } = await askOutline({
      persistence: 0.7,
      sincerity: 0.9,
      empathic_attunement: 0.8,
      discretion: 0,
    });
    expect(status).toBe(200);
    expect(body).toEqual({
      asks: [
        { trait_name: 'sincerity', share: 0.375, is_named: false, is_described: false },
        { trait_name: 'empathic_attunement', share: 0.333, is_named: true, is_described: true },
        { trait_name: 'persistence', share: 0.292, is_named: true, is_described: true },
      ],
      largest_share: 0.4,
      is_limited: false,
    });
  });

  it('limits each trait to its largest share', async () => {
    const { body } = await askOutline({ persistence: 1 });
    expect([body.asks[0].share, body.is_limited, body.asks]).toEqual([0.4, true, [expect.anything()]]);
  });

  it.each([
    [{ persistence: 0 }, 'trait_priorities_empty'],
    [{}, 'trait_priorities_empty'],
    [{ height: 0.5 }, 'trait_code_unknown'],
    [{ persistence: 2 }, 'field_invalid'],
    ['persistence', 'field_invalid'],
  ])('refuses %j', async (priorities, code) => {
    const { status, body } = await askOutline(priorities);
    expect([status, body.code]).toEqual([422, code]);
  });

  it('is the same for everybody', async () => {
    const { token } = await app.registerMember();
    const body = { trait_priorities: { persistence: 1 } };
    const own = await app.request('POST', '/job-outline', { token, body });
    expect(own.body).toEqual((await askOutline({ persistence: 1 })).body);
  });
});
