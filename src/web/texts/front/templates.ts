/** What a template may say of an installation: its host, and durations in words that its settings decide. */
export type TemplateFacts = { readonly host: string; readonly erasure: string; readonly audit: string };

/** Templates of the texts that an operator writes, in the form of those texts: `# ` begins a heading, `- ` a list, an empty line a paragraph. */
export const operatorTemplates = {
  templates: {
    about: ({ host }: TemplateFacts) => `Tessera at ${host} is run by [name of the operator].

# Address

[Street, postcode, town, country]

# Contact

- Email: [address]
- Telephone: [number]

# Responsible

[Name of the person who represents the operator; the register and number of the company; the VAT number, if there is one]

# Supervision

[The data protection officer, if there is one, and the authority that supervises the operator]`,
    terms: ({
      host,
      erasure,
    }: TemplateFacts) => `These terms are between you and [name of the operator], who runs Tessera at ${host}.

# What the service does

Tessera measures how people prefer to work, compares them with jobs, and issues credentials. It suggests. Organisations and members decide.

# Accounts

- You give true details, keep your password or passkey to yourself, and have one account.
- Members answer for themselves. Organisations use the service only for jobs that exist.
- You may delete your account at any time. It is erased ${erasure} later; until then you can change your mind.

# What organisations may not do

- Decide about a person by a tier alone.
- Try to find out who a person is before both sides have agreed.
- Combine what they read with other data to learn a person’s gender, age, ethnicity, health or honesty.

# Prices

Members pay nothing. The prices of reads, and the share of members, are on the page “Prices”.

# Availability and liability

[What the operator promises, and the limits of its liability under the law of its country]

# Changes, law and disputes

[How changes are announced; which law applies; which court or body settles disputes]`,
    privacy: ({
      host,
      erasure,
      audit,
    }: TemplateFacts) => `Responsible for the data at ${host} is [name, address and email of the operator; the data protection officer, if there is one].

# What is stored, and why

- Your account: address or handle, name, password or passkey, sessions. Without it there is no account (GDPR, article 6(1)(b)).
- Your answers and results, if you consent to be measured (article 6(1)(a)).
- Your matches, if you consent to be matched. Organisations see a tier and words, and your name only once you have agreed.
- What you say about gender, age, ethnicity and disability, if you consent to that. It serves statistics about fairness alone (article 9(2)(a)).
- Reads of your data and what you earned, because the law asks for books (article 6(1)(c)).
- A log of what was done by whom, kept ${audit} (article 6(1)(f)).

# Who receives it

- Organisations, as far as you have agreed, kind by kind.
- [Hosting, mail, payments: the processors, their countries, and the safeguards]

# How long

Until you withdraw your consent or delete your account. A deleted account is erased ${erasure} later.

# Your rights

You may read, correct, take with you and delete your data, withdraw each consent, and object. Most of it is a button in your account. You may ask for a human to look at any match. You may complain to [the supervisory authority].

# Automated suggestions

The service compares your results with what jobs ask for. No decision about you is made by it alone. The model card says how it works.

# Cookies

One for the login, one for forms before a login, one for the look that you choose, and short ones while an agent or the login of an organisation is connected. None follows you.`,
  },
} as const;
