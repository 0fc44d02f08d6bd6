/** Every status, in the order in which a message may pass through them. What each means: state.ts. */
export const messageStatuses = ['QUEUED', 'SENT', 'DELIVERED', 'READ', 'FAILED', 'UNKNOWN'] as const
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
export const isOpen = by({ QUEUED: yes, SENT: no, DELIVERED: no, READ: no, FAILED: no, UNKNOWN: no })

/**
 * An attempt may be made now, or is being made: an instance owns the message, hands it over and takes it over from an
 * instance that is gone, and who sent it waits for its end. Any other message must never leave.
 */
export const mayLeave = by({ QUEUED: yes, SENT: no, DELIVERED: no, READ: no, FAILED: no, UNKNOWN: no })

/** The console says what it waits for, and counts it as waiting. */
export const isShownAsWaiting = by({ QUEUED: yes, SENT: no, DELIVERED: no, READ: no, FAILED: no, UNKNOWN: no })

/** Its content is still to be sent, so it is kept however old it is. */
export const needsContent = by({ QUEUED: yes, SENT: no, DELIVERED: no, READ: no, FAILED: no, UNKNOWN: no })

/** An erasure may take its traces. One that is still to be sent needs its recipient: the erasure waits for it. */
export const isErasable = by({ QUEUED: no, SENT: yes, DELIVERED: yes, READ: yes, FAILED: yes, UNKNOWN: yes })

/** It is the same after a restore. Any other may have been sent since the backup, and must not be sent twice. */
export const isRestorable = by({ QUEUED: no, SENT: yes, DELIVERED: yes, READ: yes, FAILED: yes, UNKNOWN: yes })

/**
 * Nobody knows yet what becomes of it. Few messages are so, however many are stored, and they are found by an index of
 * their own. It says nothing yet of the token that it was sent with.
 */
export const isUnsettled = by({ QUEUED: yes, SENT: no, DELIVERED: no, READ: no, FAILED: no, UNKNOWN: yes })

/** It may be deleted once it is old. What may still be sent or settled stays, however old it is. */
export const isPrunable = by({ QUEUED: no, SENT: yes, DELIVERED: yes, READ: yes, FAILED: yes, UNKNOWN: no })

/** It was handed over and the answer was lost: an operator, or time, may settle it, and it is never sent again. */
export const isUncertain = by({ QUEUED: no, SENT: no, DELIVERED: no, READ: no, FAILED: no, UNKNOWN: yes })

/** It was refused or not delivered: it has a reason, and counts by it. An index has these alone. */
export const hasFailed = by({ QUEUED: no, SENT: no, DELIVERED: no, READ: no, FAILED: yes, UNKNOWN: no })

/** A trace of its send shows it as an error. */
export const isTracedAsError = by({ QUEUED: no, SENT: no, DELIVERED: no, READ: no, FAILED: yes, UNKNOWN: yes })

/** The upstream took it, and nothing says that it failed since: it answers what the person wrote before. */
export const gotThrough = by({ QUEUED: no, SENT: yes, DELIVERED: yes, READ: yes, FAILED: no, UNKNOWN: no })

/** It is on the phone: the workspace has seen a delivery. */
export const isDelivered = by({ QUEUED: no, SENT: no, DELIVERED: yes, READ: yes, FAILED: no, UNKNOWN: no })

/** The states that callers can wait for. The wait is over when the message has it, is past it, or never comes to it. */
export const endsWaitFor = {
  SENT: by({ QUEUED: no, SENT: yes, DELIVERED: yes, READ: yes, FAILED: yes, UNKNOWN: yes }),
  DELIVERED: by({ QUEUED: no, SENT: no, DELIVERED: yes, READ: yes, FAILED: yes, UNKNOWN: no }),
  READ: by({ QUEUED: no, SENT: no, DELIVERED: no, READ: yes, FAILED: yes, UNKNOWN: no }),
} as const
