import { isolating } from '../isolated.ts'
/** The people who get messages. */
export const contacts = isolating({
  title: 'Contacts',
  description: 'The people who wrote to you, or were added by hand.',
  add: 'Add contact',
  addConfirm: 'Add',
  search: 'Name, @username, phone number or id…',
  searchLabel: 'Search contacts',
  columns: { name: 'Name', phone: 'Phone number', window: 'You may send', created: 'Known since' },
  everything: 'Everything, for',
  onlyTemplates: 'Only templates',
  unnamed: 'No name',
  forgottenName: 'Forgotten contact',
  noMarketing: 'Wants no marketing',
  blocked: 'Blocked',
  blockedOn: 'Blocked on',
  block: 'Block…',
  blockTitle: (name: string) => `Block ${name}?`,
  blockHint:
    'What the person writes does not come any more, and nothing can be sent to the person. This holds on the line of ' +
    'the conversation, and on each other line to which the person wrote within 24 hours. You can unblock at any time.',
  blockConfirm: 'Block',
  unblock: 'Unblock…',
  unblockTitle: (name: string) => `Unblock ${name}?`,
  unblockHint: 'The person can write to all of your lines again, and you can answer.',
  unblockConfirm: 'Unblock',
  emptyTitle: 'No contact yet',
  emptyHint: 'A contact is created when somebody writes to one of your lines. Messages to phone numbers need none.',
  noneTitle: 'No contact matches',
  noneHint: 'Search for the whole phone number, or for a part of the name or the username; or show all.',

  one: 'Contact',
  facts: 'Details',
  id: 'Contact id',
  phone: 'Phone number',
  phoneHint: 'With its country code, as in +4930123456',
  optional: 'optional',
  username: 'Username',
  userId: "Platform's user id",
  created: 'Known since',
  updated: 'Last changed',
  allMessages: 'All messages to this number',
  optOut: 'Preferences',
  optOutNone: 'The person has set no preferences.',
  preferenceStop: (category: string) => `Wants no ${category}`,
  preferenceResume: (category: string) => `Wants ${category} again`,
  categories: { marketing_messages: 'marketing messages' } as Readonly<Record<string, string>>,
  history: 'Conversation',
  flows: 'Flows',
  flowOpen: 'Open',
  flowClosed: { reply: 'Answered', revalidated: 'Closed by a later send', refused: 'Refused' } as Readonly<
    Record<string, string>
  >,
  flowMessage: 'Opened by message',
  forget: 'Forget…',
  forgetTitle: 'Forget this contact?',
  forgetHint:
    'The number and the name are erased at once, and the contents of all messages after them, for good. ' +
    'A long history takes some minutes. Counts and statuses stay. ' +
    'If the person writes again, a new contact is made.',
  forgetWord: 'forget',
  forgetConfirm: 'Erase',
} as const)
