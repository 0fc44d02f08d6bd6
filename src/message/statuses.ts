/** Every status, in the order in which a message may pass through them. What each means: state.ts. */
export const messageStatuses = [
  'SCHEDULED',
  'QUEUED',
  'SENT',
  'DELIVERED',
  'READ',
  'FAILED',
  'UNKNOWN',
  'CANCELLED',
] as const
export type MessageStatus = (typeof messageStatuses)[number]

/**
 * One question that is decided by the status of a message alone. Nothing else in the program compares a status. So all
 * that has to be decided about a new status is found here: each question without its answer is a type error.
 * `statuses` are those for which it is so: the conditions of statements and indexes are written from them
 * (db/schema/statuses.ts).
 */
export interface StatusQuestion {
  (status: MessageStatus): boolean
  readonly statuses: readonly MessageStatus[]
}

type Answers = Readonly<Record<MessageStatus, boolean>>
const [yes, no] = [true, false]

const by = (answers: Answers): StatusQuestion =>
  Object.assign((status: MessageStatus) => answers[status], {
    statuses: messageStatuses.filter(status => answers[status]),
  })

/** @returns the opposite question */
export const not = (question: StatusQuestion): StatusQuestion =>
  Object.assign((status: MessageStatus) => !question(status), {
    statuses: messageStatuses.filter(status => !question(status)),
  })

/**
 * No attempt has come to an end. So it counts in no day, may still get an id of ours, and is not sent again by hand:
 * its own attempt is still to come.
 */
export const isOpen = by({
  SCHEDULED: yes,
  QUEUED: yes,
  SENT: no,
  DELIVERED: no,
  READ: no,
  FAILED: no,
  UNKNOWN: no,
  CANCELLED: no,
})

/**
 * An attempt may be made now, or is being made: an instance owns the message, hands it over and takes it over from an
 * instance that is gone, and who sent it waits for its end. Any other message must never leave.
 */
export const mayLeave = by({
  SCHEDULED: no,
  QUEUED: yes,
  SENT: no,
  DELIVERED: no,
  READ: no,
  FAILED: no,
  UNKNOWN: no,
  CANCELLED: no,
})

/** It waits for its time: it is released then, and until then it may be moved or cancelled. Nothing of it has left. */
export const isScheduled = by({
  SCHEDULED: yes,
  QUEUED: no,
  SENT: no,
  DELIVERED: no,
  READ: no,
  FAILED: no,
  UNKNOWN: no,
  CANCELLED: no,
})

/** It was to wait for its time, and was taken back before. */
export const isCancelled = by({
  SCHEDULED: no,
  QUEUED: no,
  SENT: no,
  DELIVERED: no,
  READ: no,
  FAILED: no,
  UNKNOWN: no,
  CANCELLED: yes,
})

/** The console says what it waits for, and counts it as waiting. */
export const isShownAsWaiting = by({
  SCHEDULED: no,
  QUEUED: yes,
  SENT: no,
  DELIVERED: no,
  READ: no,
  FAILED: no,
  UNKNOWN: no,
  CANCELLED: no,
})

/** It is still to be sent: its content is kept however old it is, and so is its line. */
export const needsContent = by({
  SCHEDULED: yes,
  QUEUED: yes,
  SENT: no,
  DELIVERED: no,
  READ: no,
  FAILED: no,
  UNKNOWN: no,
  CANCELLED: no,
})

/**
 * An erasure may take its traces. One that waits for its turn needs its recipient: the erasure waits for it. One that
 * waits for its time is cancelled.
 */
export const isErasable = by({
  SCHEDULED: yes,
  QUEUED: no,
  SENT: yes,
  DELIVERED: yes,
  READ: yes,
  FAILED: yes,
  UNKNOWN: yes,
  CANCELLED: yes,
})

/**
 * It is the same after a restore. Any other may have been sent since the backup, and must not be sent twice: of those
 * that wait for their time, the ones that were due since.
 */
export const isRestorable = by({
  SCHEDULED: no,
  QUEUED: no,
  SENT: yes,
  DELIVERED: yes,
  READ: yes,
  FAILED: yes,
  UNKNOWN: yes,
  CANCELLED: yes,
})

/**
 * Nobody knows yet what becomes of it. Few messages are so, however many are stored, and they are found by an index of
 * their own. It says nothing yet of the token that it was sent with.
 */
export const isUnsettled = by({
  SCHEDULED: yes,
  QUEUED: yes,
  SENT: no,
  DELIVERED: no,
  READ: no,
  FAILED: no,
  UNKNOWN: yes,
  CANCELLED: no,
})

/** It may be deleted once it is old. What may still be sent or settled stays, however old it is. */
export const isPrunable = by({
  SCHEDULED: no,
  QUEUED: no,
  SENT: yes,
  DELIVERED: yes,
  READ: yes,
  FAILED: yes,
  UNKNOWN: no,
  CANCELLED: yes,
})

/** It was handed over and the answer was lost: an operator, or time, may settle it, and it is never sent again. */
export const isUncertain = by({
  SCHEDULED: no,
  QUEUED: no,
  SENT: no,
  DELIVERED: no,
  READ: no,
  FAILED: no,
  UNKNOWN: yes,
  CANCELLED: no,
})

/** It was refused or not delivered: it has a reason, and counts by it. An index has these alone. */
export const hasFailed = by({
  SCHEDULED: no,
  QUEUED: no,
  SENT: no,
  DELIVERED: no,
  READ: no,
  FAILED: yes,
  UNKNOWN: no,
  CANCELLED: no,
})

/** A trace of its send shows it as an error. */
export const isTracedAsError = by({
  SCHEDULED: no,
  QUEUED: no,
  SENT: no,
  DELIVERED: no,
  READ: no,
  FAILED: yes,
  UNKNOWN: yes,
  CANCELLED: no,
})

/** The upstream took it, and nothing says that it failed since: it answers what the person wrote before. */
export const gotThrough = by({
  SCHEDULED: no,
  QUEUED: no,
  SENT: yes,
  DELIVERED: yes,
  READ: yes,
  FAILED: no,
  UNKNOWN: no,
  CANCELLED: no,
})

/** It is on the phone: the workspace has seen a delivery. */
export const isDelivered = by({
  SCHEDULED: no,
  QUEUED: no,
  SENT: no,
  DELIVERED: yes,
  READ: yes,
  FAILED: no,
  UNKNOWN: no,
  CANCELLED: no,
})

/** The states that callers can wait for. The wait is over when the message has it, is past it, or never comes to it. */
export const endsWaitFor = {
  SENT: by({
    SCHEDULED: no,
    QUEUED: no,
    SENT: yes,
    DELIVERED: yes,
    READ: yes,
    FAILED: yes,
    UNKNOWN: yes,
    CANCELLED: yes,
  }),
  DELIVERED: by({
    SCHEDULED: no,
    QUEUED: no,
    SENT: no,
    DELIVERED: yes,
    READ: yes,
    FAILED: yes,
    UNKNOWN: no,
    CANCELLED: yes,
  }),
  READ: by({ SCHEDULED: no, QUEUED: no, SENT: no, DELIVERED: no, READ: yes, FAILED: yes, UNKNOWN: no, CANCELLED: yes }),
} as const
