import { isObject } from './transport.ts'
import type {
  Contact,
  Event,
  InboundMessage,
  Line,
  Message,
  MessageCheck,
  ReadMark,
  Template,
  UploadedMedia,
} from './types.ts'

/* What each call reads of an answer: null when that is not in it. */

export interface EventPage {
  readonly events: readonly Event[]
  /** The position behind them, to give as `after`; null while there is none. At the end it equals the `after` given. */
  readonly next: string | null
}

export interface InboundPage {
  readonly messages: readonly InboundMessage[]
  /** As that of events. */
  readonly next: string | null
}

export interface MessagePage {
  readonly messages: readonly Message[]
  /** As that of events. */
  readonly next: string | null
}

type Answer = Readonly<Record<string, unknown>>

const isNamed = (data: unknown): data is { readonly id: string } => isObject(data) && typeof data.id === 'string'

const isMessage = (data: unknown): data is Message =>
  isObject(data) && typeof data.id === 'string' && typeof data.status === 'string'

export const readMessage = ({ data }: Answer): Message | null => (isMessage(data) ? data : null)

export const readCheck = ({ data }: Answer): MessageCheck | null =>
  isObject(data) && Array.isArray(data.problems) ? (data as MessageCheck) : null

export const readTemplates = ({ data }: Answer): readonly Template[] | null =>
  isObject(data) && Array.isArray(data.templates) ? data.templates : null

const isCursor = (next: unknown): next is string | null => next === null || typeof next === 'string'

export const readEvents = ({ data, next }: Answer): EventPage | null =>
  Array.isArray(data) && isCursor(next) ? { events: data, next } : null

export const readInbound = ({ data, next }: Answer): InboundPage | null =>
  Array.isArray(data) && isCursor(next) ? { messages: data, next } : null

export const readInboundMessage = ({ data }: Answer): InboundMessage | null =>
  isNamed(data) ? (data as InboundMessage) : null

export const readContact = ({ data }: Answer): Contact | null => (isNamed(data) ? (data as Contact) : null)

export const readMark = ({ data }: Answer): ReadMark | null => (isNamed(data) ? (data as ReadMark) : null)

export const readUploaded = ({ data }: Answer): UploadedMedia | null => (isNamed(data) ? (data as UploadedMedia) : null)

export const readMessages = ({ data, next }: Answer): MessagePage | null =>
  Array.isArray(data) && isCursor(next) ? { messages: data, next } : null

export const readLines = ({ data }: Answer): readonly Line[] | null => (Array.isArray(data) ? data : null)
