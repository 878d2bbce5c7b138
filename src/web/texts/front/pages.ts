/** The pages that explain the service to people without an account. Figures in them come from the code that uses them. */
export const frontTexts = {
  example: {
    title: 'How it works',
    heading: 'One person, seen from both sides',
    description:
      'A fictional person as she sees herself, as an employer sees her before and after both agree, and what a paid read says and earns. Computed as for members.',
    lead: (name: string) =>
      `${name} does not exist. Her answers are fixed, and everything on this page is computed from them, now, by the same code that serves members.`,
    mark: 'Example',
    herTitle: 'What she sees',
    her: (name: string, items: string) =>
      `${name} has answered ${items} statements and situations. The numbers are hers alone: no employer ever reads one.`,
    herMatch: 'A job that found her',
    tierAt: (title: string, organisation: string) => `${title} at ${organisation}`,
    employerTitle: 'What an employer sees',
    employer:
      'A tier and reasons in words. The employer says whether it is interested; then she answers. Nothing happens without both.',
    before: 'Before both have agreed',
    beforeNote:
      'Letters instead of a name. Each job gets other letters, so that nobody can follow her from job to job.',
    asks: 'What the job requires',
    meets: 'meets it',
    misses: 'does not meet it',
    after: 'Once both have agreed',
    afterNote: 'Now the employer reads her name, how to reach her, and what it did not read before.',
    same: 'The reasons stay the same. These are new:',
    nothingNew: 'The reasons stay the same.',
    hidden: 'What no employer reads',
    hiddenPoints: (families: string) => [
      'A score, a rank or any other number about her.',
      `Anything about her honesty, among these reasons. The traits of the family “${families}” count in the fit, but only a read that she has allowed has a label for them.`,
      'Gender, age, ethnicity or disability. Members may state them for statistics about fairness; matching never reads them.',
    ],
    readTitle: 'What a paid read says, and who earns what',
    read: (name: string) =>
      `An employer can buy a little more: labels, no numbers. Only if ${name} has allowed it, kind by kind, and she can take it back.`,
    readOf: 'A read of her traits',
    price: 'The employer pays',
    hers: (percent: string) => `She earns ${percent}\u00a0%`,
    service: 'The service keeps',
    priceNote:
      'Her profile is complete and she has allowed every kind of read, so this is the price of a person about whom much is known.',
    allPrices: 'All prices',
    tryTitle: 'Your turn',
    try: 'Answer twelve to fifteen statements. Nothing is stored, and no account is needed.',
    tryButton: 'Begin',
    join: 'Create your account',
  },
  employers: {
    title: 'For employers',
    heading: 'Say what the work needs. Read why people fit.',
    description:
      'Try the first step of a job without an account: an occupation or three priorities, and what would be asked of people. Nothing is stored.',
    lead: 'Tessera compares a job with everybody who wants to be found for it, and says in words who fits and why. You decide whom to ask, and they answer.',
    tryTitle: 'Try the first step',
    tryLead:
      'Choose an occupation or up to three priorities. You see what the job would ask. Nothing is stored.',
    orPriorities: 'Or choose what matters most',
    priority: (place: number) => ['Most of all', 'Then', 'And then'][place]!,
    none: 'Nothing',
    show: 'Show what it would ask',
    resultTitle: 'What this job would ask',
    ofOccupation: (title: string) => `${title}: the five priorities for which its ratings speak most.`,
    trait: 'Trait',
    share: 'Share of the fit',
    reads: 'You would read about it',
    readsAtOnce: 'before both agree',
    readsLater: 'once both agree',
    readsNever: 'never',
    limited: (percent: string) =>
      `No trait has more than ${percent} of the fit, so that no tier speaks of a single trait. The rest is spread over all measured traits.`,
    integrity:
      'What you never read still counts. Sincerity, fair dealing, accountability and discretion are better judged in conversations and from references.',
    next: 'Create the job in full',
    nextNote:
      'With an account, you add places, experience and pay, and see how many people it reaches before you save.',
    getTitle: 'What you get',
    getPoints: (free: string, days: string) => [
      'A shortlist in four tiers, from exceptional to developing, computed over every member whose terms fit yours.',
      'Reasons in words for each person. Before both agree: about the traits that the job asks for most, at most five in one job a year and two in others.',
      `${free} free reads of identity data, once your domain is proven. Further ones have a price, most of which goes to the person.`,
      `A person can ask for a human to look again. Your administrator answers within ${days} days.`,
      'A bias report about your own selections, with ratios, intervals and exact tests.',
    ],
    notTitle: 'What you do not get',
    notPoints: [
      'A score, a rank or a percentage about anybody.',
      'A name before the person has agreed.',
      'A decision. The service suggests; people choose.',
    ],
    toExample: 'See both sides of an example',
    toPrices: 'Prices',
    register: 'Open an account for your organisation',
  },
  prices: {
    title: 'Prices',
    description:
      'What a read of identity data costs, what the person earns, and how many reads are free, as this installation is configured.',
    lead: (percent: string) =>
      `Members pay nothing. Organisations pay for reads of identity data, and ${percent}\u00a0% of each price goes to the person.`,
    mock: 'This installation takes no real money: its payments are simulated, or off.',
    readsTitle: 'A read of identity data',
    kind: 'What is read',
    base: 'Base price',
    from: 'From',
    to: 'To',
    person: 'For the person',
    kinds: {
      archetype: 'Archetype',
      trait_profile: 'Traits, in five families',
      values_profile: 'Values',
      alignment: 'Fit with your culture',
    },
    rule: (low: string, high: string, least: string, most: string) =>
      `The price is the base price times how much is known about the person, from ${low} to ${high}; at least ${least}, and at most ${most}. It is quoted before anything is paid.`,
    asked:
      'A member may also ask a price of their own for a read, in Australian dollars. The share is the same.',
    freeTitle: 'Free reads',
    freeLead: 'Once, for organisations with a proven domain or a tier set by the operator.',
    tier: 'Tier',
    free: 'Free, once',
    daily: 'Most a day',
    payoutTitle: 'When members are paid',
    payout: (hold: string, least: string) =>
      `Income can be paid out ${hold} after the read, from ${least} on. Every read and every payout has a receipt.`,
    payoutAtOnce: (least: string) =>
      `Income can be paid out at once, from ${least} on. Every read and every payout has a receipt.`,
    elseTitle: 'Everything else',
    else: 'Measuring, matching, credentials, checking credentials, and every report: the program asks no price for them. What an operator agrees with its organisations apart from this is not in the program.',
  },
  transparency: {
    title: 'For works councils and journalists',
    heading: 'Check us',
    description:
      'Model card, technical report, fairness figures, the law, and the source: what anybody can check about this installation without an account.',
    lead: 'What the service does with people, how well it measures, and what is not known. Each page is computed from this installation.',
    items: {
      example: [
        'Both sides of an example',
        'What a member, an employer and a buyer read of the same fictional person.',
      ],
      modelCard: [
        'Model card',
        'What the matching model is for, what it learns from, what it never knows, and its limits.',
      ],
      report: [
        'Technical report',
        'How the assessment is built and how well it measures, in the order of the EFPA review model.',
      ],
      fairness: [
        'Groups',
        'How evenly groups are measured here, as far as this can be said without saying something about one person.',
      ],
      operator: ['Who runs this installation', 'The operator, its terms, and what happens to data here.'],
      api: ['API reference', 'Every operation of the program, with what it refuses to whom.'],
    },
    version: (version: string, date: string) => `Version ${version}, in use since ${date}.`,
    parameters: (version: string) => `Parameters ${version}.`,
    missing: (missing: string, all: string) =>
      `${missing} of its ${all} sections name something that is not known.`,
    members: (members: string, date: string) => `About ${members} members, counted on ${date}.`,
    ownTexts: 'All three are the operator’s own texts.',
    templates: (missing: number) =>
      missing === 1
        ? 'One of the three is still a template.'
        : `${missing} of the three are still templates.`,
    noMembers: 'Not counted yet, or fewer than fifty members.',
    never: 'What the model never knows',
    lawTitle: 'The law',
    lawLead: 'Which duties the program helps with, and by what. It is a map, and no legal advice.',
    law: [
      ['EU AI Act, article 86', 'An explanation in words of every match, for both sides.'],
      [
        'EU AI Act, articles 14 and 26(2)',
        'A person decides about every match. Members can ask for a human review.',
      ],
      ['EU AI Act, article 26(6)', 'A log of at least six months.'],
      [
        'GDPR, article 22(1)',
        'No decision by the system alone: the organisation asks, and the member answers.',
      ],
      ['GDPR, articles 15 to 17', 'A copy of the data, corrections, and the erasure of the account.'],
      [
        'GDPR, article 9(2)(a)',
        'Questions about gender, age, ethnicity and disability have a consent of their own, and its withdrawal deletes the answers.',
      ],
      [
        'NYC Local Law 144, 6 RCNY § 5-301',
        'The figures of the bias report, as input of an audit. It is not the independent audit that the law asks for.',
      ],
    ],
    lawMissing:
      'The program does not inform an organisation’s workers or their representatives, makes no impact assessment, and is registered in no database. These stay duties of the employer.',
    sourceTitle: 'The source',
    source: 'Tessera is free software under the Apache License 2.0. Anyone may read, run and change it.',
    sourceLink: 'The source of what runs here',
    sourceUnknown: 'The operator of this installation has not said where the source is that runs here.',
  },
  report: {
    lead: (version: string, date: string) =>
      `Of the statements and parameters in use, ${version}. Made on ${date} from what this installation has.`,
    description:
      'How the assessment of this installation is built, how well it measures, and what is not known about it.',
    title: 'Technical report',
    missing: 'Not known',
    table: (caption: string, rows: string) => `${caption} (${rows} rows)`,
    command: 'Made by',
    data_link: 'The same as data',
    back: 'For works councils and journalists',
  },
  fairness: {
    title: 'Groups',
    heading: 'How evenly groups are measured',
    description:
      'How many members of each group were assessed here, how precisely, and whether questions work differently for them.',
    lead: 'Members may say their gender, age, ethnicity and disability, for statistics alone. Matching never reads it.',
    none: 'The members of this installation have not been counted yet, or are fewer than fifty. So nothing is shown here.',
    rules: (smallest: string) =>
      `Numbers are rounded to tens, are counted at most once a month, and groups of fewer than ${smallest} people are left out: nobody can be found in them.`,
    counted: (members: string, date: string) => `About ${members} members were counted on ${date}.`,
    group: 'Group',
    members: 'Members, about',
    error: 'Standard error',
    noError: 'not computed',
    errorNote:
      'The mean standard error of the traits, in standard deviations: the smaller, the more precise.',
    questionsTitle: 'Whether questions work differently',
    questionsLead:
      'People with the same trait should answer alike, whatever their group. A difference is moderate or large by the classes of ETS.',
    questionsNone: 'No two groups have enough answers to be compared.',
    comparedWith: (group: string, reference: string) => `${group}, compared with ${reference}`,
    compared: 'Questions compared',
    moderate: 'Moderate',
    large: 'Large',
    reportsTitle: 'Selections of employers',
    reports: (count: string) =>
      `Each organisation has a bias report of its own, with selection rates and tests. It is shown to the organisation, and not here: the sum of all would tell each of them about the others. Published so far: ${count}.`,
    data_link: 'The same as data',
  },
  operatorTexts: {
    about: {
      title: 'Who runs this installation',
      description: 'Who runs this installation of Tessera, and how to reach them.',
    },
    terms: { title: 'Terms of service', description: 'The terms of this installation of Tessera.' },
    privacy: {
      title: 'Privacy notice',
      description: 'What happens to data in this installation of Tessera.',
    },
    template:
      'This is a template. The operator of this installation has not put a text of its own here, so nobody has agreed to what follows.',
    elsewhere: 'The operator has put this text elsewhere:',
  },
} as const;
