export * from './taxonomy.ts';
export { answerItem } from './answer-item.ts';
export { itemBank } from './items/item-bank.ts';
export { readTaxonomy } from './read-taxonomy.ts';
export { readTraits } from './read-traits.ts';
export { startAssessment } from './start-assessment.ts';
export { latentVector, traitVector, type LatentVector, type TraitVector } from './trait-vector.ts';
