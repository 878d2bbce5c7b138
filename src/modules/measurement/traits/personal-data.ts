import { definePersonalData } from '#platform/personal-data.ts';
import { deleteMeasurements, listAllAnswers, listAssessments, listVectors } from './store-personal-data.ts';

/** The member's assessments, answers and trait vectors. */
export const personalData = definePersonalData(
  { assessments: listAssessments, answers: listAllAnswers, trait_vectors: listVectors },
  deleteMeasurements,
);
