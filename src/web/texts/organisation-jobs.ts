import type * as jobs from '#modules/matching/jobs';
import type { OperationInput } from '#platform/operation.ts';
import { matchTexts } from './matches.ts';

/** The fields of a job that its organisation may change, apart from those that are a choice. */
export type OtherJobField = Exclude<
  keyof OperationInput<typeof jobs.updateJob>,
  'job_id' | 'priorities_choice' | keyof Choices
>;

type JobInput = Required<OperationInput<typeof jobs.createJob>>;
type Choices = {
  [
    Name in keyof JobInput as JobInput[Name] extends string
      ? string extends JobInput[Name]
        ? never
        : Name
      : never
  ]: { readonly label: string; readonly words: Readonly<Record<JobInput[Name] & string, string>> };
};

const clearances = {
  none: 'None',
  baseline: 'Baseline',
  negative_vetting_1: 'Negative Vetting 1',
  negative_vetting_2: 'Negative Vetting 2',
  positive_vetting: 'Positive Vetting',
};

/** The fields of a job that are a choice between words. The form of a job has each of them. */
export const jobChoices: Choices = {
  clearance_required: { label: 'Security clearance, at least', words: clearances },
  remote_policy: { label: 'Place of work', words: matchTexts.match.remote },
};

/** The jobs of an organisation and their shortlists. */
export const organisationJobTexts = {
  jobs: {
    title: 'Jobs',
    lead: 'Each job has a shortlist of people whose way of working suits it.',
    create: 'New job',
    import: 'Import jobs',
    filter: 'Which jobs',
    filters: { active: 'Active', draft: 'Drafts', closed: 'Closed' },
    empty: {
      active: 'Your organisation has no active job.',
      draft: 'There is no draft. A draft is a job that is not matched.',
      closed: 'No job is closed.',
    },
    statuses: { active: 'active', closed: 'closed', draft: 'draft' },
    stations: { pending_review: 'to review', org_interested: 'asked', member_accepted: 'accepted' },
    more: 'Older jobs',
  },
  jobEditor: {
    newTitle: 'New job',
    newLead:
      'Say what the work achieves and how a person works who does it well. People are compared with it at once.',
    editTitle: 'Edit the job',
    editLead:
      'A change of what the job asks for compares everybody again. People whom you have asked stay, and so do those who have accepted.',
    occupation: 'Start from an occupation',
    occupationLead: 'Ratings of work styles in hundreds of occupations say what matters in each.',
    occupationLabel: 'Occupation',
    occupationExample: 'For example: nurse',
    search: 'Search',
    noOccupation: 'No occupation has these words. Try another name for the work.',
    compare: 'Compare it with an occupation',
    takeOver: 'Take over the priorities of this occupation',
    jobTitle: 'Title',
    outcome: 'What the work achieves',
    outcomeHint: 'What is better at the end of a good year? People read this with their match.',
    priorities: 'How the person works',
    prioritiesLead:
      'Start with three. Left means that the work does not ask for it, right that the work depends on it.',
    setPriorities: 'What this job asks for',
    picks: 'The three things that matter most',
    pickLabels: ['Most of all', 'Then', 'And it helps'],
    noPick: 'Choose',
    fromText: 'Start from a text',
    fromTextLead:
      'Paste an advertisement, or the source of its page. Priorities are proposed from its words, and you decide. Only English is read, and nothing is kept until you create the job.',
    document: 'The text of the job',
    documentTooLong: 'This is longer than a page of 200,000 characters. Paste the text of the job alone.',
    readText: 'Propose priorities',
    proposal: 'What the text says',
    proposed:
      'The form below is filled in. Look at each priority: a word in a text is a hint, and you know the work.',
    readFirst: (jobs: string) => `The text has ${jobs} jobs. This is the first.`,
    shortened: 'The text was longer than a job’s may be, and ends early.',
    nothingFound:
      'No word of this text says how the person works, so nothing is proposed. The title and the text are filled in below.',
    notEnglish:
      'This text does not seem to be English, and only English is read here. Nothing is proposed from it. The title and the text are filled in below.',
    occupationNamed: (words: string, title: string) =>
      `The title says “${words}”: the ratings of the occupation “${title}” count as well.`,
    occupationGiven: (title: string) =>
      `The posting names the occupation “${title}”, whose ratings count as well.`,
    textSays: (words: string) => `The text says ${words}`,
    occupationSays: 'The occupation asks for it',
    both: (words: string) => `The text says ${words}, and the occupation asks for it`,
    quote: (words: string) => `“${words}”`,
    families: {
      adaptive_capacity: 'Adapting',
      cognitive_style: 'Thinking',
      interpersonal_orientation: 'Working with people',
      drive_architecture: 'Drive',
      integrity_trust: 'Integrity and trust',
    },
    importance: {
      none: 'not asked for',
      little: 'helps a little',
      some: 'useful',
      much: 'important',
      most: 'essential',
    },
    evidence: (words: string) => `Occupation: ${words}`,
    conditions: 'Conditions',
    conditionsLegend: 'What a person must meet',
    conditionsHint: 'Nobody who does not meet all of them is on the shortlist, however well they fit.',
    countries: 'Countries in which they live',
    countriesHint: 'Separated by commas. Leave it empty for anywhere.',
    states: 'States or regions',
    statesHint: 'Names or short codes of one country, separated by commas or semicolons.',
    years: 'Years of experience, at least',
    education: 'Education, at least',
    anyEducation: 'Any',
    choices: jobChoices,
    clearances,
    offer: 'What you offer',
    offerLegend: 'Place of work and salary',
    salaryMin: 'Salary a year, from',
    salaryMax: 'Salary a year, up to',
    currency: 'Currency',
    currencyHint: 'Three letters, such as AUD.',
    status: 'Status',
    statuses: {
      active: 'Active: people are compared with it',
      draft: 'Draft: nobody is compared with it',
      closed: 'Closed',
    },
    create: 'Create the job',
    save: 'Save',
    reach: 'How many people does this reach?',
    reachCounting: 'People are being counted for the first time. Ask again in a moment.',
    reachFew: (number: string) =>
      `Fewer than ${number} people meet these conditions. Consider whether each of them is needed.`,
    reachTitle: 'Whom this reaches',
    reachIdle: 'Set a priority, and ask how many people it reaches.',
    reachFailed: 'This could not be counted. Check the conditions below.',
    reachUnverified: 'This is shown once the email address of an administrator is verified.',
    reachNobody:
      'How many would have each tier cannot be said yet: it is computed in the night after the first fifty members were measured.',
    reachTiers: (members: string, date: string) =>
      `Of about ${members} members who were measured on ${date}, so many would fit:`,
    reachTier: (tier: string, about: string) => `${tier}: about ${about}`,
    reachTierFew: (tier: string) => `${tier}: fewer than ten`,
    reachLead: 'A prediction for all organisations alike, before the conditions below.',
    reachBack: 'Back to the job',
    reachBetween: (from: string, to: string) => `Between ${from} and ${to} people meet these conditions.`,
    impact: 'What these priorities do to groups of people',
    impactButton: 'What do these priorities do to groups?',
    impactLead:
      'How often members of each group would be rated strong or better. The ratio compares them with the group for which that is the most frequent; below four fifths (80\u00a0%) is a reason to look closer. Groups are what members have said about themselves, which has no part in anybody’s fit.',
    impactTooFew:
      'Too few members have said what groups they belong to. This can be shown when two groups have at least 50 people each.',
    impactColumns: ['Group', 'Strong or better', 'Ratio', '95\u00a0% interval', 'Finding'],
    interval: (from: string, to: string) => `${from} to ${to}`,
    measuredOn: (date: string) => `Members were measured on ${date}. All organisations see the same.`,
    noAlternative: 'There is no need for other priorities, or none that are near have less impact.',
    alternatives: {
      near: 'Nearly the same priorities, with less impact',
      farther: 'Priorities that differ more, with still less impact',
    },
    alternativeLead: (correlation: string) =>
      `Their fit correlates by ${correlation} with the fit of your priorities: 1 would be the same order of people. Ask whether they still describe the work.`,
    changeColumns: ['Changed', 'As set', 'Instead'],
    takeAlternative: {
      near: 'Use the nearly same priorities',
      farther: 'Use the priorities that differ more',
    },
    alternativeTaken:
      'The sliders now stand at the other priorities. Save the job to use them; your choice is written to the log.',
    close: 'Close this job',
  },
  closeJob: {
    title: (job: string) => `Close “${job}”?`,
    lead: 'Its matches end at once. People who were asked see that the job is closed.',
    consequences: {
      pending_review: (count: string) => `To review: ${count}. They leave the shortlist.`,
      org_interested: (count: string) => `Asked: ${count}. They can no longer answer.`,
      member_accepted: (count: string) => `Accepted: ${count}. You can no longer read how to reach them.`,
    },
    kept: 'The job itself is kept. You can make it active again, and people are then compared with it again.',
    button: 'Close the job',
  },
  shortlist: {
    back: 'All jobs',
    edit: 'Edit',
    notActive: 'Nobody is compared with this job.',
    filter: 'Which people',
    filters: {
      pending_review: 'To review',
      org_interested: 'Asked',
      member_accepted: 'Accepted',
      placed: 'Placed',
      org_passed: 'Passed',
      member_declined: 'Declined',
    },
    tier: 'Which tier',
    allTiers: 'All',
    empty: {
      pending_review: 'Nobody is waiting for a decision. New people are compared with this job as they come.',
      org_interested: 'You have asked nobody who has not answered.',
      member_accepted: 'Nobody has accepted yet.',
      placed: 'No placement is recorded yet.',
      org_passed: 'You have passed on nobody.',
      member_declined: 'Nobody has declined.',
    },
    emptyTier: 'Nobody is here with this fit.',
    gone: 'This person is no longer matched with this job.',
    person: 'Person',
    statuses: {
      pending_review: 'You have not decided yet.',
      org_interested: 'You are interested. The answer is open.',
      member_accepted: 'Has accepted.',
      org_passed: 'You have passed.',
      member_declined: 'Has declined.',
      placed: 'Works with you.',
      closed: 'Closed.',
      expired: 'The job is closed.',
      withdrawn: 'Has withdrawn.',
    },
    requirements: 'What the job requires',
    met: 'Met:',
    notMet: 'Not met:',
    belongingTitle: 'Belonging',
    belonging: {
      authenticity: 'Can be themselves',
      acceptance: 'Is accepted as they are',
      complementarity: 'Adds what is missing',
    },
    belongingBases: {
      measured: 'Compared with what your people have answered about your culture.',
      declared: 'Compared with the culture that you have declared, which nobody has measured.',
    },
    belongingLabels: { high: 'likely', moderate: 'possible', low: 'unlikely', unknown: 'not known yet' },
    interested: 'Interested',
    pass: 'Pass',
    decided: {
      org_interested: (name: string) => `You are interested in ${name}. In ten seconds they are informed.`,
      org_passed: (name: string) => `You have passed on ${name}.`,
    },
    decidedOnAll:
      'Your decision about the chosen people is saved. Those whom you ask are informed in ten seconds.',
    undo: 'Undo',
    takeBack: { org_interested: 'Withdraw the interest', org_passed: 'Review this person again' },
    choose: (name: string) => `Choose ${name}`,
    askChosen: 'Ask those ticked',
    passOnChosen: 'Pass on those ticked',
    note: 'A note',
    noteHint: 'The person reads it after accepting.',
    receives: {
      display_name: 'their name',
      email: 'their email address',
      note: 'their note',
    } as Readonly<Record<string, string>>,
    afterAcceptance: (fields: string) =>
      `You decide without a name. If the person accepts, you receive ${fields}.`,
    keys: 'Keys: I interested, P pass, U undo, J next, K previous.',
    previous: 'Previous',
    next: 'Next',
    turn: 'Other people',
    again: 'Look again',
    yourNote: (note: string) => `Your note: ${note}`,
    more: 'More people',
    first: 'Back to the first',
  },
  jobFacts: {
    title: 'What this job asks for and offers',
    priorities: 'How the person works',
    place: 'Place',
    work: 'Work',
    years: 'Years of experience, at least',
    education: 'Education, at least',
    clearance: 'Security clearance, at least',
    salary: 'Salary',
    noSalary: 'Not stated',
    number: 'Number of the job',
  },
  jobImport: {
    title: 'Import jobs',
    lead: 'Bring jobs from where they are published. Each becomes a draft with proposed priorities; nothing is created or changed before you say so.',
    address: 'From an address',
    url: 'Address of a job or of a job board',
    urlHint:
      'A page about one job, or your board at Greenhouse, Lever or Ashby, such as https://jobs.lever.co/your-name.',
    fetch: 'Look there',
    file: 'From a file',
    fileField: 'File',
    fileHint:
      'A table (CSV) with the columns title and outcome_description, or a page with a JobPosting. At most 50 jobs and 200,000 characters.',
    read: 'Read the file',
    notUtf8: 'must be text in UTF-8',
    found: 'What was found',
    none: 'There is no open job.',
    leftOut: (jobs: string) => `${jobs} more were found. One import reads the first fifty.`,
    untitled: 'A job without a title',
    proposed: (traits: string) => `Proposed: ${traits}.`,
    nothingFound: 'No word of the text says how the person works, so nothing is proposed.',
    notEnglish:
      'The text does not seem to be English, and only English is read. Nothing is proposed from it.',
    use: 'Look at the draft',
    useLabel: (title: string) => `Look at the draft of ${title}`,
    known: 'You have this job.',
    unchanged: 'It says what the posting says.',
    changed: 'The posting says something else:',
    column: 'What',
    current: 'Your job',
    posted: 'The posting',
    text: 'Text',
    conditions: 'Conditions',
    years: (years: string) => `${years} years of experience or more`,
    accept: 'Take over the changes',
    acceptLabel: (title: string) => `Take over the changes of ${title}`,
    acceptHint: 'If this changes what the job asks for, everybody is compared with it again.',
    refused: 'The changes were not taken over',
    followed: 'Boards that are followed',
    followedLead:
      'Read every day. New jobs and differences wait here until you take them over, and you read when a posting has gone.',
    follow: 'Follow an address',
    followButton: 'Follow it every day',
    closesGone: 'Close a job when its posting has gone',
    closesGoneHint:
      'At the second reading without it, a day apart. Otherwise you are asked before anything is closed.',
    lastRead: (time: string, jobs: string) => `Read on ${time}. Jobs there: ${jobs}.`,
    leftOutOfBoard: (jobs: string) => `${jobs} more are not followed: they have no id, or are too many.`,
    nextRead: (time: string) => `It is read next on ${time}.`,
    paused: 'It is paused.',
    failed: (fault: string) => `The last reading failed, because the address ${fault}.`,
    readNow: 'Read it now',
    pause: 'Pause',
    resume: 'Resume',
    unfollow: 'Stop following',
    ofBoard: (act: string, host: string) => `${act}: ${host}`,
    changesTitle: 'Changes of your boards',
    moreChanges: (count: string) => `${count} more follow when these are done.`,
    goneSentence: 'Its posting is no longer published, and the job is still open.',
    closeGone: 'Close the job',
    dismiss: 'Put it aside',
  },
  jobTools: {
    title: 'This job',
    follow: 'Email me about answers',
    unfollow: 'Stop the emails',
    followed: 'You are emailed when somebody accepts or declines.',
    notFollowed: 'You are not emailed about this job.',
    recompute: 'Compare everybody again',
    close: 'Close this job',
    posting: 'Download it for your website (JobPosting)',
    running: 'Everybody is being compared with this job.',
    progress: (done: string, total: string) => `${done} of ${total} people`,
    recomputed: 'Everybody has been compared with this job.',
    failed: 'The comparison did not work. Try it again.',
  },
} as const;
