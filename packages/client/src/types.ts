import type { components } from './api.ts'

type Schemas = components['schemas']

/** A message as send and status answer it. */
export type Message = Schemas['Message']
/** What can be sent: text, an approved template, or an interactive message. */
export type SendBody = Schemas['SendBody']
/** An approved template with the keys that a send fills. */
export type Template = Schemas['Template']
