import type { EpochMs } from '../../src/base/clock.ts'
import type { Details } from '../../src/base/errors.ts'
import type { Inbound } from './records.ts'

/** What is longer is no id or kind of the upstream: its ids have some 60 characters. */
export const idCharsMax = 512

/** Kept of what the upstream says beside: the largest known has some 1,000 bytes. */
export const detailCharsMax = 8_192

/** An update of the upstream about an account, a line, a template or a contact. */
export interface UpstreamUpdate {
  /** The field of the callback, with its event where it has several. */
  readonly kind: string
  readonly at: EpochMs
  readonly detail: Details
}

/** An update as a callback brings it, with the upstream's ids. */
export interface ToldUpdate extends UpstreamUpdate {
  /** The entry that says it, with nothing else. Absent: it is too long to be kept, or nothing of it is kept. */
  readonly callback?: Details | undefined
  /** Null: of the account of the channel that the callback came to. */
  readonly accountId: string | null
  readonly about:
    | { readonly of: 'account' }
    /** `+` and digits. */
    | { readonly of: 'line'; readonly number: string }
    /** The upstream's id. A line that is not known is one of the account. */
    | { readonly of: 'namedLine'; readonly upstreamPhoneId: string }
    | { readonly of: 'template'; readonly name: string; readonly language: string }
    /** By a number or a user id at least. A user whom no contact has becomes the new one. */
    | ({ readonly of: 'contact' } & Inbound['from'])
}
