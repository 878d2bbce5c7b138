export { describeArchetype, findArchetype } from './find-archetype.ts';
export { personalData } from './personal-data.ts';
export { listArchetypes } from './list-archetypes.ts';
export { readArchetype } from './read-archetype.ts';
export { archetypeCodes, familyNames, type ArchetypeCode } from './templates.ts';
