import { minuteMs } from '../base/durations.ts'

/*
 * The limits of requests. How many of an API key and of an address are taken in 15 minutes (`rateWindowMs` in
 * src/base/rateLimits.ts) is a setting: PUBLIC_API_KEY_RATE_LIMIT and PUBLIC_IP_RATE_LIMIT in src/config/settings.ts.
 * How large a file may be is the platform's: `mediaBytesMax` in src/base/upstreamLimits.ts.
 */

/** The largest valid send, ten cards with every value at its limit, has some 50 KB; larger bodies are answered 413. */
export const bodyBytesMax = 131_072

/**
 * Fields and elements of a body in all. The largest valid send has some 2,400: a carousel in the upstream's own format,
 * with 205 values in its body and 32 in each of ten cards, four fields each. What a body costs is its number of
 * elements, not of bytes. 128 KiB hold 65,000 elements, which would stop the HTTP thread for tens of milliseconds. So
 * they are counted before they are parsed.
 */
export const bodyEntriesMax = 3_000

/**
 * A batch of a thousand items with two kilobytes each: the values of a template have some hundred bytes. Two such
 * bodies of one workspace are read at once, and eight in all.
 */
export const batchBytesMax = 2_097_152
export const batchBudget = {
  callerBytesMax: 2 * batchBytesMax,
  totalBytesMax: 8 * batchBytesMax,
  bodyMsMax: minuteMs,
} as const
/** A thousand items with forty fields and values each. */
export const batchEntriesMax = 40_000

/**
 * The largest send at 5 KB a second. Without a limit a caller could hold bodies open with a byte now and then: the
 * server closes only idle connections.
 */
export const bodyMsMax = 30_000

/**
 * Bun answers larger bodies itself with an empty 413, before any hook. Set so high that it never applies: the routes
 * read no further than their own limits, and answer with the error envelope.
 */
export const serverBodyBytesMax = 2 ** 40

/**
 * Closes a connection on which no bytes move for this long; a body may not stall longer. It does not end a send that
 * waits for its answer: Bun does not count the time of a POST whose body was read.
 */
export const idleSecondsMax = 150

/** Uploads at once, of a workspace and in all: each has an open connection, and a file on the disk. */
export const uploadsMax = { workspace: 4, all: 16 } as const
/**
 * Memory for files that are uploaded to the platform as they come, in MiB: of a workspace, the largest file or twenty
 * of the largest pictures; of all, three times that. So the largest file finds room beside one of another workspace,
 * and the next workspace is left some.
 */
export const filesMibMax = { workspace: 100, all: 300 } as const
/** The largest file at 2.8 Mbit a second. */
export const uploadMsMax = 5 * minuteMs
/**
 * The least that comes in each `paceMs` of an upload: 4 KB a second, far below any connection that is worth to wait
 * for. What comes slower holds a place that others wait for, a byte a second for as long as a file may take.
 */
export const paceBytesMin = 40_960
export const paceMs = 10_000

/** Requests of one caller for the API reference in a window: a page takes three, and its script has megabytes. */
export const docsRequestsMax = 300

/**
 * The sizes of the tables in which requests are counted: addresses in a window (some 20 MB); addresses with a valid key
 * after the first table is full; keys. All later entries of a table share one count, so that memory stays bounded.
 */
export const tablesMax = { address: 200_000, caller: 50_000, key: 100_000 } as const
/** Refusals that are logged in a window. A caller with many networks must not fill the log. */
export const refusalsLoggedMax = 100

/** Of an API key's id and secret: longer than any of ours. Longer headers never reach the hash or the database. */
export const credentialLengthMax = 128
/** Of a caller's `X-Request-Id`. */
export const requestIdLengthMax = 128
