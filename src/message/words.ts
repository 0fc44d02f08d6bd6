import type { MessageStatus } from './state.ts'

/** Every status, in the order in which a message may pass through them. */
export const messageStatuses = [
  'QUEUED',
  'SENT',
  'DELIVERED',
  'READ',
  'FAILED',
  'UNKNOWN',
] as const satisfies readonly MessageStatus[]

/** The types of messages. */
export const messageTypes = ['text', 'template', 'interactive'] as const

/** In a filter by key or template: the messages without one. Neither has such a name. */
export const withoutOne = '-'
