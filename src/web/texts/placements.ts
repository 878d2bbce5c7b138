/** Placements, and what both sides say about them. */
export const placementTexts = {
  placement: {
    title: 'Did it work out?',
    lead: 'Record the placement here. Both of you are asked how it is going after 30, 90 and 180 days.',
    placed_at: 'First day of work',
    ended_at: 'Planned last day',
    plannedHint: 'Leave it empty if the job has no end.',
    place: 'Record the placement',
    notPlaced: 'It did not work out',
    notPlacedLead:
      'You can no longer read how to reach this person, and they read that you have closed it, with your reason.',
    reason: 'Reason',
    reasonHint: 'The person can read it.',
    notPlacedButton: 'End it',
    current: 'The placement',
    since: 'First day of work',
    until: 'Planned last day',
    ended: 'Last day of work',
    extend: 'It goes on for longer',
    newEnd: 'New planned last day',
    extendButton: 'Record the extension',
    left: 'It has ended',
    lastDay: 'Last day of work',
    leftButton: 'Record the end',
    wrongDate: 'The first day is wrong',
    wrongDateLead:
      'The wrong date stays in the record beside the right one. Questions about the placement follow the right one.',
    rightDate: 'The real first day of work',
    correctButton: 'Correct the date',
  },
  feedback: {
    title: 'How is it going?',
    lead: (days: string) =>
      `This takes two minutes, and is about the first ${days} days. Only the first question needs an answer.`,
    use: 'Both sides can read the answers. The service keeps them to find out which matches turn out well. An answer cannot be changed later.',
    scale: '1 is very badly, 5 is very well.',
    scaleWords: ['Very badly', 'Badly', 'Neither well nor badly', 'Well', 'Very well'],
    questions: {
      member: {
        overall_rating: 'How is it going as a whole?',
        performance: 'How well can you do the work?',
        belonging: 'How well do you belong there?',
        growth: 'How well can you grow in this job?',
        would_repeat: 'Would you accept this match again?',
        comment: 'Anything else',
      },
      organisation: {
        overall_rating: 'How is it going as a whole?',
        performance: 'How well is the work done?',
        belonging: 'How well does the person belong with you?',
        growth: 'How well does the person grow in the job?',
        would_repeat: 'Would you choose this person again?',
        comment: 'Anything else',
      },
    },
    commentHint: 'The other side can read it. Leave out private matters.',
    yes: 'Yes',
    no: 'No',
    send: 'Send my answers',
    after: (days: string) => `After ${days} days`,
    by: {
      member: { member: 'You', organisation: 'The organisation' },
      organisation: { member: 'The person', organisation: 'Your organisation' },
    },
    nobody: 'Nobody has answered.',
    next: (date: string) => `You are asked again on ${date}.`,
  },
  /** A human review of a match, as the member sees it. */
  review: {
    title: 'A human review of this match',
    lead: (organisation: string) =>
      `You can ask that a person at ${organisation} looks at this match, and at what was decided about you.`,
    ask: 'Ask for a review',
    facts: [
      'The administrators of the organisation get an email at once, and have 14 days to answer.',
      'They read what you write here. Until you have accepted the match they do not know who you are, so leave out your name.',
      'You read the answer here, and get an email. If it is late, both of you and the operator of this service can see that.',
      'Nobody may treat you worse because you have asked.',
    ],
    reason: 'What should be looked at',
    reasonHint: 'For example, something that the match does not take into account.',
    askButton: 'Ask for a review',
    open: 'Your request',
    overdue: (date: string) =>
      `The answer was due on ${date}. The organisation has been reminded, and the operator of this service can see it.`,
    requested_on: 'Asked on',
    due_on: 'Answer due by',
    closed_on: 'Closed on',
    answer: 'Answer',
    withdraw: 'Withdraw the request',
    earlier: 'Earlier requests',
    optedOut:
      'You are not matched automatically, so nothing new is decided about you, and no review can be asked for. This changes when you agree to matching again.',
    noMore: 'You have asked for a review of this match three times, which is the maximum.',
    statuses: {
      open: 'Waits for an answer',
      answered: 'Answered',
      withdrawn: 'Withdrawn',
      ended: 'Ended, because the consent to matching was withdrawn',
    },
    outcomes: {
      upheld: 'A person has looked, and the decision stays',
      changed: 'A person has looked, and decided otherwise',
    },
    otherRights: 'How you are matched, and what else you can do',
    link: 'Ask for a human review',
  },
  /** The same as the organisation sees it. */
  reviews: {
    title: 'Human reviews',
    lead: 'Members can ask that a person looks at a match and at what was decided. Answer within 14 days: how many were in time is in your bias report.',
    open: 'Waiting for an answer',
    nothingOpen: 'Nobody is waiting for an answer.',
    dueBy: (date: string) => `Answer due by ${date}`,
    overdueSince: (date: string) => `Overdue since ${date}`,
    reason: 'What the member asks',
    noReason: 'They gave no words.',
    person: 'See this person in the shortlist',
    decision: 'Your decision',
    upheld: 'A person has looked, and the decision stays',
    changed: 'A person has looked, and we decide otherwise',
    answer: 'Your answer',
    answerHint:
      'What was looked at, by whom, and why you decided so. The member reads it, and it cannot be changed.',
    send: 'Send the answer',
    administratorsAnswer: 'An administrator of your organisation answers.',
    closed: 'Closed',
    nothingClosed: 'No review has been closed yet.',
    earlier: 'Earlier reviews',
    waiting: (count: string, number: number) =>
      number === 1 ? 'A member asks for a human review' : `${count} members ask for a human review`,
  },
  operatorReviews: {
    title: 'Overdue human reviews',
    none: 'No organisation is late with an answer.',
    lead: 'These organisations have not answered in time. Members see that you can see it.',
    due: (date: string) => `Due by ${date}`,
    requested: (time: string) => `Asked on ${time}`,
  },
  /** The notice to members about automated matching. */
  rights: {
    title: 'How you are matched',
    lead: 'A computer compares you with jobs. People decide. Here is what it uses, and what you can do about it.',
    tab: 'Your rights',
    sections: [
      {
        title: 'What the computer does',
        points: [
          'It compares how you work, as measured by your answers in the assessment, with what an organisation says matters in a job. It does so for every member and every open job.',
          'It checks conditions of the job that are in your profile: place, years of experience, education and clearance.',
          'It gives each match a tier, from developing to exceptional, and says how certain it is. Organisations see the tier and never a number about you.',
        ],
      },
      {
        title: 'What it does not use',
        points: [
          'Your name, photo, gender, age, ethnicity or disability. What you say about yourself for statistics about fairness is stored apart, and the matching cannot read it.',
          'Anything that you did not give us. It searches no other source about you.',
        ],
      },
      {
        title: 'What people decide',
        points: [
          'A person at the organisation chooses whom to ask. No match ends or leads to a job without a person.',
          'You decide whether to accept. Until then the organisation does not know who you are.',
        ],
      },
      {
        title: 'What is checked',
        points: [
          'Organisations get a report that compares how groups of people pass from match to placement. It counts only those who agreed to it, and shows no number about fewer than ten people.',
          'Each request for a human review is counted there, too.',
        ],
      },
    ],
    wayOut: 'Automated matching',
    matched:
      'You have agreed to be matched automatically. You can stop it at any time, without a reason and without losing your account, your results or your credentials.',
    notMatched: 'You are not matched automatically. No organisation finds you here.',
    stop: 'Stop automated matching',
    start: 'Read about matching',
    acts: 'What you can do',
    links: [
      ['/app/matches', 'Read why a match fits, and ask for a human review of it'],
      ['/app/preferences/profile', 'Correct your profile'],
      ['/app/assessment', 'Answer more of the assessment, or take it again'],
      ['/app/traits', 'See everything that was measured'],
      ['/model-card', 'Read what the computer learns from outcomes, and what it cannot know'],
      ['/app/self-identification', 'Help to check whether matching is fair'],
      ['/app/account/data', 'Get a copy of your data'],
      ['/app/account/delete', 'Delete your account'],
    ],
    complain:
      'If an answer does not satisfy you, you can complain to the operator of this service, to the data protection authority where you live, or to the authority for equal treatment.',
  },
} as const;
