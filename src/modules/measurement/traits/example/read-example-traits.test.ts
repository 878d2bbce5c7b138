import { describe, expect, it } from 'vitest';
import { startApp } from '#test/harness.ts';
import { itemBank } from '../items/item-bank.ts';
import { isGraded, listOptionTexts } from '../items/item.ts';
import { measureAnswers } from '../measurement/measure-answers.ts';
import { fictionalAnswers } from './fictional-answers.ts';
import { measureExample } from './measure-example.ts';

const app = await startApp();

describe('the traits of the fictional person', () => {
  it('follow from her fixed answers as those of a member follow, and say what their bounds support', async () => {
    const { status, body } = await app.request('GET', '/example/traits');
    expect([status, body.answered]).toEqual([200, fictionalAnswers.length]);
    const answers = fictionalAnswers.map(([item_id, option]) => ({ item_id, option }));
    const { vector, quality_flags } = measureAnswers(answers, itemBank);
    expect(quality_flags).toEqual([]);
    expect(body.traits.map(({ score }: { score: number }) => score)).toEqual(
      vector.traits.map(({ score }) => score),
    );
    const clear = body.traits.filter(({ certainty }: { certainty: string }) => certainty === 'clear');
    expect(clear.map(({ trait_name, word }: Record<string, string>) => `${trait_name} ${word}`)).toEqual([
      'change_agility less',
      'collaborative_orientation more',
      'empathic_attunement more',
      'autonomy_drive less',
      'purpose_orientation more',
    ]);
  });

  it('rest on answers that the bank has: every option exists, none is given twice, and both kinds of items are answered', () => {
    const items = fictionalAnswers.map(([item_id, option]) => {
      const item = itemBank.itemsById.get(item_id);
      expect([item_id, item !== undefined && option < listOptionTexts(item).length]).toEqual([item_id, true]);
      return item!;
    });
    expect(new Set(items).size).toBe(items.length);
    expect(new Set(items.map((item) => isGraded(item))).size).toBe(2);
  });

  it('are computed once for each version of the parameters, so that a request costs no measurement', async () => {
    const measure = () => measureExample(app.platform, app.platform.database);
    expect(await measure()).toBe(await measure());
  });

  it('are the same for everybody, and take no input', async () => {
    const { token } = await app.registerMember();
    const [own, stranger] = await Promise.all([
      app.request('GET', '/example/traits', { token }),
      app.request('GET', '/example/traits'),
    ]);
    expect(own.body).toEqual(stranger.body);
    expect((await app.request('GET', '/example/traits?version=1')).status).toBe(422);
  });
});
