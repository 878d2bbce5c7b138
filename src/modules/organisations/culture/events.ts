import { event } from '#platform/queue/event.ts';
import { closedObject, uuid } from '#platform/schema.ts';

/** An organisation has a new version of its culture profile. */
export const culturePublished = event('culture.published', closedObject({ org_id: uuid }));
