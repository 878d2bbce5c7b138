import {
  bankCommands,
  calibrateItems,
  compareGroups,
  exportBank,
  findingCommands,
  formatCalibration,
  formatVersions,
  importBank,
  listVersions,
  scoreAnswers,
  useParameters,
} from '#modules/measurement/traits';
import { previewCommand } from '#modules/matching/matches';
import { command, type OperatorCommand } from '#platform/command-line.ts';
import type { Platform } from '#platform/platform.ts';

const bankOptions = [
  ['--bank <name>!', 'the bank'],
  ['--version <version>!', 'the version, as "items calibrate" names it'],
] as const;

const answersOption = [
  '--csv <file>!',
  'the answers: one line for each respondent, a column for each statement, and a column "person" that is returned',
] as const;

/** The part of table 7 that concerns banks of statements, ours and those of others. */
export const itemCommands: readonly OperatorCommand<Platform>[] = [
  command({
    usage: 'items calibrate',
    summary:
      'Estimate the parameters of the assessment’s items from stored answers, and store them as a version that is not in use yet.',
    options: [
      [
        '--csv <file>',
        'use the answers in this file instead: one line for each respondent, one column for each item, options 0 to 4',
      ],
      [
        '--answers <source>',
        'public: use the answers of volunteers instead (TESSERA_VOLUNTEERS), each person once',
      ],
      [
        '--bank <name>',
        'calibrate this imported bank from --answers public or --csv, whose answers are numbered as its options are',
      ],
      [
        '--language <code>',
        'the language of the answers that count, of a bank in several; without it, that of the statements',
      ],
      [
        '--key <file>',
        'the CSV file is from another questionnaire; <file> has lines "scale: item -item …"; only report, store nothing',
      ],
    ],
    run: calibrateItems,
    summarise: formatCalibration,
  }),
  command({
    usage: 'items import <file>',
    summary:
      'Import a bank of statements from CSV (columns item_id, scale, sign, options, text:en, …) or JSON, or what "items export" has printed. A file that is refused changes nothing.',
    options: [
      [
        '--name <name>!',
        'the name of the bank; the statements of a bank that exists are replaced; tessera, our own, gains new statements and languages',
      ],
    ],
    run: importBank,
  }),
  command({
    usage: 'items export',
    summary: 'Export a version of a bank with all that "items import" needs for equal scores elsewhere.',
    options: [...bankOptions],
    run: exportBank,
    summarise: bankCommands.summariseExport,
  }),
  command({
    usage: 'items score',
    summary:
      'Score each respondent of a file with a version of a bank, as the service would. Prints JSON, one line for each respondent.',
    options: [
      ...bankOptions,
      answersOption,
      ['--most <count>', 'choose statements adaptively as the service would, at most this many'],
    ],
    run: async (platform: Platform, input) => scoreAnswers(platform, input),
  }),
  command({
    usage: 'items compare-groups',
    summary:
      'Say which statements of a bank work differently for groups of people with the same position on the trait.',
    options: [
      ...bankOptions,
      answersOption,
      ['--group <column>!', 'the column that names the group of each respondent'],
    ],
    run: compareGroups,
  }),
  command({
    usage: 'items link',
    summary: 'Put a version of a bank onto the scale of an earlier form by statements that both have.',
    options: [
      ...bankOptions,
      [
        '--anchors <file>!',
        'what "items export" has printed of the earlier form (.json), or CSV with item_id and either bank and version or discrimination, threshold:1, …',
      ],
    ],
    run: bankCommands.linkForms,
  }),
  command({
    usage: 'items report',
    summary:
      'Write the technical report of a version of a bank as HTML and as PDF, in the order of the EFPA review model. It says what is missing.',
    options: [
      ...bankOptions,
      ['--csv <file>', 'answers, to show how reliably their respondents are measured'],
      [
        '--group <column>',
        'the column that names the group of each respondent, to show whether statements work alike',
      ],
      [
        '--criteria <columns>',
        'columns of numbers, separated by commas, to show what goes together with the scores',
      ],
      ['--to <folder>', 'the folder of the two files', '.'],
    ],
    run: bankCommands.reportBank,
    summarise: bankCommands.summariseReport,
  }),
  command({
    usage: 'items seed',
    summary:
      'Make a version that knows the statements of the bank that were imported last: those with further languages, and new ones (status seeded), which count nothing; put into use, it asks them of volunteers among the others.',
    options: [...bankOptions],
    run: bankCommands.addStatements,
  }),
  command({
    usage: 'items take-up',
    summary:
      'Calibrate the new statements of a version against the others, whose parameters stay; with --statements, make a version that asks and counts them.',
    options: [
      ...bankOptions,
      ['--csv <file>', 'answers to the known and the new statements'],
      ['--answers <source>', 'public: the answers of volunteers instead'],
      ['--statements <ids>', 'the statements to take up, separated by commas; without it, nothing is stored'],
    ],
    run: bankCommands.takeUpStatements,
  }),
  command({
    usage: 'items add-language <language>',
    summary:
      'Find out how the statements of a version work in another language, from answers in both, and store the version that knows it: statements that work alike retain their parameters, others get their own. Until then, results in that language carry wider bounds.',
    options: [
      ...bankOptions,
      ['--csv <file>', 'the answers, with a column "language"'],
      [
        '--answers <source>',
        'public or members: the answers of volunteers or of members instead, in the languages in which they read the statements',
      ],
    ],
    run: bankCommands.addLanguage,
  }),
  command({
    usage: 'items simulate',
    summary:
      'Simulate a bank before anybody answers it: its length, its precision, how often each statement is asked, and who is flagged.',
    options: [
      ['--bank <name>!', 'the bank'],
      ['--version <version>', 'the version; without it, parameters are assumed'],
      ['--people <count>', 'the number of people', '200'],
      ['--most <count>', 'the most statements that are asked'],
      ['--seed <number>', 'seed of the random numbers', '1'],
    ],
    run: bankCommands.simulateDesign,
    summarise: bankCommands.summariseDesign,
  }),
  command({
    usage: 'items use <bank> <version>',
    summary:
      'Ask the statements of a bank in new assessments at once, with this version of their parameters, and use it for stored answers to the same bank when a worker has scored them again. Results from other banks stay as they are. Our own bank is tessera. To go back, run this command with the bank and the version of before.',
    options: [
      [
        '--map <file>',
        'CSV with the columns scale and trait, and sign (-) for a scale that measures the opposite; without it, the column trait of the statements',
      ],
    ],
    run: useParameters,
  }),
  command({
    usage: 'items preview <version>',
    summary:
      'Say what a version of our own bank would change for members before it is used: how many words about traits would stay, change, appear or disappear, and how many tiers for active jobs would move. Stores nothing.',
    options: [['--people <count>', 'the most members who are measured again', '1000']],
    run: previewCommand.describeVersionChange,
    summarise: previewCommand.summarisePreview,
  }),
  command({
    usage: 'items delete <bank>',
    summary:
      'Delete an imported bank, or one version of it. A version that is or was in use stays, because results name it.',
    options: [['--version <version>', 'delete only this version']],
    run: bankCommands.deleteBank,
  }),
  command({
    usage: 'items versions',
    summary: 'List the versions of the parameters, the newest first, and show which one is in use.',
    run: listVersions,
    summarise: formatVersions,
  }),
  command({
    usage: 'items findings',
    summary:
      'List what calibrations and comparisons of groups found about statements, the newest first, and what was decided about it.',
    run: findingCommands.listFindings,
    summarise: findingCommands.formatFindings,
  }),
  command({
    usage: 'items decide <finding> <decision>',
    summary:
      'Decide about a finding: enemies (no member is asked both), less_weight, retire (not asked, and counts nothing) or dismiss. A worker then scores stored answers again.',
    options: [['--statement <id>', 'which statement of a dependent pair to retire']],
    run: findingCommands.decideFinding,
    summarise: findingCommands.formatChange,
  }),
  command({
    usage: 'items undo <finding>',
    summary:
      'Undo the decision about a finding. The parameters and results are again what the other decisions lead to.',
    run: findingCommands.undoDecision,
    summarise: findingCommands.formatChange,
  }),
];
