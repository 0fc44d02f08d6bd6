import type { GraphForm } from './graphForms.ts'
import type { KeyOfTenant, Order, Tenant } from './history.ts'
import type { Callback, Platform } from './platform.ts'
import type { TemplateChange } from './platformTemplates.ts'

/** What a caller was told, or that it was told nothing. */
export interface Told {
  readonly at: number
  readonly askedAt: number
  /** Null: no answer came. */
  readonly status: number | null
  readonly code: string | null
  readonly message: { readonly id: string; readonly status: string } | null
  readonly isReplay: boolean
}

/** One order, and each answer to it. */
export interface Asked {
  readonly order: Order
  readonly text: string
  readonly told: Told[]
}

/** What was told of a message by its id, in order. */
export interface Look {
  readonly at: number
  readonly messageId: string
  readonly status: string
}

/** An attempt to deliver an event. */
export interface Delivered {
  readonly at: number
  readonly answeredAt: number
  readonly url: string
  readonly id: string
  readonly body: string
  /** Null: no answer. */
  readonly status: number | null
  /** The receiver has it: it has answered, or its answer was lost. */
  readonly hasWorked: boolean
}

/** A batch, as its caller knows it. */
export interface Batch {
  readonly name: string
  readonly tenant: Tenant
  readonly apiKey: KeyOfTenant
  readonly form: 'text' | 'template'
  readonly count: number
  /** Null: no answer has named it. */
  id: string | null
  answeredAt: number | null
  /** The database was from a backup since. */
  isRestored: boolean
}

/** A key that was revoked: from that commit on it changes nothing. */
export interface Revoked {
  readonly tenant: Tenant
  readonly at: number
  /** Its messages by then. */
  readonly messageIds: ReadonlySet<string>
}

/** What a user wrote, and when the platform was told that it is taken. */
export interface Wrote {
  readonly tenant: Tenant
  readonly wamid: string
  readonly at: number
}

/** A call of a client of the platform, and each answer to it. */
export interface GraphAsked {
  readonly tenant: Tenant
  readonly apiKey: KeyOfTenant
  readonly key: number | null
  readonly text: string
  readonly form: GraphForm
  readonly isSend: boolean
  readonly told: {
    readonly at: number
    readonly askedAt: number
    /** Null: no answer came. */
    readonly status: number | null
    /** The platform's; null: it is no refusal. */
    readonly code: number | null
    /** The id that names the message from then on; null: none was answered. */
    readonly id: string | null
  }[]
}

/** Somebody had a person erased. */
export interface Erased {
  readonly tenant: Tenant
  readonly contactId: string
  /** The messages to it, and what it had written, by then. */
  readonly messageIds: ReadonlySet<string>
  readonly written: ReadonlySet<string>
  /** Null: no answer has come. */
  doneAt: number | null
}

/** A workspace was told that its endpoint is switched. */
export interface Switched {
  readonly tenant: Tenant
  readonly at: number
  readonly isOn: boolean
}

/** A file that a caller was answered for. */
export interface Uploaded {
  readonly tenant: Tenant
  readonly at: number
  readonly id: string
  readonly content: string
}

/** A workspace was told that all its events are delivered again. */
export interface Replayed {
  readonly tenant: Tenant
  readonly askedAt: number
  readonly at: number
}

/** The database became as it was in a backup. */
export interface Restore {
  readonly backedUpAt: number
  readonly at: number
}

/** All that was seen from outside. */
export interface Log {
  readonly asked: readonly Asked[]
  readonly graph: readonly GraphAsked[]
  readonly looks: readonly Look[]
  readonly batches: readonly Batch[]
  readonly platform: Platform
  readonly delivered: readonly Delivered[]
  readonly revoked: readonly Revoked[]
  readonly restores: readonly Restore[]
  readonly erased: readonly Erased[]
  readonly replayed: readonly Replayed[]
  readonly switched: readonly Switched[]
  readonly uploaded: readonly Uploaded[]
  readonly templates: readonly TemplateChange[]
  /** Messages of users whose files the platform said it does not have. */
  readonly gone: ReadonlySet<string>
  readonly cancelled: readonly { readonly messageId: string; readonly at: number }[]
  /** What was acknowledged of the platform's callbacks. */
  readonly acknowledged: readonly (Callback & { readonly acknowledgedAt: number })[]
  /** What users wrote, as often as it was acknowledged. */
  readonly wrote: readonly Wrote[]
  /** Restarts that nothing told of beforehand. */
  readonly crashes: number
  readonly stops: number
  readonly senderDeaths: number
  readonly errors: readonly string[]
  /** Requests that were answered as failures of ours. */
  readonly failures: readonly string[]
  /** What never came to an end. */
  readonly unfinished: readonly string[]
  readonly simulatedMs: number
}
