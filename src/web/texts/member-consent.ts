/** The pages on which a member decides about their data. */
export const memberConsentTexts = {
  consent: {
    title: 'Consent',
    lead: 'You decide what happens with your data, one purpose at a time. A decision works at once, and you can take it back at any time.',
    levels: {
      none: 'Nothing is used now.',
      basic: 'You are measured. No organisation can buy anything about you.',
      selective: 'Organisations may pay to read the categories that you have approved, and nothing else.',
      full: 'Organisations may pay to read every category, because you have approved them all.',
    },
    level: (name: string) => `Level ${name}`,
    levelNames: { none: 'L0', basic: 'L1', selective: 'L2', full: 'L3' },
    types: {
      assessment_data: {
        title: 'Assessment',
        allows: 'Your answers are stored, and your traits and archetype are computed from them.',
        given: [
          'You can take the assessment, and read your traits and your archetype.',
          'Your answers, without your name, may help to make the assessment more exact.',
        ],
        withdrawn: [
          'The assessment stops, and your results are no longer used.',
          'Your open matches end, and the organisations see that you have withdrawn.',
          'Public credentials still verify, but their content is hidden.',
          'Every approval for paid reads ends.',
          'Your answers stay stored. To have them erased, delete your account.',
        ],
      },
      matching: {
        title: 'Matching',
        allows: 'Your traits, profile and preferences are compared with jobs.',
        given: [
          'Jobs that fit you appear under Matches.',
          'Their organisations read labels and reasons in words. They see neither a number nor your name.',
          'Your name and address are shared only with an organisation whose interest you accept.',
        ],
        withdrawn: [
          'Your open matches end at once, and the organisations see that you have withdrawn.',
          'Organisations that could read how to reach you cannot read it any longer.',
          'Ended matches stay in the records of both sides.',
        ],
      },
      credential_sharing: {
        title: 'Sharing credentials',
        allows: 'Anyone who has the link of a credential can read it, if you have made it public.',
        given: [
          'You can make a credential public, each one separately.',
          'Anyone who has its link can then read and verify it, without an account.',
        ],
        withdrawn: [
          'Links still say whether a credential is valid, but no longer what it says.',
          'A copy that you have handed out can still be verified. Revoke the credential to end that.',
        ],
      },
      identity_queries: {
        title: 'Paid reads',
        allows: 'Organisations may pay to read the categories of your data that you approve.',
        given: [
          'You can approve categories one by one. Before that, nothing can be bought.',
          'Buyers see labels under a pseudonym: never a number, never your name.',
        ],
        withdrawn: [
          'Every approval ends, and the next read is refused.',
          'What was read before stays with those who have read it.',
        ],
      },
      demographic_self_identification: {
        title: 'Statistics about fairness',
        allows: 'What you choose to say about yourself is counted in statistics about fairness.',
        given: [
          'It is stored apart from your other data, and appears only in statistics about many members.',
          'It is never used to match you.',
        ],
        withdrawn: ['What you have said about yourself is no longer used.'],
      },
    },
    notYet: {
      identity_queries:
        'Paid reads are not offered yet, so nobody can buy anything today. Your choice is stored for when they are.',
      demographic_self_identification:
        'This service does not ask for such information yet, so there is nothing to decide.',
    },
    states: {
      given: (date: string) => `Given on ${date}`,
      withdrawn: (date: string) => `Withdrawn on ${date}`,
      never: 'Not given',
    },
    version: (version: string) => `Version ${version} of the text`,
    open: { give: 'Read and decide', withdraw: 'Change', read: 'Read' },
    openFor: (action: string, title: string) => `${action}: ${title}`,
    back: 'All consents',
    textTitle: 'What you agree to',
    ifGiven: 'If you agree',
    ifWithdrawn: 'If you withdraw',
    give: 'I agree',
    withdraw: 'Withdraw my consent',
    categoriesTitle: 'What may be bought',
    categoriesLead: 'Each category is sold only while you approve it.',
    categories: {
      archetype: { title: 'Archetype', text: 'The name of your archetype and its family.' },
      trait_profile: {
        title: 'Traits',
        text: 'Your trait families as labels, such as “strong”, without numbers.',
      },
      values_profile: { title: 'Values', text: 'How you decide and how you handle conflict, as labels.' },
      alignment: { title: 'Alignment', text: 'How well your way of working suits theirs, as a label.' },
    },
    approve: 'Approve',
    disapprove: 'Stop',
    approved: 'approved',
    notApproved: 'not approved',
    needsAssessment: 'Categories also need your consent to the assessment.',
    toAssessmentConsent: 'Decide on the assessment',
    needsQueries: 'You can approve categories once you have agreed.',
    historyTitle: 'Your decisions',
    historyEmpty: 'You have not decided anything yet.',
    historyLead: 'Decisions are only ever added, never changed.',
    historyWords: {
      given: (title: string) => `${title}: given`,
      withdrawn: (title: string) => `${title}: withdrawn`,
      approved: (title: string) => `Paid reads of ${title.toLowerCase()}: approved`,
      stopped: (title: string) => `Paid reads of ${title.toLowerCase()}: stopped`,
    },
    earlier: 'Earlier decisions',
    newest: 'Newest decisions',
    everythingTitle: 'Withdraw everything',
    everythingText: 'All consents end at once, and your account is closed and erased.',
    everythingLink: 'Read what follows',
  },
  withdrawAll: {
    title: 'Withdraw everything',
    lead: 'This withdraws every consent and closes your account. Before you decide, this is what follows:',
    consequences: [
      'Every consent and every approval ends, with a record of it.',
      'You are logged out everywhere at once, and no longer matched.',
      'Your open matches end, and the organisations see that you have withdrawn.',
      'Your credentials are revoked when your data is erased. Nobody can verify them after that.',
      'Your answers, traits, archetype and profile are erased and cannot be recovered.',
      'Until then, a link in an email keeps your account. Your consents stay withdrawn, and ended matches stay ended.',
    ],
    export: 'Download your data first',
    only: 'To end only one use of your data, withdraw that consent alone.',
    button: 'Withdraw everything and close my account',
    cancel: 'Back to my consents',
  },
} as const;
