import { isolating } from '../isolated.ts'
/** What a user prefers of the console. */
export const preferences = isolating({
  title: 'Preferences',
  hint: 'They hold on every device on which you sign in, and are saved at once.',
  language: 'Language',
  languageHint: 'The page is loaded again in it. Messages stay as they were written.',
  languageOfBrowser: 'The browser’s',
  enterSends: 'Enter key in a conversation',
  enterSendsHint: 'If Enter sends, Shift+Enter begins a new line. Ctrl+Enter, on a Mac ⌘+Enter, always sends.',
  enterChoices: {
    auto: 'Sends, except on a phone',
    sends: 'Sends',
    breaks: 'Begins a line',
  },
  notifications: 'Tell me of new messages in conversations',
  notificationsHint:
    'By notifications of the browser, while a tab of the console is open and you look at something else.',
  notificationChoices: { off: 'Off', mine: 'In mine', all: 'In all' },
  sound: 'With a sound',
  notificationText: 'Show what was written',
  notificationTextHint: 'Without it they show the name alone. Others may see your screen.',
  unavailable: 'This browser shows notifications only where the console has an https:// address.',
  ask: 'This browser has not been asked yet.',
  allow: 'Allow in this browser',
  denied: 'This browser refuses notifications',
  deniedHint:
    'It does not ask again. Allow them for this address in the settings of the browser, then reload the page.',
} as const)
