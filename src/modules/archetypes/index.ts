export { archetypeOf } from './archetype-of.ts';
export { exportOf } from './export-of.ts';
export { listArchetypes } from './list-archetypes.ts';
export { readArchetype } from './read-archetype.ts';
export { archetypeTemplates } from './templates.ts';
