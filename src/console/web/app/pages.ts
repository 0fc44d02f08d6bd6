import {
  type Icon,
  IconAddressBook,
  IconChartBar,
  IconGauge,
  IconHeartbeat,
  IconHistory,
  IconKey,
  IconListDetails,
  IconMessageCircle,
  IconMessages,
  IconPlugConnected,
  IconSettings,
  IconTemplate,
  IconUsers,
  IconWebhook,
} from '@tabler/icons-react'
import type { ComponentType } from 'react'
import type { UserRole } from '../../../../db/contract/roles.ts'
import { texts } from '../texts/texts.ts'

/** A page of the console. Its code is loaded when it is opened. */
export interface Page {
  /** Below `/console`, with parameters: `/w/:workspaceId/messages/:messageId`. */
  readonly path: string
  /**
   * `open`: anybody, without the frame; `signedIn`: any user; a role: members of the workspace in the path with this
   * role or a higher one. It only decides what is shown; the routes of the gateway enforce access.
   */
  readonly access: 'open' | 'signedIn' | UserRole
  readonly load: () => Promise<ComponentType>
  /** It stays while its last parameter, which may be missing, changes. */
  readonly isKept: boolean
}

/** A link of the navigation. */
interface NavigationLink {
  readonly label: string
  readonly icon: Icon
  /** Below `/console/w/{workspaceId}`; empty: the workspace's first page. */
  readonly path: string
  readonly access: UserRole
}

/** The user's own page: name, password, second factor, sign-ins. */
export const accountPath = '/account'

const templates = '/lines/:phoneNumberId/templates'
const webhook = '/webhooks/:webhookId'

/** A page below `/console/w/{workspaceId}`. */
const inside: typeof page = (path, ...rest) => page(`/w/:workspaceId${path}`, ...rest)

/** All pages. The first one whose path fits is shown. */
export const pages: readonly Page[] = [
  page('/sign-in', 'open', () => import('../pages/entry/SignIn.tsx'), 'SignInForm'),
  page('/set-up', 'open', () => import('../pages/entry/SetUp.tsx'), 'SetUp'),
  page('/invitation', 'open', () => import('../pages/entry/Invitation.tsx'), 'AcceptInvitation'),
  page(accountPath, 'signedIn', () => import('../pages/account/AccountPage.tsx'), 'AccountPage'),
  inside('', 'viewer', () => import('../pages/overview/OverviewPage.tsx'), 'OverviewPage'),
  inside('/setup', 'viewer', () => import('../pages/firstRun/FirstRunPage.tsx'), 'FirstRunPage'),
  inside('/messages', 'viewer', () => import('../pages/messages/MessagesPage.tsx'), 'MessagesPage'),
  inside('/messages/:messageId', 'viewer', () => import('../pages/messages/MessagePage.tsx'), 'MessagePage'),
  {
    ...inside(
      '/conversations/:contactId?',
      'viewer',
      () => import('../pages/conversations/ConversationsPage.tsx'),
      'ConversationsPage',
    ),
    isKept: true,
  },
  inside('/contacts', 'viewer', () => import('../pages/contacts/ContactsPage.tsx'), 'ContactsPage'),
  inside('/contacts/:contactId', 'viewer', () => import('../pages/contacts/ContactPage.tsx'), 'ContactPage'),
  inside('/channels', 'viewer', () => import('../pages/channels/ChannelsPage.tsx'), 'ChannelsPage'),
  inside('/channels/connect', 'admin', () => import('../pages/channels/ConnectPage.tsx'), 'ConnectPage'),
  inside(
    '/channels/clients/:phoneNumberId?',
    'viewer',
    () => import('../pages/clients/ClientsPage.tsx'),
    'ClientsPage',
  ),
  inside('/channels/:channelId', 'viewer', () => import('../pages/channels/ChannelPage.tsx'), 'ChannelPage'),
  inside('/templates', 'viewer', () => import('../pages/templates/LineChoice.tsx'), 'LineRedirect'),
  inside(templates, 'viewer', () => import('../pages/templates/TemplateList.tsx'), 'TemplateList'),
  inside(`${templates}/new`, 'member', () => import('../pages/templates/Editor.tsx'), 'NewTemplateEditor'),
  inside(`${templates}/:templateId/edit`, 'member', () => import('../pages/templates/Editor.tsx'), 'EditTemplate'),
  inside(`${templates}/:templateId`, 'viewer', () => import('../pages/templates/TemplatePage.tsx'), 'TemplatePage'),
  inside('/api-keys', 'admin', () => import('../pages/keys/KeysPage.tsx'), 'KeysPage'),
  inside('/requests', 'viewer', () => import('../pages/requests/RequestsPage.tsx'), 'RequestsPage'),
  inside('/requests/:requestId', 'viewer', () => import('../pages/requests/RequestPage.tsx'), 'RequestPage'),
  inside('/webhooks', 'viewer', () => import('../pages/webhooks/WebhooksPage.tsx'), 'WebhooksPage'),
  inside(webhook, 'viewer', () => import('../pages/webhooks/WebhookPage.tsx'), 'WebhookPage'),
  inside(
    `${webhook}/deliveries/:eventId`,
    'viewer',
    () => import('../pages/webhooks/DeliveryPage.tsx'),
    'DeliveryPage',
  ),
  inside('/usage', 'viewer', () => import('../pages/usage/UsagePage.tsx'), 'UsagePage'),
  inside('/members', 'viewer', () => import('../pages/members/MembersPage.tsx'), 'MembersPage'),
  inside('/audit', 'admin', () => import('../pages/audit/AuditPage.tsx'), 'AuditPage'),
  inside('/gateway', 'owner', () => import('../pages/gateway/GatewayPage.tsx'), 'GatewayPage'),
  inside('/settings', 'viewer', () => import('../pages/settings/SettingsPage.tsx'), 'SettingsPage'),
]

/** @param name of the page in the file that is loaded */
function page<Name extends string>(
  path: string,
  access: Page['access'],
  load: () => Promise<Readonly<Record<Name, ComponentType>>>,
  name: Name,
): Page {
  return { path, access, isKept: path.endsWith('?'), load: async () => (await load())[name] }
}

/** The links of a workspace, in their order. */
export const navigation: readonly NavigationLink[] = [
  { path: '', label: texts.overview.title, icon: IconGauge, access: 'viewer' },
  { path: '/messages', label: texts.messages.title, icon: IconMessages, access: 'viewer' },
  { path: '/conversations', label: texts.conversations.title, icon: IconMessageCircle, access: 'viewer' },
  { path: '/contacts', label: texts.contacts.title, icon: IconAddressBook, access: 'viewer' },
  { path: '/channels', label: texts.channels.title, icon: IconPlugConnected, access: 'viewer' },
  { path: '/templates', label: texts.shell.titles.templates, icon: IconTemplate, access: 'viewer' },
  { path: '/api-keys', label: texts.apiKeys.title, icon: IconKey, access: 'admin' },
  { path: '/requests', label: texts.requests.title, icon: IconListDetails, access: 'viewer' },
  { path: '/webhooks', label: texts.shell.titles.webhooks, icon: IconWebhook, access: 'viewer' },
  { path: '/usage', label: texts.usage.title, icon: IconChartBar, access: 'viewer' },
  { path: '/members', label: texts.members.title, icon: IconUsers, access: 'viewer' },
  { path: '/audit', label: texts.shell.titles.audit, icon: IconHistory, access: 'admin' },
  { path: '/gateway', label: texts.shell.titles.gateway, icon: IconHeartbeat, access: 'owner' },
  { path: '/settings', label: texts.settings.title, icon: IconSettings, access: 'viewer' },
]
