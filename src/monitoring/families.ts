import type { EpochMs } from '../base/clock.ts'
import { type Distribution, stages } from '../telemetry/metrics.ts'
import type { Readings } from './readings.ts'

/** The values of a family's labels, in their order, with what is shown for them. */
type Rows<Value> = readonly (readonly [labels: readonly string[], value: Value])[]

interface FamilyHead {
  readonly name: string
  readonly help: string
  readonly labels: readonly string[]
}

/** A metric with all its series. */
export type Family = FamilyHead &
  (
    | { readonly type: 'counter' | 'gauge'; readonly read: (readings: Readings) => Rows<number> }
    | { readonly type: 'histogram'; readonly read: (readings: Readings) => Rows<Distribution> }
  )

// Set by the build (package.json); not set from source.
declare const WAYPOST_COMMIT: string
const commit = () => (typeof WAYPOST_COMMIT === 'string' ? WAYPOST_COMMIT : '')

const webhookStates = ['working', 'failing', 'disabled', 'off'] as const

/** @returns 0 for none */
const ageSeconds = (since: EpochMs | null, now: EpochMs) => (since === null ? 0 : Math.max(0, now - since) / 1_000)
const one = (value: number): Rows<number> => [[[], value]]
const oneOf = (distribution: Distribution | undefined): Rows<Distribution> => (distribution ? [[[], distribution]] : [])
const countsOf = (counter: { read(): { values: readonly string[]; count: number }[] }): Rows<number> =>
  counter.read().map(({ values, count }) => [values, count])

/**
 * Every metric. Each is described in docs/reference.md#metrics, which a test compares with this list.
 */
export const families: readonly Family[] = [
  {
    name: 'waypost_sends_total',
    type: 'counter',
    help: 'Sends that ended, by outcome (accepted, refused, unknown) and the code of the upstream.',
    labels: ['outcome', 'code'],
    read: ({ metrics }) => countsOf(metrics.sends),
  },
  {
    name: 'waypost_upstream_attempts_total',
    type: 'counter',
    help: 'Requests to the upstream for a message, by result (accepted, refused, not_now, lost) and code.',
    labels: ['result', 'code'],
    read: ({ metrics }) => countsOf(metrics.attempts),
  },
  {
    name: 'waypost_send_stage_seconds',
    type: 'histogram',
    help: 'Time of each stage of a send: accept (stored), wait (its turn), upstream (an attempt), settle (stored).',
    labels: ['stage'],
    read: ({ metrics }) => stages.map(stage => [[stage], metrics.stages[stage].read()]),
  },
  {
    name: 'waypost_queue_messages',
    type: 'gauge',
    help: 'Messages of a line that wait for their turn, or are in flight.',
    labels: ['line', 'state'],
    read: ({ backlogs }) =>
      backlogs.flatMap(({ lineId, waiting, underWay }) => [
        [[lineId, 'waiting'], waiting] as const,
        [[lineId, 'in_flight'], underWay] as const,
      ]),
  },
  {
    name: 'waypost_queue_limit_messages',
    type: 'gauge',
    help: 'Messages that may wait on one line, SEND_QUEUE_MAX; beyond it sends are refused.',
    labels: [],
    read: ({ queueMax }) => one(queueMax),
  },
  {
    name: 'waypost_queue_oldest_message_age_seconds',
    type: 'gauge',
    help: 'Age of the oldest message of a line that has no outcome yet; 0 when there is none.',
    labels: ['line'],
    read: ({ backlogs, now }) => backlogs.map(({ lineId, oldestAt }) => [[lineId], ageSeconds(oldestAt, now)]),
  },
  {
    name: 'waypost_unknown_messages',
    type: 'gauge',
    help: 'Messages whose outcome is unknown at this moment.',
    labels: [],
    read: ({ unknown }) => (unknown ? one(unknown.count) : []),
  },
  {
    name: 'waypost_unknown_oldest_age_seconds',
    type: 'gauge',
    help: 'How long the oldest message of unknown outcome has been unknown; 0 when there is none.',
    labels: [],
    read: ({ unknown, now }) => (unknown ? one(ageSeconds(unknown.since, now)) : []),
  },
  {
    name: 'waypost_partner_requests_total',
    type: 'counter',
    help: 'Requests to the partner API by answer: ok, or the error code.',
    labels: ['answer'],
    read: ({ metrics }) => countsOf(metrics.requests),
  },
  {
    name: 'waypost_rate_limit_refusals_total',
    type: 'counter',
    help: 'Requests refused with 429, by the limit that was reached: address, key, docs.',
    labels: ['limit'],
    read: ({ metrics }) => countsOf(metrics.rateLimitRefusals),
  },
  {
    name: 'waypost_callbacks_total',
    type: 'counter',
    help: 'Callbacks by result: stored, unsigned, wrong_signature, not_read, unreadable, not_stored.',
    labels: ['result'],
    read: ({ metrics }) => countsOf(metrics.callbacks),
  },
  {
    name: 'waypost_callback_statuses_total',
    type: 'counter',
    help: 'Status updates in callbacks: applied to a message, or parked because no message is known.',
    labels: ['result'],
    read: ({ metrics }) => countsOf(metrics.statuses),
  },
  {
    name: 'waypost_priced_deliveries_total',
    type: 'counter',
    help: 'Reports of a delivery with a price: its category, the country of the recipient, whether it is charged.',
    labels: ['category', 'country', 'billable'],
    read: ({ metrics }) => countsOf(metrics.pricedDeliveries),
  },
  {
    name: 'waypost_webhook_attempts_total',
    type: 'counter',
    help: 'Attempts to deliver an event to a webhook, by result: delivered, refused, unanswered.',
    labels: ['result'],
    read: ({ metrics }) => countsOf(metrics.deliveries),
  },
  {
    name: 'waypost_webhook_endpoints',
    type: 'gauge',
    help: 'Endpoints of webhooks: working, failing, disabled by themselves, or switched off by a person.',
    labels: ['state'],
    read: ({ webhooks }) => (webhooks ? webhookStates.map(state => [[state], webhooks[state]] as const) : []),
  },
  {
    name: 'waypost_webhook_oldest_event_age_seconds',
    type: 'gauge',
    help: 'Age of the oldest event that an endpoint which is on has yet to get; 0 when there is none.',
    labels: [],
    read: ({ webhooks, now }) => (webhooks ? one(ageSeconds(webhooks.waitingSince, now)) : []),
  },
  {
    name: 'waypost_commit_batch_size',
    type: 'histogram',
    help: 'Writes that share one commit of the database.',
    labels: [],
    read: ({ writer }) => oneOf(writer?.commitBatch),
  },
  {
    name: 'waypost_commit_sync_seconds',
    type: 'histogram',
    help: 'Time of a commit of the database, with the sync of the disk.',
    labels: [],
    read: ({ writer }) => oneOf(writer?.commitSync),
  },
  {
    name: 'waypost_database_size_bytes',
    type: 'gauge',
    help: 'Size of the database file, and of its write-ahead log.',
    labels: ['file'],
    read: ({ files }) => files.map(([file, bytes]) => [[file], bytes]),
  },
  {
    name: 'waypost_database_lock_timeouts_total',
    type: 'counter',
    help: 'Statements that were given up because somebody held a lock in PostgreSQL for too long.',
    labels: [],
    read: ({ locks }) => (locks ? one(locks.timeouts) : []),
  },
  {
    name: 'waypost_event_loop_lag_seconds',
    type: 'histogram',
    help: 'Event-loop lag of the thread: how late a timer fires, measured twice a second.',
    labels: ['thread'],
    read: ({ loops }) => loops.flatMap(([thread, lag]) => (lag ? [[[thread], lag] as const] : [])),
  },
  {
    name: 'waypost_worker_restarts_total',
    type: 'counter',
    help: 'Threads that ended unexpectedly or hung, and were replaced.',
    labels: ['worker'],
    read: ({ restarts }) => restarts.map(([worker, count]) => [[worker], count]),
  },
  {
    name: 'waypost_broken_promises_total',
    type: 'counter',
    help: 'Promises of the gateway that did not hold, each time that this was noticed: a defect of ours.',
    labels: ['promise'],
    read: ({ metrics }) => countsOf(metrics.brokenPromises),
  },
  {
    name: 'waypost_event_stream_clients',
    type: 'gauge',
    help: 'Clients that listen to live events.',
    labels: [],
    read: ({ eventStreams }) => one(eventStreams),
  },
  {
    name: 'waypost_backup_last_success_timestamp_seconds',
    type: 'gauge',
    help: 'When the last automatic backup was made, in seconds since 1970; absent before the first.',
    labels: [],
    read: ({ backups }) => (backups.lastBackup ? one(Math.floor(backups.lastBackup.at / 1_000)) : []),
  },
  {
    name: 'waypost_backup_due_timestamp_seconds',
    type: 'gauge',
    help: 'When the next backup is due by BACKUP_EVERY, in seconds since 1970; absent before the first.',
    labels: [],
    read: ({ backupsDue: { make } }) => (make === null ? [] : one(Math.floor(make / 1_000))),
  },
  {
    name: 'waypost_backup_upload_due_timestamp_seconds',
    type: 'gauge',
    help:
      'When the backup after the last one in the bucket is due by BACKUP_EVERY, in seconds since 1970; absent ' +
      'before the first, and without a bucket.',
    labels: [],
    read: ({ backupsDue: { upload } }) => (upload === null ? [] : one(Math.floor(upload / 1_000))),
  },
  {
    name: 'waypost_backup_failed',
    type: 'gauge',
    help: '1 while the last backup or its upload failed and no later one succeeded.',
    labels: [],
    read: ({ backups }) => one(backups.makeFailure === null && backups.uploadFailure === null ? 0 : 1),
  },
  {
    name: 'waypost_media_files_total',
    type: 'counter',
    help: 'Files of users: stored, given up as failed or expired, and attempts that are retried.',
    labels: ['result'],
    read: ({ metrics }) => countsOf(metrics.files),
  },
  {
    name: 'waypost_media_bytes',
    type: 'gauge',
    help: 'What the stored files of users have, of all workspaces; absent where another instance keeps them.',
    labels: [],
    read: ({ mediaBytes }) => (mediaBytes === null ? [] : one(mediaBytes)),
  },
  {
    name: 'waypost_media_limit_bytes',
    type: 'gauge',
    help: 'What they may have: MEDIA_STORAGE_MAX.',
    labels: [],
    read: ({ mediaBytesMax }) => one(mediaBytesMax),
  },
  {
    name: 'waypost_clock_ahead_seconds',
    type: 'gauge',
    help: 'How much the clock of this machine is ahead of that of the database server; negative when it is behind.',
    labels: [],
    read: ({ clockAheadMs }) => (clockAheadMs === null ? [] : one(clockAheadMs / 1_000)),
  },
  {
    name: 'waypost_ready',
    type: 'gauge',
    help: '1 when the part can take and store a send, as /readyz says; the part gateway is 0 while it stops.',
    labels: ['part'],
    read: ({ readiness, isStopping }) => [
      [['gateway'], isStopping ? 0 : 1],
      ...Object.entries(readiness).map(([part, state]) => [[part], state === 'ok' ? 1 : 0] as const),
    ],
  },
  {
    name: 'waypost_build_info',
    type: 'gauge',
    help: 'Always 1; the labels say which program runs.',
    labels: ['version', 'commit', 'bun'],
    read: ({ version }) => [[[version, commit(), Bun.version], 1]],
  },
  {
    name: 'process_resident_memory_bytes',
    type: 'gauge',
    help: 'Memory that the process holds.',
    labels: [],
    read: ({ memory }) => one(memory.rss),
  },
  {
    name: 'process_cpu_seconds_total',
    type: 'counter',
    help: 'Processor time of the process, of all its threads.',
    labels: [],
    read: ({ cpu }) => one((cpu.user + cpu.system) / 1_000_000),
  },
  {
    name: 'process_start_time_seconds',
    type: 'gauge',
    help: 'When the process started, in seconds since 1970.',
    labels: [],
    read: ({ startedAt }) => one(Math.round(startedAt / 1_000)),
  },
]
