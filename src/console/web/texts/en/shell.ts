import { isolating } from '../isolated.ts'
import { pluralOf } from '../plural.ts'

const plural = pluralOf('en')

/** The frame around all pages. */
export const shell = isolating({
  product: 'Waypost',
  skipToContent: 'Skip to content',
  navigation: 'Pages of the workspace',
  /** Of pages whose words are loaded with them. */
  titles: {
    ...{ campaigns: 'Campaigns', audit: 'Audit', clients: 'Existing clients', gateway: 'Gateway' },
    ...{ templates: 'Templates', webhooks: 'Webhooks' },
  },
  /** So that a person finds them who looks for one by its name. */
  clientNames: 'Chatwoot, Typebot, Evolution API, Cloud API, Graph token, callback',
  connectClient: 'Connect Chatwoot, Typebot or another existing client',
  openNavigation: 'Open navigation',
  closeNavigation: 'Close navigation',
  groups: { messages: 'Messaging', connections: 'Connections', workspace: 'Workspace' },
  workspace: 'Workspace',
  newWorkspace: 'New workspace',
  newWorkspaceHint:
    'It has its own members, channels, keys and messages. You are its owner, and invite others. ' +
    'Settings show how many an owner may make.',
  workspaceName: 'Name',
  createWorkspace: 'Create workspace',
  noWorkspaces: 'You are a member of no workspace.',
  noWorkspacesHint: 'Ask an owner or admin of a workspace to invite you, then open the link that you receive.',
  account: 'Account',
  accountOf: (user: string) => `${user}: account and colours`,
  signOut: 'Sign out',
  documentation: 'API reference',
  guides: 'Guides',
  colorScheme: 'Colours',
  colorSchemes: { light: 'Light', dark: 'Dark', auto: 'System' },
  keyboardHelp: 'Keyboard shortcuts',
  home: 'Go to the overview',
  notFound: 'There is no such page.',
  notFoundHint: 'Check the address, or choose a page from the menu.',
  notAllowed: 'Your role cannot open this page.',
  notAllowedHint: (needed: string) => `It needs the role ${needed}. Ask an owner of the workspace.`,
  notLoaded: 'This page could not be loaded.',
  notLoadedHint: 'The connection is lost, or the gateway was updated. Reload the page.',
  reload: 'Reload',
  live: {
    live: 'Live',
    connecting: 'Connecting…',
    lost: 'Connection lost',
    lostHint: 'The page may be out of date. It reconnects by itself; at most ten pages of a user are live at once.',
    retry: 'Try now',
  },
  titleOf: (page: string) => `${page} · Waypost`,
} as const)

/** The search over the whole console, and its commands. */
export const palette = isolating({
  title: 'Search and commands',
  button: 'Search',
  placeholder: 'Search, or type a command',
  results: 'Results',
  pages: 'Pages',
  commands: 'Commands',
  workspaces: 'Workspaces',
  messagesWith: (text: string) => `Search all messages for “${text}”`,
  contactsWith: (text: string) => `Search all contacts for “${text}”`,
  conversationsWith: (text: string) => `Search all conversations for “${text}”`,
  guidesWith: (text: string) => `Search the guides for “${text}”`,
  failedWith: (code: string) => `Messages that failed with ${code}`,
  meaningOf: (code: string) => `What the error ${code} means`,
  /** Other words by which pages and forms are looked for. */
  sought: {
    '/messages': 'sent failed error',
    '/conversations': 'inbox chat reply unread',
    '/conversations?new=open': 'send write',
    '/contacts': 'block opt out unsubscribe customers',
    '/templates': 'send test',
    '/api-keys': 'revoke block token',
    '/usage': 'cost price bill money',
    '/members': 'revoke role colleague',
  },
  openWorkspace: (name: string) => `Switch to ${name}`,
  dark: 'Switch to dark',
  light: 'Switch to light',
  none: 'Nothing is found.',
  failed: (subjects: string) => `Could not be searched: ${subjects}.`,
  count: (count: number) => plural(count, 'One result', `${count} results`),
} as const)

/** The help on the keyboard. */
export const keyboard = isolating({
  title: 'Keyboard shortcuts',
  palette: 'Search everything, or run a command',
  search: 'Go to the search of the page',
  down: 'Next row of a list',
  up: 'Previous row of a list',
  open: 'Open the row',
  answer: 'Answer in a conversation',
  nextUnread: 'Next conversation with something unread',
  take: 'Assign the conversation to yourself',
  finish: 'Mark the conversation as done',
  markUnread: 'Mark the conversation as unread',
  begin: 'Write a new message',
  escape: 'Leave the search, close a dialog',
  help: 'Show this help',
} as const)
