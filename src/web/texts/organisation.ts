/** The home of an organisation's users, and the page of the organisation. */
export const organisationTexts = {
  organisationHome: {
    title: 'Home',
    loggedInAs: (name: string) => `You are logged in as ${name}.`,
    openJobs: 'Open jobs',
    answers: (count: number, formatted: string) =>
      count === 1 ? 'Somebody has accepted' : `${formatted} people have accepted`,
    answersLead: 'You can reach them now. They are waiting to hear from you.',
    otherJob: 'Another job',
    next: 'Next steps',
    steps: {
      job: {
        title: 'Create your first job',
        text: 'Start from the evidence of an occupation, and say what matters most in your team.',
        button: 'New job',
      },
      culture: {
        title: 'Say how you work together',
        text: 'Once five of you have answered the questionnaire, people read what your organisation is like.',
        button: 'Answer',
      },
      people: {
        title: 'Invite your colleagues',
        text: 'Viewers read the shortlists, auditors the log, and administrators decide.',
        button: 'Invite',
      },
    },
  },
  unverified: {
    lead: 'Shortlists appear once an administrator of your organisation has verified their email address. Open the link in the email that we sent.',
    button: 'Go to your account',
  },
  adminsOnly: {
    administrators: 'Only administrators of your organisation can do this. Ask one of them.',
    readers: 'Only administrators and auditors of your organisation see this. Ask one of them.',
    home: 'Go to the first page',
  },
  organisation: {
    title: 'Organisation',
    lead: 'What people read about your organisation, and what its tier allows.',
    profile: 'Profile',
    name: 'Name',
    industry: 'Industry',
    size: 'Size',
    sizes: {
      micro: 'Fewer than 10 people',
      small: '10 to 49 people',
      mid_market: '50 to 249 people',
      enterprise: '250 people or more',
    },
    country: 'Headquarters',
    website: 'Website',
    websiteHint: 'An address that begins with https://',
    unset: 'Not given',
    save: 'Save',
    tier: 'Tier',
    tierLead: 'The operator of this service sets the tier. It decides how much you can ask for.',
    activeJobs: 'Active jobs',
    dailyChanges: 'Changes of requirements in 24 hours',
    used: (used: string, limit: string) => `${used} of ${limit} used`,
    users: 'Up to 200 people, open invitations included',
    ssoIncluded: 'Single sign-on is included',
    ssoHigher: 'Single sign-on comes with the tier E3 Operator',
    more: 'More',
    links: {
      sso: 'Single sign-on',
      reports: 'Reports',
      reviews: 'Human reviews',
      audit: 'Audit log',
      leave: 'Leave the organisation',
    },
  },
} as const;
