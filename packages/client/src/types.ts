import type { components } from './api.ts'

type Schemas = components['schemas']

/** A message as send and status answer it. */
export type Message = Schemas['Message']

/** What happened in a workspace. The list of types is open: ignore those that you do not know. */
export type Event = Schemas['Event']

/** A message that a user sent. The list of types is open; `text` can always be read. */
export type InboundMessage = Schemas['InboundMessage']

/** A user of the channel, as the workspace knows it now. */
export type Contact = Schemas['Contact']

/** Exactly one of some fields that the API document leaves optional, because only their combination is bound. */
type ExactlyOne<Body, Field extends keyof Body> = {
  [One in Field]: Required<Pick<Body, One>> & { readonly [Other in Exclude<Field, One>]?: never }
}[Field]
/** At least one of them. */
type AtLeastOne<Body, Field extends keyof Body> = {
  [One in Field]: Required<Pick<Body, One>> & Partial<Pick<Body, Exclude<Field, One>>>
}[Field]

type Recipient = 'phone' | 'contactId' | 'userId'
type Values = keyof Schemas['ExampleValues']
type Addressed<Body extends { [Field in Recipient]?: string }> = Omit<Body, Recipient> & ExactlyOne<Body, Recipient>

/** The fields of a send that fill a template: spread them into a send. */
export type ExampleValues = AtLeastOne<Schemas['ExampleValues'], Values>
/** An approved template with the keys that a send fills. */
export type Template = Omit<Schemas['Template'], 'exampleValues'> & {
  /** Null when a part of the template is of a kind that has no example. */
  exampleValues: ExampleValues | null
}

export type TextSend = Addressed<Schemas['TextSend']>
export type InteractiveSend = Addressed<Schemas['InteractiveSend']>
/** `templateVariables: {}` for a template without variables. */
export type TemplateSend = Omit<Schemas['TemplateSend'], Recipient | Values> &
  ExactlyOne<Schemas['TemplateSend'], Recipient> &
  AtLeastOne<Schemas['TemplateSend'], Values>
/** What can be sent: text, an approved template, or an interactive message. */
export type SendBody = TextSend | TemplateSend | InteractiveSend
