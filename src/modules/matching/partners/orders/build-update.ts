import type { Config } from '#platform/config.ts';
import { buildLink } from '../build-link.ts';
import { describeTier, provisional_note, stateWords, type View } from '../rules.ts';

/** A value as Ashby shows it. */
type Shown = {
  readonly identifier: string;
  readonly label: string;
  readonly type: 'string' | 'url';
  readonly value: string;
};

const show = (identifier: string, label: string, value: string, type: Shown['type'] = 'string'): Shown => ({
  identifier,
  label,
  type,
  value,
});

/** Builds the body of `assessment.update`: a result completes the assessment there, and a reason cancels it. */
export function buildUpdate(
  { config, now }: { readonly config: Pick<Config, 'publicUrl'>; readonly now: () => Date },
  assessment_id: string,
  view: View,
) {
  const update = { assessment_id, timestamp: now().getTime() };
  const showStatus = (value: string) => ({ assessment_status: show('status', 'Status', value) });
  switch (view.state) {
    case 'complete':
      return {
        ...update,
        ...showStatus('Complete'),
        assessment_result: show('tier', 'Tier', describeTier(view.result)),
        assessment_profile_url: show('match', 'Match', buildLink(config, view), 'url'),
        metadata: view.result.provisional ? [show('note', 'Note', provisional_note)] : [],
      };
    // Ashby stores the time of this word.
    case 'accepted':
      return { ...update, ...showStatus('Started') };
    case 'sent':
      return { ...update, ...showStatus('Invited') };
    default:
      return { ...update, cancelled_reason: show('reason', 'Reason', stateWords[view.state]) };
  }
}
