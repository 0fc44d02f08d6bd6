import type { ComponentType } from 'react'
import type { UserRole } from '../../../../db/contract/roles.ts'
import { isScheduled } from '../../../message/statuses.ts'

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
  /** Its code, once it was loaded: then it needs no waiting. */
  readonly loaded: () => ComponentType | undefined
  /**
   * What it asks the gateway for when it is opened, below the workspace: asked for beside its code (`begin.ts`). What
   * names a parameter is asked for where the address has it.
   */
  readonly asks: readonly string[]
  /** It stays while its last parameter, which may be missing, changes. */
  readonly isKept: boolean
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
  inside('', 'viewer', () => import('../pages/overview/OverviewPage.tsx'), 'OverviewPage', ['overview?days=30']),
  inside('/setup', 'viewer', () => import('../pages/firstRun/FirstRunPage.tsx'), 'FirstRunPage'),
  inside('/messages', 'viewer', () => import('../pages/messages/MessagesPage.tsx'), 'MessagesPage', [
    'messages',
    'message-count',
    'message-filters',
    ...isScheduled.statuses.map(status => `message-count?status=${status}`),
  ]),
  inside('/messages/:messageId', 'viewer', () => import('../pages/messages/MessagePage.tsx'), 'MessagePage'),
  {
    ...inside(
      '/conversations/:contactId?',
      'viewer',
      () => import('../pages/conversations/ConversationsPage.tsx'),
      'ConversationsPage',
      ['conversations?show=open', 'contacts/:contactId/conversation', 'phone-numbers'],
    ),
    isKept: true,
  },
  inside('/campaigns', 'viewer', () => import('../pages/campaigns/CampaignsPage.tsx'), 'CampaignsPage'),
  inside('/campaigns/new', 'member', () => import('../pages/campaigns/NewCampaignPage.tsx'), 'NewCampaignPage'),
  inside('/campaigns/:batchId', 'viewer', () => import('../pages/campaigns/CampaignPage.tsx'), 'CampaignPage'),
  inside('/contacts', 'viewer', () => import('../pages/contacts/ContactsPage.tsx'), 'ContactsPage', ['contacts']),
  inside('/contacts/:contactId', 'viewer', () => import('../pages/contacts/ContactPage.tsx'), 'ContactPage', [
    'contacts/:contactId',
    'contacts/:contactId/conversation',
  ]),
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

const patternOf = ({ path }: Page) =>
  new RegExp(`^${path.replace(/\/:(\w+)\?$/, '(?:/(?<$1>[^/]+))?').replace(/:(\w+)/g, '(?<$1>[^/]+)')}$`)

/** @returns the page as the router finds it (`App.tsx`), whose code has not run yet */
export const pageAt = (path: string): Page | undefined => pages.find(page => patternOf(page).test(path))

/** @returns what a page asks for at this address */
export function asksOf(page: Page, path: string): string[] {
  const named = patternOf(page).exec(path)?.groups ?? {}
  return page.asks
    .map(ask => ask.replace(/:(\w+)/, (gap, name: string) => named[name] ?? gap))
    .filter(ask => !ask.includes(':'))
}

/** @param name of the page in the file that is loaded */
function page<Name extends string>(
  path: string,
  access: Page['access'],
  read: () => Promise<Readonly<Record<Name, ComponentType>>>,
  name: Name,
  asks: readonly string[] = [],
): Page {
  let component: ComponentType | undefined
  const load = async () => {
    component = (await read())[name]
    return component
  }
  return { path, access, isKept: path.endsWith('?'), load, loaded: () => component, asks }
}

/** @param location below `/console` */
export const workspaceOf = (location: string): string | undefined => /^\/w\/([^/]+)/.exec(location)?.[1]
