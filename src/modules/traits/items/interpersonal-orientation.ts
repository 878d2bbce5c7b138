import { type GradedItem, type Scenario, buildGradedItems, buildScenarios } from './item.ts';

/** Interpersonal orientation: how a member works with others and handles disagreement. `GradedRow` describes the columns. */
export const interpersonalOrientationItems: readonly GradedItem[] = [
  ...buildGradedItems('collaborative_orientation', [
    [1, '+', 1.8, -2.2, -1.1, 0.0, 1.1, 'I like to solve problems together with others.'],
    [2, '-', 2.0, -1.9, -0.6, 0.6, 1.7, 'I prefer tasks that I can do completely alone.'],
    [3, '+', 2.0, -1.8, -0.7, 0.5, 1.7, 'I put the result of the group before my own success.'],
    [4, '+', 1.6, -2.7, -1.6, -0.3, 0.8, 'I share what I know when it helps my team.'],
    [5, '+', 1.6, -2.0, -0.9, 0.1, 1.0, 'I ask colleagues for their ideas early in my work.'],
    [6, '-', 1.4, -1.2, -0.1, 1.0, 2.0, 'Working in a group slows me down.'],
    [7, '+', 1.9, -1.3, -0.2, 1.0, 2.1, 'I gladly drop my own plan when the team has a better one.'],
    [8, '+', 1.4, -1.5, -0.6, 0.4, 1.4, 'I help colleagues with tasks that bring me no credit.'],
    [9, '-', 1.8, -2.2, -1.0, 0.1, 1.1, 'I keep useful ideas to myself.'],
    [10, '+', 1.6, -0.8, 0.3, 1.4, 2.5, 'I would choose a shared success over a personal award.'],
    [11, '+', 2.0, -2.0, -0.9, 0.1, 1.0, 'I do my best work as part of a team.'],
    [12, '-', 1.8, -1.3, -0.1, 0.9, 2.1, 'I want to be judged on my own results, apart from the team.'],
  ]),
  ...buildGradedItems('social_initiative', [
    [1, '+', 1.9, -1.9, -0.7, 0.5, 1.8, 'I start conversations with people I have just met.'],
    [2, '-', 1.9, -1.7, -0.6, 0.4, 1.5, 'In a group I wait for others to start talking.'],
    [3, '+', 1.9, -1.6, -0.5, 0.5, 1.5, 'In a meeting I am often the first to speak.'],
    [4, '+', 1.4, -2.5, -1.5, -0.4, 0.6, 'I give my opinion when somebody asks for it.'],
    [5, '-', 1.9, -1.2, -0.2, 1.0, 2.1, 'I feel shy when I must talk to a senior person.'],
    [6, '+', 1.6, -2.3, -1.1, 0.0, 1.2, 'I introduce myself to new colleagues.'],
    [7, '+', 1.7, -1.2, -0.2, 0.9, 2.0, 'I take the lead when a group has lost its direction.'],
    [8, '+', 1.4, -1.6, -0.6, 0.5, 1.5, 'I bring people together who could help each other.'],
    [9, '-', 1.4, -2.3, -1.1, 0.1, 1.2, 'I leave it to others to present our work.'],
    [10, '+', 1.5, -0.9, 0.2, 1.4, 2.6, 'I enjoy speaking in front of a large audience.'],
    [11, '+', 2.0, -2.1, -1.0, 0.1, 1.1, 'I share my ideas openly in a large group.'],
    [12, '-', 1.8, -1.6, -0.6, 0.5, 1.4, 'I stay in the background when many people meet.'],
  ]),
  ...buildGradedItems('empathic_attunement', [
    [1, '+', 1.8, -2.1, -1.0, 0.1, 1.1, 'I notice when a colleague is upset.'],
    [2, '+', 2.0, -1.6, -0.5, 0.4, 1.5, 'I see how people feel before they tell me.'],
    [3, '-', 2.0, -1.8, -0.7, 0.5, 1.7, 'I often learn too late that my words have hurt someone.'],
    [4, '+', 1.4, -2.7, -1.6, -0.4, 0.7, 'I listen with care when somebody tells me about a problem.'],
    [5, '+', 1.5, -1.7, -0.6, 0.5, 1.6, 'I choose my words to suit the feelings of the other person.'],
    [6, '-', 1.5, -2.1, -1.0, 0.1, 1.1, 'The feelings of colleagues play little part in my decisions.'],
    [7, '+', 1.7, -1.1, -0.2, 0.8, 1.9, 'I notice small changes in the mood of a group.'],
    [8, '+', 1.3, -2.1, -1.0, 0.1, 1.0, 'I give people time to tell me how they really are.'],
    [9, '-', 1.3, -1.4, -0.2, 0.9, 2.2, 'I find it hard to understand why people become emotional.'],
    [10, '+', 1.4, -0.6, 0.3, 1.3, 2.3, 'Even in a very busy hour, I notice who needs support.'],
    [11, '+', 2.0, -1.1, -0.1, 1.0, 2.0, 'I understand from small signs what others feel.'],
    [12, '-', 1.7, -1.5, -0.5, 0.4, 1.4, 'I often miss the signs that a colleague is unhappy.'],
  ]),
];

/** Six situations. The order of the options varies, so that a position does not reveal the way of acting. */
export const conflictStyleScenarios: readonly Scenario[] = buildScenarios('conflict_style', [
  {
    number: 1,
    text: 'A colleague and you want different designs for the same product.',
    options: [
      { value: 'competing', text: 'Argue firmly for my design until it is chosen.' },
      {
        value: 'compromising',
        text: 'Take some parts of each design, so that both of us give up something.',
      },
      { value: 'accommodating', text: 'Let the design of my colleague go ahead.' },
      { value: 'collaborating', text: 'Build a design with my colleague that meets the aims of both.' },
      { value: 'avoiding', text: 'Leave the question open for now and let the tension pass.' },
    ],
  },
  {
    number: 2,
    text: 'Your team and another team both want the last part of a budget.',
    options: [
      { value: 'collaborating', text: 'Meet the other team to find a plan that serves all needs.' },
      { value: 'avoiding', text: 'Stay out of the discussion.' },
      { value: 'competing', text: 'Push hard for my team to get the money.' },
      { value: 'compromising', text: 'Suggest that each team receives a part of the money.' },
      { value: 'accommodating', text: 'Offer the money to the other team.' },
    ],
  },
  {
    number: 3,
    text: 'A colleague criticises your work in a meeting.',
    options: [
      { value: 'compromising', text: 'Accept one part of the criticism and keep the other part as it is.' },
      { value: 'accommodating', text: 'Accept the criticism and change the work as asked.' },
      {
        value: 'collaborating',
        text: 'Ask what lies behind the criticism and look for a solution together.',
      },
      { value: 'avoiding', text: 'Say little and move on to the next topic.' },
      { value: 'competing', text: 'Defend my work at once with strong arguments.' },
    ],
  },
  {
    number: 4,
    text: 'You and a colleague want the same week off, and one of you must be at work.',
    options: [
      { value: 'avoiding', text: 'Wait and see whether the problem goes away.' },
      { value: 'competing', text: 'Insist on the week that I asked for.' },
      { value: 'compromising', text: 'Share the week, with some of the days for each of us.' },
      { value: 'accommodating', text: 'Let my colleague have the week.' },
      { value: 'collaborating', text: 'Find out what each of us really needs and plan around it.' },
    ],
  },
  {
    number: 5,
    text: 'A customer complains about a delay that, in your view, the customer caused.',
    options: [
      { value: 'accommodating', text: 'Accept the complaint and do what the customer asks.' },
      {
        value: 'collaborating',
        text: 'Go through the whole process with the customer to find a lasting answer.',
      },
      { value: 'avoiding', text: 'Keep my reply short and leave the question of fault aside.' },
      { value: 'competing', text: 'Show the customer clearly where the fault lies.' },
      { value: 'compromising', text: 'Offer to carry a part of the cost if the customer carries the rest.' },
    ],
  },
  {
    number: 6,
    text: 'A colleague wants many team meetings, and you want few.',
    options: [
      { value: 'compromising', text: 'Propose a number of meetings between the two wishes.' },
      { value: 'competing', text: 'Make the case for my view until the team follows it.' },
      { value: 'avoiding', text: 'Keep quiet about it and wait for a better moment.' },
      {
        value: 'collaborating',
        text: 'Ask what each person needs from meetings and design a new form together.',
      },
      { value: 'accommodating', text: 'Go along with the wish of my colleague.' },
    ],
  },
]);
