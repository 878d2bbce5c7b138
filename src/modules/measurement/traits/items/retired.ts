import { type GradedItem, buildGradedItems } from './item.ts';

/**
 * Statements of earlier versions of the texts that are no longer asked, because they depended on health or on having an office, a team or a
 * manager, or because more statements of the other key were needed. They remain so that stored answers to them can be scored and exported.
 */
export const retiredItems: readonly GradedItem[] = [
  ...buildGradedItems('pressure_response', [
    [7, '+', 1.4, -0.9, 0.2, 1.3, 2.4, 'I like to be the person who handles an emergency.'],
    [8, '-', 2.0, -2.1, -0.9, 0.1, 1.0, 'Under heavy demands I find it hard to think.'],
    [9, '+', 1.5, -2.1, -1.0, 0.0, 1.1, 'I speak in a steady voice when a meeting becomes tense.'],
    [10, '-', 1.3, -1.3, -0.2, 1.0, 2.2, 'Before an important presentation I lose my focus.'],
    [12, '-', 1.9, -1.1, -0.1, 0.9, 2.0, 'Tight deadlines make me tense.'],
  ]),
  ...buildGradedItems('ambiguity_tolerance', [
    [5, '+', 1.2, -2.7, -1.6, -0.4, 0.9, 'I accept that some plans stay open for a while.'],
    [10, '+', 1.5, -0.7, 0.4, 1.5, 2.5, 'I choose an unclear new task over a clear old one.'],
  ]),
  ...buildGradedItems('change_agility', [
    [6, '-', 1.9, -2.1, -0.9, 0.1, 1.0, 'It takes me a long time to adjust to a new process.'],
    [7, '+', 1.2, -1.9, -0.6, 0.5, 1.6, 'A change in my team gives me fresh energy.'],
    [8, '+', 1.7, -1.3, -0.2, 0.9, 2.1, 'I can switch to a very different task within minutes.'],
    [9, '-', 1.2, -1.2, -0.1, 0.8, 2.0, 'Sudden changes to my schedule spoil my day.'],
    [11, '+', 2.0, -2.2, -0.9, 0.0, 1.0, 'I adjust my plans with ease when needs change.'],
  ]),
  ...buildGradedItems('recovery_resilience', [
    [1, '+', 1.9, -2.4, -1.0, 0.0, 1.2, 'After a setback at work, I soon feel well again.'],
    [2, '-', 1.9, -1.8, -0.6, 0.6, 1.8, 'I keep thinking about my mistakes for a long time.'],
    [4, '+', 1.5, -2.4, -1.4, -0.4, 0.6, 'After a hard week, a short rest gives me new energy.'],
    [5, '-', 1.7, -2.2, -1.0, 0.0, 1.2, 'One bad meeting can lower my energy for many days.'],
    [9, '-', 1.5, -1.3, -0.1, 0.9, 2.1, 'A rejection at work hurts me for a long time.'],
    [10, '+', 1.5, -0.8, 0.4, 1.3, 2.5, 'Even after a major failure, I am calm within a few days.'],
    [11, '+', 2.0, -1.2, -0.1, 1.0, 2.1, 'I recover faster from setbacks than most people do.'],
    [12, '-', 1.8, -2.1, -1.1, 0.1, 1.2, 'When a plan fails, I lose hope for a long time.'],
  ]),
  ...buildGradedItems('analytical_depth', [
    [4, '+', 1.4, -2.6, -1.6, -0.3, 0.8, 'I check the facts before I accept a claim.'],
    [7, '+', 1.5, -1.4, -0.2, 1.0, 2.1, 'I read technical texts with pleasure.'],
    [9, '-', 1.3, -1.3, -0.2, 1.0, 2.0, 'Detailed analysis makes me impatient.'],
  ]),
  ...buildGradedItems('exploratory_curiosity', [
    [8, '+', 1.4, -1.6, -0.6, 0.4, 1.4, 'I talk with people in other professions to learn from them.'],
    [10, '+', 1.6, -1.0, 0.4, 1.5, 2.6, 'Every week I study something far beyond my tasks.'],
    [11, '+', 1.9, -2.2, -1.1, 0.1, 1.3, 'New knowledge attracts me in almost every field.'],
  ]),
  ...buildGradedItems('structure_preference', [
    [6, '-', 1.8, -2.0, -1.0, 0.1, 1.1, 'I lose time because I must search for my things.'],
    [7, '+', 1.6, -1.2, -0.2, 1.0, 2.0, 'My workplace is tidy at the end of the day.'],
    [8, '+', 1.4, -2.2, -1.1, 0.1, 1.2, 'I like meetings that follow a clear agenda.'],
    [12, '-', 1.8, -1.7, -0.7, 0.4, 1.7, 'Other people would call my way of working disorderly.'],
  ]),
  ...buildGradedItems('collaborative_orientation', [
    [10, '+', 1.6, -0.8, 0.3, 1.4, 2.5, 'I would choose a shared success over a personal award.'],
    [11, '+', 2.0, -2.0, -0.9, 0.1, 1.0, 'I do my best work as part of a team.'],
  ]),
  ...buildGradedItems('social_initiative', [
    [4, '+', 1.4, -2.5, -1.5, -0.4, 0.6, 'I give my opinion when somebody asks for it.'],
    [5, '-', 1.9, -1.2, -0.2, 1.0, 2.1, 'I feel shy when I must talk to a senior person.'],
    [10, '+', 1.5, -0.9, 0.2, 1.4, 2.6, 'I enjoy speaking in front of a large audience.'],
    [11, '+', 2.0, -2.1, -1.0, 0.1, 1.1, 'I share my ideas openly in a large group.'],
  ]),
  ...buildGradedItems('empathic_attunement', [
    [1, '+', 1.8, -2.1, -1.0, 0.1, 1.1, 'I notice when a colleague is upset.'],
    [2, '+', 2.0, -1.6, -0.5, 0.4, 1.5, 'I see how people feel before they tell me.'],
    [3, '-', 2.0, -1.8, -0.7, 0.5, 1.7, 'I often learn too late that my words have hurt someone.'],
    [4, '+', 1.4, -2.7, -1.6, -0.4, 0.7, 'I listen with care when somebody tells me about a problem.'],
    [7, '+', 1.7, -1.1, -0.2, 0.8, 1.9, 'I notice small changes in the mood of a group.'],
    [9, '-', 1.3, -1.4, -0.2, 0.9, 2.2, 'I find it hard to understand why people become emotional.'],
    [11, '+', 2.0, -1.1, -0.1, 1.0, 2.0, 'I understand from small signs what others feel.'],
    [12, '-', 1.7, -1.5, -0.5, 0.4, 1.4, 'I often miss the signs that a colleague is unhappy.'],
  ]),
  ...buildGradedItems('achievement_drive', [
    [4, '+', 1.6, -2.5, -1.6, -0.5, 0.8, 'I feel proud when I do a difficult task well.'],
    [11, '+', 2.0, -2.0, -1.1, 0.1, 1.2, 'I work hard to become better at what I do.'],
  ]),
  ...buildGradedItems('autonomy_drive', [
    [4, '+', 1.4, -2.6, -1.6, -0.4, 0.7, 'I like to have a voice in how my work is organised.'],
    [7, '+', 1.9, -1.2, -0.1, 0.9, 2.0, 'I would give up some comfort for more freedom at work.'],
    [11, '+', 2.0, -1.5, -0.2, 1.0, 2.1, 'I want the main decisions about my work to be mine.'],
    [12, '-', 1.8, -1.7, -0.7, 0.5, 1.5, 'I work better under close guidance.'],
  ]),
  ...buildGradedItems('purpose_orientation', [
    [2, '-', 1.9, -1.9, -0.6, 0.5, 1.6, 'High pay is what I mainly look for in a job.'],
    [4, '+', 1.5, -2.5, -1.5, -0.4, 0.7, 'I am pleased to see that my work has helped someone.'],
    [6, '-', 1.5, -1.0, -0.1, 0.9, 1.9, 'For me, work is only a way to earn money.'],
    [7, '+', 1.9, -1.3, -0.1, 1.0, 2.1, 'I would accept lower pay for work that does more good.'],
    [10, '+', 1.6, -0.7, 0.3, 1.4, 2.4, 'Serving others is the main reason why I work.'],
    [11, '+', 1.9, -1.2, -0.2, 1.0, 2.1, 'I look for work that makes the world better.'],
    [12, '-', 1.7, -1.6, -0.5, 0.5, 1.4, 'I choose my tasks mainly for what they bring me.'],
  ]),
  ...buildGradedItems('persistence', [
    [3, '-', 2.0, -1.6, -0.5, 0.4, 1.7, 'I drop a task when it becomes tiring.'],
    [5, '-', 1.7, -1.4, -0.1, 1.0, 2.2, 'Dull tasks quickly lose my attention.'],
    [8, '+', 1.4, -2.0, -1.0, 0.1, 1.1, 'I return to an interrupted task as soon as I can.'],
    [11, '+', 2.0, -2.1, -1.1, 0.1, 1.1, 'I continue until a difficult task is finished.'],
  ]),
  ...buildGradedItems('sincerity', [
    [7, '+', 1.8, -1.3, -0.2, 1.0, 2.0, 'I describe my weaknesses honestly in a job interview.'],
    [10, '+', 1.4, -0.8, 0.4, 1.5, 2.6, 'I would rather lose an advantage than pretend.'],
  ]),
  ...buildGradedItems('fair_dealing', [
    [4, '+', 1.4, -2.5, -1.4, -0.4, 0.6, 'I give others the credit that they have earned.'],
    [7, '+', 1.7, -1.2, -0.1, 0.9, 1.9, 'I correct a payment error that is in my favour.'],
    [10, '+', 1.5, -0.9, 0.3, 1.5, 2.6, 'I would refuse a large reward if I had to be unfair for it.'],
  ]),
  ...buildGradedItems('accountability', [
    [6, '-', 1.8, -2.2, -1.1, 0.1, 1.2, 'I forget promises that I have made at work.'],
    [8, '+', 1.2, -2.1, -1.0, 0.0, 1.0, 'I check later whether my work really solved the problem.'],
    [9, '-', 1.2, -1.1, -0.2, 1.0, 2.1, 'I need a reminder before I do what I agreed to do.'],
    [11, '+', 2.0, -2.4, -1.1, 0.1, 1.4, 'I take responsibility when something in my work goes wrong.'],
  ]),
  ...buildGradedItems('discretion', [
    [4, '+', 1.4, -2.7, -1.4, -0.4, 0.8, 'I am careful with documents that hold private information.'],
    [11, '+', 2.0, -2.2, -1.1, 0.0, 1.3, 'Private information is safe with me.'],
  ]),
];
