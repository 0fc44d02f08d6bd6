import type { Icon } from '@tabler/icons-react'
import type { ComponentType } from 'react'
import type { Role } from './roles.ts'

/** A page of the console. Its code is loaded when it is opened. */
export interface Page {
  /** Below `/console`, with parameters: `/w/:workspaceId/messages/:messageId`. */
  readonly path: string
  /**
   * `open`: anybody, without the frame; `signedIn`: any user; a role: members of the workspace in the path with this role
   * or a higher one. It decides what is shown, and protects nothing: the routes of the gateway do.
   */
  readonly access: 'open' | 'signedIn' | Role
  readonly load: () => Promise<ComponentType>
}

/** A link of the navigation. */
export interface NavigationLink {
  readonly label: string
  readonly icon: Icon
  /** Below `/console/w/{workspaceId}`; empty: the workspace's first page. */
  readonly path: string
  readonly access: Role
}
