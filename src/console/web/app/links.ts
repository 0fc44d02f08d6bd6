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
  IconSend,
  IconSettings,
  IconTemplate,
  IconUsers,
  IconWebhook,
} from '@tabler/icons-react'
import type { UserRole } from '../../../../db/contract/roles.ts'
import { texts } from '../texts/texts.ts'

/** A link of the navigation. */
interface NavigationLink {
  readonly label: string
  readonly icon: Icon
  /** Below `/console/w/{workspaceId}`; empty: the workspace's first page. */
  readonly path: string
  readonly access: UserRole
  /** What it stands among. */
  readonly group?: keyof typeof texts.shell.groups
}

function among(group: NonNullable<NavigationLink['group']>, links: readonly NavigationLink[]): NavigationLink[] {
  return links.map(link => ({ ...link, group }))
}

/** The links of a workspace, in their order: what people do all day, what programs need, what is arranged seldom. */
export const navigation: readonly NavigationLink[] = [
  { path: '', label: texts.overview.title, icon: IconGauge, access: 'viewer' },
  ...among('messages', [
    { path: '/messages', label: texts.messages.title, icon: IconMessages, access: 'viewer' },
    { path: '/conversations', label: texts.conversations.title, icon: IconMessageCircle, access: 'viewer' },
    { path: '/campaigns', label: texts.shell.titles.campaigns, icon: IconSend, access: 'viewer' },
    { path: '/contacts', label: texts.contacts.title, icon: IconAddressBook, access: 'viewer' },
    { path: '/templates', label: texts.shell.titles.templates, icon: IconTemplate, access: 'viewer' },
  ]),
  ...among('connections', [
    { path: '/channels', label: texts.channels.title, icon: IconPlugConnected, access: 'viewer' },
    { path: '/api-keys', label: texts.apiKeys.title, icon: IconKey, access: 'admin' },
    { path: '/webhooks', label: texts.shell.titles.webhooks, icon: IconWebhook, access: 'viewer' },
    { path: '/requests', label: texts.requests.title, icon: IconListDetails, access: 'viewer' },
  ]),
  ...among('workspace', [
    { path: '/usage', label: texts.usage.title, icon: IconChartBar, access: 'viewer' },
    { path: '/members', label: texts.members.title, icon: IconUsers, access: 'viewer' },
    { path: '/audit', label: texts.shell.titles.audit, icon: IconHistory, access: 'admin' },
    { path: '/gateway', label: texts.shell.titles.gateway, icon: IconHeartbeat, access: 'owner' },
    { path: '/settings', label: texts.settings.title, icon: IconSettings, access: 'viewer' },
  ]),
]
