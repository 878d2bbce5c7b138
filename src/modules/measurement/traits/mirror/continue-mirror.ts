import { Type } from 'typebox';
import { createFieldRefusal } from '#lib/refusal.ts';
import { operation } from '#platform/operation.ts';
import { closedObject, field } from '#platform/schema.ts';
import { listOptionTexts } from '../items/item.ts';
import { answerMirror, beginMirror, loadMirror, type LoadedMirror } from './load-mirror.ts';
import { sealMirror } from './sealed-mirror.ts';
import { languageInput } from '../wire.ts';
import { mirrorInput, mirrorWire, toMirrorWire } from './mirror-reply.ts';

const options_max = 10;

export const continueMirror = operation({
  name: 'traits.continueMirror',
  title: 'Begin or continue a first mirror',
  summary:
    'Begins a first mirror, which needs no account, or answers its statement. The reply says what is known so far and what is asked next, and carries the answers, encrypted, to be sent with the next call within an hour. The service stores nothing of them.',
  who: 'anyone',
  input: closedObject({
    mirror: Type.Optional(mirrorInput),
    language: Type.Optional(languageInput),
    option: Type.Optional(
      field(
        Type.Integer({ minimum: 0, maximum: options_max }),
        'The chosen option of next_item; 0 is the first. Without it, the mirror stays as it is.',
        3,
      ),
    ),
  }),
  output: { 200: mirrorWire },
  refuses: ['mirror_expired', 'mirror_complete', 'option_out_of_range'],
  samples: { request: {} },
  run: async (context, { mirror, option, language }) => {
    const { database } = context;
    if (mirror === undefined)
      return show(await beginMirror(context, database, language === undefined ? [] : [language]));
    const loaded = await loadMirror(context, database, mirror);
    if (option === undefined) return toMirrorWire(loaded.mirror, mirror, loaded.bank);
    requireOption(loaded, option);
    return show(answerMirror(loaded, option, context.now()));

    function show({ mirror: shown, bank }: LoadedMirror) {
      return toMirrorWire(shown, sealMirror(context, shown), bank);
    }
  },
});

function requireOption({ mirror, bank }: LoadedMirror, option: number): void {
  const asked = mirror.asked_id === null ? undefined : bank.itemsById.get(mirror.asked_id);
  if (asked && option >= listOptionTexts(asked).length)
    throw createFieldRefusal('option_out_of_range', '/option', 'must be the index of an option of the item');
}
