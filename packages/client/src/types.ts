import type { components, paths } from './api.ts'

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
type Source = 'link' | 'mediaId'
type WithFile<Body extends { [Field in Recipient | Source]?: string }> = Omit<Body, Recipient | Source> &
  ExactlyOne<Body, Recipient> &
  ExactlyOne<Body, Source>

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
/** A file by its `link`, or by its `mediaId`: that of `uploadMedia`, or of a file that a user sent. */
export type FileSend =
  | WithFile<Schemas['ImageSend']>
  | WithFile<Schemas['VideoSend']>
  | WithFile<Schemas['DocumentSend']>
  | WithFile<Schemas['AudioSend']>
  | WithFile<Schemas['StickerSend']>
export type LocationSend = Addressed<Schemas['LocationSend']>
export type ContactsSend = Addressed<Schemas['ContactsSend']>
/** `emoji: ''` takes an earlier reaction back. */
export type ReactionSend = Addressed<Schemas['ReactionSend']>
/** What can be sent. */
export type SendBody = TextSend | TemplateSend | InteractiveSend | FileSend | LocationSend | ContactsSend | ReactionSend

/** What would become of a send. */
export type MessageCheck = Schemas['MessageCheck']

/** A phone number that the workspace sends from. */
export type Line = Schemas['Line']

/** A file that the gateway keeps to be sent. */
export type UploadedMedia = Schemas['UploadedMedia']

/** What became of marking a message as read. */
export type ReadMark = Schemas['ReadMark']

/** The parameters of a list or of an answer, as the API document has them. */
type QueryOf<Path extends string> = `/api/v1/public${Path}` extends infer Route extends keyof paths
  ? paths[Route] extends { get: { parameters: { query?: infer Query } } }
    ? NonNullable<Query>
    : never
  : never

/** The same as options: none has to be given. `after` takes the `next` of a page, which may be null. */
export type FilterOf<Path extends string> = {
  readonly [Name in keyof QueryOf<Path>]?: QueryOf<Path>[Name] | (Name extends 'after' ? null : never) | undefined
}

/** Who is looked for: one of the parameters that the gateway finds a contact by. */
export type ContactFilter = ExactlyOne<QueryOf<'/contacts'>, keyof QueryOf<'/contacts'>>
