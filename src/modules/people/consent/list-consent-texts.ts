import { Type } from 'typebox';
import { operation } from '#platform/operation.ts';
import { consentTextsWire, toConsentTextsWire } from './wire.ts';

export const listConsentTexts = operation({
  name: 'consent.listConsentTexts',
  summary:
    'Lists what members agree to, by type of consent and version. A decision names one of these versions.',
  who: 'anyone',
  input: Type.Object({}),
  output: { 200: consentTextsWire },
  refuses: [],
  run: async () => consentTexts,
});

const consentTexts = toConsentTextsWire();
