import { isolating } from '../isolated.ts'
/** Who wants no marketing messages, and what becomes of them. */
export const optOuts = isolating({
  title: 'Opt-outs',
  save: 'Save opt-outs',
  hint: 'By which words people opt out of marketing messages, and what becomes of marketing to them.',
  onOptOut: 'Marketing templates to people who opted out',
  onOptOutHint: 'What counts is the category in which the platform lists them now. An API key may have its own rule.',
  choices: { refuse: 'Are refused', send: 'Are sent' },
  asWorkspace: 'As the workspace has it',
  stopWords: 'Words that opt out',
  stopWordsHint:
    'With commas between them. One counts when it is the whole message, in any case. Empty: no word opts out.',
  startWords: 'Words that take it back',
  startWordsHint: 'They count in the same way.',
  answer: 'Answer to people who opt out by a word',
  answerHint: 'An ordinary message, sent once. Empty: none.',
  noAnswer: 'None',

  refusedHint: 'This workspace refuses marketing to people who want none. An admin decides that in the settings.',
  toSettings: 'Settings',

  sources: {
    platform: () => 'Told the platform',
    word: (word: string) => `Wrote “${word}”`,
    member: (by: string) => `By ${by}`,
    key: (by: string) => `By API key ${by}`,
    operator: () => 'By a command',
  },
  acts: {
    stop: {
      label: 'Stop marketing…',
      title: 'Opt this person out of marketing?',
      question: 'For people who asked for it in another way. Other messages still reach them.',
      confirm: 'Stop marketing',
    },
    resume: {
      label: 'Allow marketing…',
      title: 'Opt this person in again?',
      question: 'Only if the person asked for it. What it told the platform stays, and the platform goes by that.',
      confirm: 'Allow marketing',
    },
  },
} as const)
