import { Type } from 'typebox';
import { event } from '#platform/queue/event.ts';
import { uuid } from '#platform/schema.ts';

const data = Type.Object({ member_id: uuid }, { additionalProperties: false });

/** A member reached engagement level 4 and takes part in matching. */
export const memberDeployed = event('member.deployed', data);

/** A member fell below engagement level 4 and no longer takes part in matching. */
export const memberUndeployed = event('member.undeployed', data);

/** A deployed member changed something that jobs ask for. */
export const memberChanged = event('member.changed', data);
