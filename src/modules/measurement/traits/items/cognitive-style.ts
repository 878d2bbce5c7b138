import { type GradedItem, type Scenario, buildGradedItems, buildScenarios } from './item.ts';

/** Cognitive style: how a member thinks, explores, plans and decides. `GradedRow` describes the columns. */
export const cognitiveStyleItems: readonly GradedItem[] = [
  ...buildGradedItems('analytical_depth', [
    [1, '+', 1.8, -2.2, -1.0, 0.0, 1.3, 'I like to find out just why a thing works.'],
    [2, '+', 2.0, -1.7, -0.6, 0.4, 1.7, 'I enjoy breaking a hard problem into small parts.'],
    [3, '-', 2.0, -1.7, -0.6, 0.5, 1.4, 'I like tasks best when they need little thought.'],
    [5, '+', 1.8, -1.8, -0.6, 0.4, 1.7, 'I think an idea through, step by step, to its end.'],
    [6, '-', 1.6, -2.3, -1.2, 0.1, 1.2, 'I accept the first reason that sounds right.'],
    [8, '+', 1.3, -2.3, -1.0, 0.1, 1.3, 'When someone shows me a plan, I ask for the reasons.'],
    [10, '+', 1.5, -0.7, 0.3, 1.3, 2.4, 'I can happily spend a whole day on one hard question.'],
    [11, '+', 1.9, -1.3, -0.1, 1.0, 2.1, 'I look for the true cause of a problem.'],
    [12, '-', 1.7, -2.2, -1.0, 0.0, 1.1, 'I leave hard questions to other people.'],
    [13, '-', 1.5, -1.4, -0.2, 1.0, 2.1, 'When a thing works, I leave the reasons to others.'],
    [14, '-', 1.3, -1.3, -0.2, 1.0, 2.0, 'I would rather act than think a problem through.'],
    [15, '-', 1.4, -2.6, -1.6, -0.3, 0.8, 'I trust a claim when it comes from someone I like.'],
  ]),
  ...buildGradedItems('exploratory_curiosity', [
    [1, '+', 1.7, -2.3, -1.2, 0.2, 1.3, 'I like to learn things far from my daily tasks.'],
    [2, '-', 2.0, -1.8, -0.5, 0.6, 1.7, 'I only care about ideas that I can use right away.'],
    [3, '+', 2.0, -1.7, -0.6, 0.5, 1.7, 'I look for new ideas in fields far from my own.'],
    [4, '+', 1.5, -2.4, -1.6, -0.3, 0.6, 'I ask questions when I meet something new to me.'],
    [5, '+', 1.6, -1.7, -0.6, 0.4, 1.6, 'I often think about how a thing could be done in another way.'],
    [6, '-', 1.6, -2.2, -1.0, 0.1, 1.1, 'I like to stay with topics that I know well.'],
    [7, '+', 1.9, -1.2, -0.2, 1.0, 2.0, 'I try out ideas just to see what happens.'],
    [9, '-', 1.2, -1.3, -0.1, 1.0, 2.1, 'Talk about strange ideas is lost time for me.'],
    [12, '-', 1.9, -1.1, -0.1, 1.0, 2.1, 'I learn only what my present task needs.'],
    [13, '-', 1.4, -1.6, -0.6, 0.4, 1.4, 'I leave it to experts to know how things work.'],
    [14, '+', 1.6, -1.0, 0.4, 1.5, 2.6, 'I often look things up just because they puzzle me.'],
    [15, '-', 1.9, -2.2, -1.1, 0.1, 1.3, 'Few subjects apart from my own appeal to me.'],
  ]),
  ...buildGradedItems('structure_preference', [
    [1, '+', 1.7, -2.4, -1.1, 0.0, 1.4, 'I plan my work before I begin.'],
    [2, '+', 1.9, -1.6, -0.5, 0.4, 1.6, 'I keep my things in a clear order.'],
    [3, '-', 1.9, -1.8, -0.5, 0.4, 1.6, 'I begin my day without a plan and see where it leads.'],
    [4, '+', 1.6, -2.8, -1.5, -0.5, 0.7, 'I keep a list of the things I have to do.'],
    [5, '+', 1.7, -1.8, -0.7, 0.5, 1.7, 'I split a large job into steps and set a date for each.'],
    [9, '-', 1.3, -1.2, -0.1, 1.0, 2.0, 'I get ready at the last moment.'],
    [10, '+', 1.4, -0.8, 0.2, 1.4, 2.5, 'In the morning I know what I will do at each hour.'],
    [11, '+', 2.0, -1.2, -0.2, 1.0, 2.0, 'I plan my time with great care.'],
    [13, '-', 1.8, -2.0, -1.0, 0.1, 1.1, 'I put things down wherever there is room.'],
    [14, '-', 1.6, -1.2, -0.2, 1.0, 2.0, 'I am at ease in a messy place.'],
    [15, '-', 1.4, -2.2, -1.1, 0.1, 1.2, 'I like to leave open what each day will bring.'],
    [16, '-', 1.8, -1.7, -0.7, 0.4, 1.7, 'I work on whatever comes to my mind first.'],
  ]),
];

/** Six situations. The order of the options varies, so that a position does not reveal the way of acting. */
export const decisionModeScenarios: readonly Scenario[] = buildScenarios('decision_mode', [
  {
    number: 1,
    text: 'You have to choose between two offers for a tool that you need.',
    options: [
      { value: 'rational', text: 'Compare price, quality and risk side by side.' },
      { value: 'consultative', text: 'Ask a few people what they think and then choose.' },
      { value: 'deferring', text: 'Let someone else make the choice.' },
      { value: 'intuitive', text: 'Take the one that feels right to me.' },
      { value: 'spontaneous', text: 'Pick one at once and move on.' },
    ],
  },
  {
    number: 2,
    text: 'You are offered a new task that would change your days a lot.',
    options: [
      { value: 'intuitive', text: 'Listen to my inner feeling about it.' },
      { value: 'spontaneous', text: 'Say yes or no in the first moment.' },
      { value: 'rational', text: 'Write down what speaks for it and against it.' },
      { value: 'consultative', text: 'Talk it over with people I trust.' },
      { value: 'deferring', text: 'Leave the answer to someone who knows me well.' },
    ],
  },
  {
    number: 3,
    text: 'A tool that you need stops working. It could be fixed in more than one way.',
    options: [
      { value: 'consultative', text: 'Ask others to think about it with me.' },
      { value: 'deferring', text: 'Leave it to someone else to decide how to fix it.' },
      { value: 'intuitive', text: 'Follow my sense of where the problem is.' },
      { value: 'spontaneous', text: 'Try the first repair that comes to mind.' },
      { value: 'rational', text: 'Test the likely causes one by one.' },
    ],
  },
  {
    number: 4,
    text: 'You need help with a task and have to choose one of several good people.',
    options: [
      { value: 'spontaneous', text: 'Ask the first one I get on well with.' },
      { value: 'rational', text: 'Rate each of them on the same points.' },
      { value: 'consultative', text: 'Ask what others think before I choose.' },
      { value: 'deferring', text: 'Let others pick someone for me.' },
      { value: 'intuitive', text: 'Trust my feeling about the person.' },
    ],
  },
  {
    number: 5,
    text: 'Your work is late, and you have to leave out one part of it.',
    options: [
      { value: 'deferring', text: 'Wait until someone else decides.' },
      { value: 'intuitive', text: 'Leave out the part that feels least needed.' },
      { value: 'spontaneous', text: 'Leave out the next part in line and go on at once.' },
      { value: 'rational', text: 'Work out the value and the cost of each part.' },
      { value: 'consultative', text: 'Ask the people it is for which part they would miss least.' },
    ],
  },
  {
    number: 6,
    text: 'You have to choose what a group will do on a day out.',
    options: [
      { value: 'consultative', text: 'Gather the wishes of the people who will come.' },
      { value: 'rational', text: 'Look at what worked well in the past, and why.' },
      { value: 'spontaneous', text: 'Take the first good idea and start.' },
      { value: 'intuitive', text: 'Take the idea that speaks to me most.' },
      { value: 'deferring', text: 'Leave it open until others settle it.' },
    ],
  },
]);
