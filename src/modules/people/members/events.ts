import { event } from '#platform/queue/event.ts';
import { closedObject, uuid } from '#platform/schema.ts';

const data = closedObject({ member_id: uuid });

/** A member reached engagement level 4 and takes part in matching. */
export const memberDeployed = event('member.deployed', data);

/** A member fell below engagement level 4 and no longer takes part in matching. */
export const memberUndeployed = event('member.undeployed', data);

/** A member below engagement level 4 withdrew a consent that matching needs, or asked for the deletion of the account. */
export const memberWithdrawn = event('member.withdrawn', data);

/** A deployed member changed a profile field that jobs constrain. */
export const memberChanged = event('member.changed', data);
