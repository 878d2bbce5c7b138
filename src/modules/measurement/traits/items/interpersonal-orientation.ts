import { type GradedItem, type Scenario, buildGradedItems, buildScenarios } from './item.ts';

/** Interpersonal orientation: how a member works with others and handles disagreement. `GradedRow` describes the columns. */
export const interpersonalOrientationItems: readonly GradedItem[] = [
  ...buildGradedItems('collaborative_orientation', [
    [1, '+', 1.8, -2.2, -1.1, 0.0, 1.1, 'I like to solve problems together with others.'],
    [2, '-', 2.0, -1.9, -0.6, 0.6, 1.7, 'I like tasks best when I can do them all alone.'],
    [
      3,
      '+',
      2.0,
      -1.8,
      -0.7,
      0.5,
      1.7,
      'I put the result of the group before my own success.',
      'may_not_apply',
    ],
    [4, '+', 1.6, -2.7, -1.6, -0.3, 0.8, 'I share what I know when it helps others.'],
    [5, '+', 1.6, -2.0, -0.9, 0.1, 1.0, 'I ask other people for ideas early in my work.'],
    [6, '-', 1.4, -1.2, -0.1, 1.0, 2.0, 'Working with others slows me down.', 'may_not_apply'],
    [7, '+', 1.9, -1.3, -0.2, 1.0, 2.1, 'I gladly drop my plan when someone has a better one.'],
    [8, '+', 1.4, -1.5, -0.6, 0.4, 1.4, 'I help others with tasks that bring me no credit.'],
    [9, '-', 1.8, -2.2, -1.0, 0.1, 1.1, 'I keep my best ideas to myself.'],
    [12, '-', 1.8, -1.3, -0.1, 0.9, 2.1, 'I want to be judged on my own part alone.', 'may_not_apply'],
    [13, '-', 1.6, -0.8, 0.3, 1.4, 2.5, 'I would rather win alone than share a success.'],
    [14, '-', 2.0, -2.0, -0.9, 0.1, 1.0, 'I do my best work on my own.'],
  ]),
  ...buildGradedItems('social_initiative', [
    [1, '+', 1.9, -1.9, -0.7, 0.5, 1.8, 'I like to start a talk with people I have just met.'],
    [2, '-', 1.9, -1.7, -0.6, 0.4, 1.5, 'In a group I wait for others to start.', 'may_not_apply'],
    [3, '+', 1.9, -1.6, -0.5, 0.5, 1.5, 'When people meet, I am often the first to say something.'],
    [6, '+', 1.6, -2.3, -1.1, 0.0, 1.2, 'I tell new people who I am before they ask.'],
    [7, '+', 1.7, -1.2, -0.2, 0.9, 2.0, 'I take the lead when a group has lost its way.', 'may_not_apply'],
    [8, '+', 1.4, -1.6, -0.6, 0.5, 1.5, 'I bring people together who could help each other.'],
    [9, '-', 1.4, -2.3, -1.1, 0.1, 1.2, 'I leave it to others to speak for the group.', 'may_not_apply'],
    [12, '-', 1.8, -1.6, -0.6, 0.5, 1.4, 'I stay in the background when many people meet.'],
    [13, '-', 1.4, -2.5, -1.5, -0.4, 0.6, 'I keep my view to myself until someone asks.'],
    [14, '-', 1.9, -1.2, -0.2, 1.0, 2.1, 'I let others make the first contact.'],
    [15, '+', 1.5, -0.9, 0.2, 1.4, 2.6, 'I enjoy it when all eyes are on me.'],
    [16, '-', 2.0, -2.1, -1.0, 0.1, 1.1, 'I let others decide what a group does next.', 'may_not_apply'],
  ]),
  ...buildGradedItems('empathic_attunement', [
    [5, '+', 1.5, -1.7, -0.6, 0.5, 1.6, 'I choose my words to suit the feelings of others.'],
    [6, '-', 1.5, -2.1, -1.0, 0.1, 1.1, 'The feelings of others play little part in my choices.'],
    [8, '+', 1.3, -2.1, -1.0, 0.1, 1.0, 'I give people time to tell me how they really are.'],
    [10, '+', 1.4, -0.6, 0.3, 1.3, 2.3, 'Even when I am very busy, I ask who needs help.'],
    [13, '+', 1.8, -2.1, -1.0, 0.1, 1.1, 'I ask people how they are when they seem upset.'],
    [14, '+', 2.0, -1.6, -0.5, 0.4, 1.5, 'I think about how my words will feel to others.'],
    [15, '-', 2.0, -1.8, -0.7, 0.5, 1.7, 'I make choices before I ask how others feel about them.'],
    [16, '+', 1.4, -2.7, -1.6, -0.4, 0.7, 'I take time for people who tell me about a problem.'],
    [17, '-', 1.7, -1.1, -0.2, 0.8, 1.9, 'The mood of a group matters little to me.', 'may_not_apply'],
    [18, '-', 1.3, -1.4, -0.2, 0.9, 2.2, 'I lose patience with people who show strong feelings.'],
    [19, '-', 2.0, -1.1, -0.1, 1.0, 2.0, 'I change the topic when someone talks about feelings.'],
    [20, '-', 1.7, -1.5, -0.5, 0.4, 1.4, 'When someone is sad, I leave it to others to help.'],
  ]),
];

/** Six situations. The order of the options varies, so that a position does not reveal the way of acting. */
export const conflictStyleScenarios: readonly Scenario[] = buildScenarios('conflict_style', [
  {
    number: 1,
    text: 'You share a task with someone who wants to do it in another way than you.',
    options: [
      { value: 'competing', text: 'Argue for my way until it is chosen.' },
      { value: 'compromising', text: 'Take some parts of each way, so that both of us give up something.' },
      { value: 'accommodating', text: 'Let the other person do it their way.' },
      { value: 'collaborating', text: 'Build a new way that meets the aims of both.' },
      { value: 'avoiding', text: 'Leave the question open for now and let the tension pass.' },
    ],
  },
  {
    number: 2,
    text: 'You and someone else both need the same tool on the same day.',
    options: [
      { value: 'collaborating', text: 'Work out a plan together that serves both needs.' },
      { value: 'avoiding', text: 'Stay out of it and use something else.' },
      { value: 'competing', text: 'Push hard to get the tool.' },
      { value: 'compromising', text: 'Suggest that each of us has it for half of the day.' },
      { value: 'accommodating', text: 'Let the other person have the tool.' },
    ],
  },
  {
    number: 3,
    text: 'Someone finds fault with your work while others are there.',
    options: [
      { value: 'compromising', text: 'Accept one part of it and keep the other part as it is.' },
      { value: 'accommodating', text: 'Accept it and change the work as asked.' },
      { value: 'collaborating', text: 'Ask what lies behind it and look for an answer together.' },
      { value: 'avoiding', text: 'Say little and move on to the next topic.' },
      { value: 'competing', text: 'Defend my work at once with strong reasons.' },
    ],
  },
  {
    number: 4,
    text: 'You and someone else want the same week off, and one of you has to stay.',
    options: [
      { value: 'avoiding', text: 'Wait and see if the problem goes away.' },
      { value: 'competing', text: 'Insist on the week that I asked for.' },
      { value: 'compromising', text: 'Share the week, with some of the days for each of us.' },
      { value: 'accommodating', text: 'Let the other person have the week.' },
      { value: 'collaborating', text: 'Find out what each of us really needs and plan around it.' },
    ],
  },
  {
    number: 5,
    text: 'Someone complains about a delay that, in your view, they caused.',
    options: [
      { value: 'accommodating', text: 'Accept the complaint and do what they ask.' },
      { value: 'collaborating', text: 'Go through it all with them to find a lasting answer.' },
      { value: 'avoiding', text: 'Keep my reply short and leave the question of fault aside.' },
      { value: 'competing', text: 'Show them clearly where the fault lies.' },
      { value: 'compromising', text: 'Offer to carry part of the cost if they carry the rest.' },
    ],
  },
  {
    number: 6,
    text: 'Someone wants to talk about a shared task every day. You would rather do so once a week.',
    options: [
      { value: 'compromising', text: 'Propose a number of talks between the two wishes.' },
      { value: 'competing', text: 'Make the case for my view until they follow it.' },
      { value: 'avoiding', text: 'Keep quiet about it and wait for a better moment.' },
      { value: 'collaborating', text: 'Ask what each of us wants from the talks and plan them together.' },
      { value: 'accommodating', text: 'Go along with what the other person wants.' },
    ],
  },
]);
