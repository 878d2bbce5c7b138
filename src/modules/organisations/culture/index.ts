export * from './events.ts';
export { answerQuestionnaire } from './answer-questionnaire.ts';
export { describeCulture, type CultureWords } from './describe-culture.ts';
export { cultureWordsWire } from './wire.ts';
export { cvfQuadrants, type CvfQuadrant } from './questionnaire.ts';
export { readProfile } from './read-profile.ts';
export { readQuestionnaire } from './read-questionnaire.ts';
export { findProfile as findCultureProfile } from './store.ts';
