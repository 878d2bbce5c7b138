import { task } from '#platform/queue/task.ts';
import { announceView } from './announce-view.ts';

type Data = { readonly invitation_id: string; readonly org_id: string };

/** Announces to an applicant tracking system what became of an invitation that it asked for. */
export const followInvitation = task<Data>({
  name: 'partners.followInvitation',
  retry_seconds: [5, 60, 600],
  group_by: ({ org_id }) => org_id,
  run: (context, { invitation_id }) => announceView(context, invitation_id),
});
