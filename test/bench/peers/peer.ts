import type { Key } from '../traffic.ts'

/** What a gateway is opened with: each opening has data of its own. */
export interface Setup {
  /** Of its data. */
  readonly name: string
  /** Where the platform is. */
  readonly upstreamUrl: string
  /** The pace of its one line; null: none. */
  readonly perSecond: number | null
  /** How long a caller waits for the outcome before the answer is `QUEUED`. */
  readonly waitMs: number
}

/** A gateway that runs. It ends with the run. */
export interface Opened {
  /** Another one after a kill. */
  readonly url: string
  readonly key: Key
  /** What it needs beside itself, with versions. */
  readonly programs: readonly string[]
  /** The processor time so far, of its servers too. */
  cpuUs(): number
  memory(): Memory
  /** How many messages are stored as `SENT`. */
  countSent(): Promise<number>
  /** Kills it with SIGKILL, and starts it again on what it left. Its servers go on. */
  killAndStart(): Promise<void>
  /** Makes a token for clients of the platform, where a gateway answers them by `/graph`. */
  readonly graphToken: (() => Promise<string>) | null
}

/** Resident, in megabytes; null where the system does not tell it. */
export interface Memory {
  readonly gatewayMb: number | null
  readonly serversMb: number | null
}

/** A gateway that is compared: how it can be opened here, or what is missing. */
export type Peer = { readonly name: string } & (
  | {
      readonly isHere: true
      /** Which product it is of: Waypost is compared with the others. */
      readonly isOurs: boolean
      /** What it stores where, and when that is on disk. */
      readonly durability: string
      open(setup: Setup): Promise<Opened>
    }
  | { readonly isHere: false; readonly missing: string }
)

export type PeerHere = Extract<Peer, { readonly isHere: true }>
