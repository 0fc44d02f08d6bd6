import { IconPlugConnected } from '@tabler/icons-react'
import type { NavigationLink, Page } from '../../app/page.ts'
import { texts } from '../../texts/texts.ts'

export const channelPages: readonly Page[] = [
  {
    path: '/w/:workspaceId/channels',
    access: 'viewer',
    load: async () => (await import('./ChannelsPage.tsx')).ChannelsPage,
  },
  {
    path: '/w/:workspaceId/channels/connect',
    access: 'admin',
    load: async () => (await import('./ConnectPage.tsx')).ConnectPage,
  },
  {
    path: '/w/:workspaceId/channels/:channelId',
    access: 'viewer',
    load: async () => (await import('./ChannelPage.tsx')).ChannelPage,
  },
]

export const channelNavigation: NavigationLink = {
  label: texts.channels.title,
  icon: IconPlugConnected,
  path: '/channels',
  access: 'viewer',
}
