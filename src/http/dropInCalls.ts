import type { KeyScope } from '../base/keyScopes.ts'

/** The beginning of every path of the drop-in API (docs/drop-in.md). */
export const dropInPrefix = '/graph'

/** What a call reads or changes; `other`: the platform alone knows what it has. */
export type FieldsOwner = 'line' | 'template' | 'profile' | 'blockedUser' | 'file' | 'other'

export interface DropInOperation {
  /**
   * Method and path, without the version. It is also the kind of the call in the list of requests: what else follows
   * `/graph` is the caller's.
   */
  readonly call: string
  /** What a key needs, beside `graph`. */
  readonly scope: KeyScope
  /** Absent: it begins with a turn, as a call of the partner API does (calls.ts). */
  readonly turn?: 'none'
  /** The platform answers it: of what it reads or changes there. Absent: it is answered here. */
  readonly passes?: FieldsOwner
  /** Of an id alone: what it may name, with what a key needs for that. All else of a line or an account passes. */
  readonly of?: Partial<Record<'line' | 'template' | 'file' | 'callbacks', KeyScope>>
}

/** All calls of the drop-in API (docs/drop-in.md#calls). The router goes by them. */
export const dropInOperations = {
  send: { call: 'POST /graph/:line/messages', scope: 'messages:send', turn: 'none' },

  uploadMedia: { call: 'POST /graph/:line/media', scope: 'media', turn: 'none' },
  fetchMedia: { call: 'GET /graph/:media/content', scope: 'media' },

  readProfile: { call: 'GET /graph/:line/whatsapp_business_profile', scope: 'messages:send', passes: 'profile' },
  listBlocked: { call: 'GET /graph/:line/block_users', scope: 'inbound', passes: 'blockedUser' },
  block: { call: 'POST /graph/:line/block_users', scope: 'inbound', passes: 'blockedUser' },
  unblock: { call: 'DELETE /graph/:line/block_users', scope: 'inbound', passes: 'blockedUser' },

  listNumbers: { call: 'GET /graph/:account/phone_numbers', scope: 'messages:send', passes: 'line' },
  listTemplates: { call: 'GET /graph/:account/message_templates', scope: 'templates:read', passes: 'template' },
  createTemplate: { call: 'POST /graph/:account/message_templates', scope: 'templates:write', passes: 'template' },
  deleteTemplate: { call: 'DELETE /graph/:account/message_templates', scope: 'templates:write', passes: 'template' },

  listSubscriptions: { call: 'GET /graph/:account/subscribed_apps', scope: 'webhooks' },
  addSubscription: { call: 'POST /graph/:account/subscribed_apps', scope: 'webhooks' },
  removeSubscription: { call: 'DELETE /graph/:account/subscribed_apps', scope: 'webhooks' },

  startUpload: { call: 'POST /graph/:app/uploads', scope: 'templates:write' },
  writeUpload: { call: 'POST /graph/upload:id', scope: 'templates:write' },
  readUpload: { call: 'GET /graph/upload:id', scope: 'templates:write' },

  debugToken: { call: 'GET /graph/debug_token', scope: 'messages:send' },
  permissions: { call: 'GET /graph/me/permissions', scope: 'messages:send', turn: 'none' },

  readObject: {
    call: 'GET /graph/:id',
    scope: 'graph',
    of: { line: 'messages:send', template: 'templates:read', file: 'media' },
  },
  changeObject: { call: 'POST /graph/:id', scope: 'graph', of: { template: 'templates:write', callbacks: 'webhooks' } },
  deleteObject: { call: 'DELETE /graph/:id', scope: 'graph', of: { file: 'media' } },

  /** What no other row has. With `graph:pass` it passes, where the platform has it. */
  other: { call: 'another call of /graph', scope: 'graph', passes: 'other' },
} as const satisfies Record<string, DropInOperation>

export type DropInName = keyof typeof dropInOperations
export const dropInNames = Object.keys(dropInOperations) as DropInName[]
export type DropInCall = (typeof dropInOperations)[DropInName]['call']
