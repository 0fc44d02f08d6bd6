import { accountTemplatesMax } from '../../base/upstreamLimits.ts'

/** One sending number of the stand-in. `number` is international, with `+`. */
export interface LineOptions {
  readonly upstreamPhoneId: string
  readonly number: string
}

/** The defaults of the stand-in: the values that a first configuration of the gateway needs. */
export const SANDBOX = {
  accessToken: 'sandbox-token',
  appSecret: 'sandbox-app-secret',
  accountId: '102290129340398',
  accountName: 'Sandbox Shop',
  appId: '670843887433847',
  appName: 'Sandbox App',
  /** Two countries, so that a number sent without its `+` visibly goes astray (see phone.ts). */
  lines: [
    { upstreamPhoneId: '106540352242922', number: '+15550783881' },
    { upstreamPhoneId: '113355779911335', number: '+493023125042' },
  ],
} as const satisfies {
  accessToken: string
  appSecret: string
  accountId: string
  accountName: string
  appId: string
  appName: string
  lines: readonly LineOptions[]
}

/** Counted from the send. Long enough to see each state, short enough for a demonstration. */
export const DELAYS = { deliveredAfterMs: 300, readAfterMs: 800, reviewAfterMs: 2_000 } as const

/** The bounds of everything that can grow. The oldest entries are dropped first, unless a comment says otherwise. */
export const BOUNDS = {
  /** A load test of some minutes fits. */
  journalEntries: 50_000,
  /** The bodies of that load test, at about 1 KB a send, and some more. */
  journalBytes: 64 * 1024 * 1024,
  /**
   * The longest text that the upstream takes, 4096 characters, has 48 KB when each of them is written as `\u` twice.
   */
  journalBodyBytes: 64 * 1024,
  /**
   * A carousel has 12 levels, and a flow's own data may have some; what is very deep cannot be written as JSON again.
   */
  journalBodyDepth: 64,
  /** Opaque data that the upstream takes has 512 characters, an emoji counting as two here; addressees are shorter. */
  journalTextLength: 1_024,
  /** Ids of a whole load test, to show that nothing went out twice; a key and a counter each. */
  opaqueCounts: 500_000,
  /** Messages that control routes can still name. */
  sentMessages: 50_000,
  /** Recipients with an open window, and pairs that the pair limit remembers. */
  pairs: 100_000,
  /** Scheduled status callbacks: 3 for each message of some 30 s at 5,000 messages/s. Others are dropped. */
  timedCallbacks: 500_000,
  /** Updates waiting for a slow receiver; beyond this the newest are dropped and counted. */
  outboxUpdates: 200_000,
  /** Batches waiting for a repeat, and their bodies together: a batch has up to 3 MB. The newest are dropped. */
  repeatBatches: 10_000,
  repeatBytes: 64 * 1024 * 1024,
  /** Deliveries that can be looked up afterwards. */
  deliveries: 5_000,
  /** Of all lines; the upstream allows 2,000 for each. */
  qrCodes: 10_000,
  /** Messages of users that their phones show. */
  written: 1_000,
  /** Uploaded files and their bytes, kept in memory. */
  mediaFiles: 1_000,
  mediaBytes: 256 * 1024 * 1024,
  /** Uploads of examples that are not complete; each holds what has arrived. */
  uploads: 20,
  /** Faults are matched one after the other on each request. */
  faults: 100,
  templates: accountTemplatesMax,
  /** The largest file the upstream takes is 100 MB (document); a little more for the multipart frame. */
  requestBytes: 101 * 1024 * 1024,
} as const
