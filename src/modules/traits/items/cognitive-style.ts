import { type GradedItem, type Scenario, buildGradedItems, buildScenarios } from './item.ts';

/** Cognitive style: how a member thinks, explores, plans and decides. `GradedRow` describes the columns. */
export const cognitiveStyleItems: readonly GradedItem[] = [
  ...buildGradedItems('analytical_depth', [
    [1, '+', 1.8, -2.2, -1.0, 0.0, 1.3, 'I like to find out exactly why something works.'],
    [2, '+', 2.0, -1.7, -0.6, 0.4, 1.7, 'I enjoy dividing a hard problem into smaller parts.'],
    [3, '-', 2.0, -1.7, -0.6, 0.5, 1.4, 'I prefer tasks that need little thinking.'],
    [4, '+', 1.4, -2.6, -1.6, -0.3, 0.8, 'I check the facts before I accept a claim.'],
    [5, '+', 1.8, -1.8, -0.6, 0.4, 1.7, 'I follow an argument step by step to its end.'],
    [6, '-', 1.6, -2.3, -1.2, 0.1, 1.2, 'I accept the first explanation that sounds right.'],
    [7, '+', 1.5, -1.4, -0.2, 1.0, 2.1, 'I read technical texts with pleasure.'],
    [8, '+', 1.3, -2.3, -1.0, 0.1, 1.3, 'When someone proposes a plan, I ask what supports it.'],
    [9, '-', 1.3, -1.3, -0.2, 1.0, 2.0, 'Detailed analysis makes me impatient.'],
    [10, '+', 1.5, -0.7, 0.3, 1.3, 2.4, 'I can spend a whole day happily on one hard question.'],
    [11, '+', 1.9, -1.3, -0.1, 1.0, 2.1, 'I look for the deepest cause of a problem.'],
    [12, '-', 1.7, -2.2, -1.0, 0.0, 1.1, 'I leave complex questions to other people.'],
  ]),
  ...buildGradedItems('exploratory_curiosity', [
    [1, '+', 1.7, -2.3, -1.2, 0.2, 1.3, 'I like to learn about subjects outside my own job.'],
    [2, '-', 2.0, -1.8, -0.5, 0.6, 1.7, 'I only care about ideas that I can use right away.'],
    [3, '+', 2.0, -1.7, -0.6, 0.5, 1.7, 'I look for new ideas in fields far from my own.'],
    [4, '+', 1.5, -2.4, -1.6, -0.3, 0.6, 'I ask questions when I meet something new to me.'],
    [5, '+', 1.6, -1.7, -0.6, 0.4, 1.6, 'I often think about how things could be done differently.'],
    [6, '-', 1.6, -2.2, -1.0, 0.1, 1.1, 'I prefer to stay with the topics that I already know.'],
    [7, '+', 1.9, -1.2, -0.2, 1.0, 2.0, 'I try out ideas just to see what happens.'],
    [8, '+', 1.4, -1.6, -0.6, 0.4, 1.4, 'I talk with people in other professions to learn from them.'],
    [9, '-', 1.2, -1.3, -0.1, 1.0, 2.1, 'Discussions about unusual ideas are lost time for me.'],
    [10, '+', 1.6, -1.0, 0.4, 1.5, 2.6, 'Every week I study something far beyond my tasks.'],
    [11, '+', 1.9, -2.2, -1.1, 0.1, 1.3, 'New knowledge attracts me in almost every field.'],
    [12, '-', 1.9, -1.1, -0.1, 1.0, 2.1, 'I read only what my present task requires.'],
  ]),
  ...buildGradedItems('structure_preference', [
    [1, '+', 1.7, -2.4, -1.1, 0.0, 1.4, 'I plan my work before I begin.'],
    [2, '+', 1.9, -1.6, -0.5, 0.4, 1.6, 'I keep my notes in a clear order.'],
    [3, '-', 1.9, -1.8, -0.5, 0.4, 1.6, 'I begin my day without a plan and see where it leads.'],
    [4, '+', 1.6, -2.8, -1.5, -0.5, 0.7, 'I write down the tasks that I have to do.'],
    [5, '+', 1.7, -1.8, -0.7, 0.5, 1.7, 'I set my own dates for each part of a large project.'],
    [6, '-', 1.8, -2.0, -1.0, 0.1, 1.1, 'I lose time because I must search for my things.'],
    [7, '+', 1.6, -1.2, -0.2, 1.0, 2.0, 'My workplace is tidy at the end of the day.'],
    [8, '+', 1.4, -2.2, -1.1, 0.1, 1.2, 'I like meetings that follow a clear agenda.'],
    [9, '-', 1.3, -1.2, -0.1, 1.0, 2.0, 'I leave preparations until the last moment.'],
    [10, '+', 1.4, -0.8, 0.2, 1.4, 2.5, 'In the morning I know what I will do at each hour.'],
    [11, '+', 2.0, -1.2, -0.2, 1.0, 2.0, 'I organise my time with great care.'],
    [12, '-', 1.8, -1.7, -0.7, 0.4, 1.7, 'Other people would call my way of working disorderly.'],
  ]),
];

/** Six situations. The order of the options varies, so that a position does not reveal the way of acting. */
export const decisionModeScenarios: readonly Scenario[] = buildScenarios('decision_mode', [
  {
    number: 1,
    text: 'You have to choose between two suppliers.',
    options: [
      { value: 'rational', text: 'Compare prices, quality and risks in a table.' },
      { value: 'consultative', text: 'Ask several colleagues what they think and then choose.' },
      { value: 'deferring', text: 'Let my manager make the choice.' },
      { value: 'intuitive', text: 'Choose the one that feels right to me.' },
      { value: 'spontaneous', text: 'Pick one at once and go on with the work.' },
    ],
  },
  {
    number: 2,
    text: 'You are offered a new role in another department.',
    options: [
      { value: 'intuitive', text: 'Listen to my inner feeling about it.' },
      { value: 'spontaneous', text: 'Say yes or no in the first moment.' },
      { value: 'rational', text: 'Write down the advantages and disadvantages and weigh them.' },
      { value: 'consultative', text: 'Talk it over with people whose judgement I trust.' },
      { value: 'deferring', text: 'Leave the answer to my present manager.' },
    ],
  },
  {
    number: 3,
    text: 'A tool that you need stops working, and it could be repaired in several ways.',
    options: [
      { value: 'consultative', text: 'Call colleagues together and hear their ideas.' },
      { value: 'deferring', text: 'Leave it to somebody else to decide about the repair.' },
      { value: 'intuitive', text: 'Follow my sense of where the problem is.' },
      { value: 'spontaneous', text: 'Try the first repair that comes to mind.' },
      { value: 'rational', text: 'Study the likely causes and test them in order.' },
    ],
  },
  {
    number: 4,
    text: 'You have to choose one of several good candidates for your team.',
    options: [
      { value: 'spontaneous', text: 'Make an offer right after the first good conversation.' },
      { value: 'rational', text: 'Rate each candidate on the same criteria.' },
      { value: 'consultative', text: 'Hear the views of the team before I choose.' },
      { value: 'deferring', text: 'Leave the choice to the personnel department.' },
      { value: 'intuitive', text: 'Trust my impression of the person.' },
    ],
  },
  {
    number: 5,
    text: 'Your project is late, and you have to leave out one part of it.',
    options: [
      { value: 'deferring', text: 'Wait until somebody with more authority decides.' },
      { value: 'intuitive', text: 'Leave out the part that feels least important to me.' },
      { value: 'spontaneous', text: 'Leave out the next part in line and go on at once.' },
      { value: 'rational', text: 'Estimate the value and the cost of each part.' },
      { value: 'consultative', text: 'Ask users and colleagues which part they would miss least.' },
    ],
  },
  {
    number: 6,
    text: 'You have to choose the main topic of an event for customers.',
    options: [
      { value: 'consultative', text: 'Gather the opinions of customers and colleagues.' },
      { value: 'rational', text: 'Study the results of past events and draw a conclusion.' },
      { value: 'spontaneous', text: 'Take the first good idea and start.' },
      { value: 'intuitive', text: 'Take the topic that speaks to me most.' },
      { value: 'deferring', text: 'Leave the topic open until others settle it.' },
    ],
  },
]);
