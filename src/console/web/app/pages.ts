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
import { texts } from '../texts/texts.ts'
import type { Role } from './roles.ts'

/** A page of the console. Its code is loaded when it is opened. */
export interface Page {
  /** Below `/console`, with parameters: `/w/:workspaceId/messages/:messageId`. */
  readonly path: string
  /**
   * `open`: anybody, without the frame; `signedIn`: any user; a role: members of the workspace in the path with this
   * role or a higher one. It only decides what is shown; the routes of the gateway enforce access.
   */
  readonly access: 'open' | 'signedIn' | Role
  readonly load: () => Promise<ComponentType>
  /** It stays while its parameters change. */
  readonly isKept?: true
}

/** A link of the navigation. */
interface NavigationLink {
  readonly label: string
  readonly icon: Icon
  /** Below `/console/w/{workspaceId}`; empty: the workspace's first page. */
  readonly path: string
  readonly access: Role
}

/** The user's own page: name, password, second factor, sign-ins. */
export const accountPath = '/account'

const templates = '/w/:workspaceId/lines/:phoneNumberId/templates'
const webhook = '/w/:workspaceId/webhooks/:webhookId'

/** All pages. The first one whose path fits is shown. */
export const pages: readonly Page[] = [
  page('/sign-in', 'open', () => import('../pages/entry/SignIn.tsx'), 'SignIn'),
  page('/set-up', 'open', () => import('../pages/entry/SetUp.tsx'), 'SetUp'),
  page('/invitation', 'open', () => import('../pages/entry/Invitation.tsx'), 'Invitation'),
  page(accountPath, 'signedIn', () => import('../pages/account/AccountPage.tsx'), 'AccountPage'),
  page('/w/:workspaceId', 'viewer', () => import('../pages/overview/OverviewPage.tsx'), 'OverviewPage'),
  page('/w/:workspaceId/setup', 'viewer', () => import('../pages/firstRun/FirstRunPage.tsx'), 'FirstRunPage'),
  page('/w/:workspaceId/messages', 'viewer', () => import('../pages/messages/MessagesPage.tsx'), 'MessagesPage'),
  page(
    '/w/:workspaceId/messages/:messageId',
    'viewer',
    () => import('../pages/messages/MessagePage.tsx'),
    'MessagePage',
  ),
  {
    ...page(
      '/w/:workspaceId/conversations/:contactId?',
      'viewer',
      () => import('../pages/conversations/ConversationsPage.tsx'),
      'ConversationsPage',
    ),
    isKept: true,
  },
  page('/w/:workspaceId/contacts', 'viewer', () => import('../pages/contacts/ContactsPage.tsx'), 'ContactsPage'),
  page(
    '/w/:workspaceId/contacts/:contactId',
    'viewer',
    () => import('../pages/contacts/ContactPage.tsx'),
    'ContactPage',
  ),
  page('/w/:workspaceId/channels', 'viewer', () => import('../pages/channels/ChannelsPage.tsx'), 'ChannelsPage'),
  page('/w/:workspaceId/channels/connect', 'admin', () => import('../pages/channels/ConnectPage.tsx'), 'ConnectPage'),
  page(
    '/w/:workspaceId/channels/:channelId',
    'viewer',
    () => import('../pages/channels/ChannelPage.tsx'),
    'ChannelPage',
  ),
  page('/w/:workspaceId/templates', 'viewer', () => import('../pages/templates/LineChoice.tsx'), 'LineChoice'),
  page(templates, 'viewer', () => import('../pages/templates/TemplateList.tsx'), 'TemplateList'),
  page(`${templates}/new`, 'member', () => import('../pages/templates/NewTemplate.tsx'), 'NewTemplate'),
  page(`${templates}/:templateId/edit`, 'member', () => import('../pages/templates/EditTemplate.tsx'), 'EditTemplate'),
  page(`${templates}/:templateId`, 'viewer', () => import('../pages/templates/TemplatePage.tsx'), 'TemplatePage'),
  page('/w/:workspaceId/api-keys', 'admin', () => import('../pages/keys/KeysPage.tsx'), 'KeysPage'),
  page('/w/:workspaceId/requests', 'viewer', () => import('../pages/requests/RequestsPage.tsx'), 'RequestsPage'),
  page(
    '/w/:workspaceId/requests/:requestId',
    'viewer',
    () => import('../pages/requests/RequestPage.tsx'),
    'RequestPage',
  ),
  page('/w/:workspaceId/webhooks', 'viewer', () => import('../pages/webhooks/WebhooksPage.tsx'), 'WebhooksPage'),
  page(webhook, 'viewer', () => import('../pages/webhooks/WebhookPage.tsx'), 'WebhookPage'),
  page(`${webhook}/deliveries/:eventId`, 'viewer', () => import('../pages/webhooks/DeliveryPage.tsx'), 'DeliveryPage'),
  page('/w/:workspaceId/usage', 'viewer', () => import('../pages/usage/UsagePage.tsx'), 'UsagePage'),
  page('/w/:workspaceId/members', 'viewer', () => import('../pages/members/MembersPage.tsx'), 'MembersPage'),
  page('/w/:workspaceId/audit', 'admin', () => import('../pages/audit/AuditPage.tsx'), 'AuditPage'),
  page('/w/:workspaceId/gateway', 'owner', () => import('../pages/gateway/GatewayPage.tsx'), 'GatewayPage'),
  page('/w/:workspaceId/settings', 'viewer', () => import('../pages/settings/SettingsPage.tsx'), 'SettingsPage'),
]

/** @param name of the page in the file that is loaded */
function page<Name extends string>(
  path: string,
  access: Page['access'],
  load: () => Promise<Readonly<Record<Name, ComponentType>>>,
  name: Name,
): Page {
  return { path, access, load: async () => (await load())[name] }
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
