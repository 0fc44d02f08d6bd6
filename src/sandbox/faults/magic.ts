import { REFUSALS } from '../checks/refusals.ts'
import { onlyDigits } from '../state/phone.ts'
import type { Behaviour } from './faults.ts'

/** A recipient with a special behaviour. */
export interface MagicRecipient {
  readonly number: string
  readonly what: string
  readonly behaviour: Behaviour
  /** Only for the 1st, 3rd, 5th ... send of each line to it. */
  readonly alternating?: true
}

/** `+1 555 01` is reserved for fiction: nobody has such a number. */
const refusedPrefix = '1555010'
const failedPrefix = '1555011'
const bothPrefix = '1555012'

/** The last four digits of a code, as they end a magic number: 131026 -> 1026, 190 -> 0190. */
export const magicSuffix = (code: number): string => String(code % 10_000).padStart(4, '0')

const codes = Object.keys(REFUSALS).map(Number)

function perCode(prefix: string, what: (code: number) => string, behaviour: (code: number) => Behaviour) {
  return codes.map(code => ({
    number: `+${prefix}${magicSuffix(code)}`,
    what: what(code),
    behaviour: behaviour(code),
  }))
}

const late = 35_000
const failedBy = (code: number) => ({ status: 'failed' as const, code })

type Row = readonly [number: string, what: string, behaviour: Behaviour, alternating?: true]

const rows: readonly Row[] = [
  [
    '+15550130429',
    'throttled with 130429 and Retry-After: 1; the next send is accepted, alternating',
    { answer: 'error', code: 130429, retryAfterS: 1 },
    true,
  ],
  [
    '+15550131056',
    'pair limit 131056; the next send is accepted, alternating',
    { answer: 'error', code: 131056 },
    true,
  ],
  ['+15550130002', 'temporary error 2; the next send is accepted, alternating', { answer: 'error', code: 2 }, true],
  ['+15550130463', 'token expired: 190 with subcode 463', { answer: 'error', code: 190, subcode: 463 }],
  [
    '+15550130033',
    'unknown object: 100 with subcode 33',
    { answer: 'error', code: 100, subcode: 33, title: 'Unsupported request. Object does not exist' },
  ],
  ['+15550139999', 'an unknown code: 999999', { answer: 'error', code: 999_999 }],
  ['+15550139998', 'an unknown code with is_transient', { answer: 'error', code: 999_998, transient: true }],
  [
    '+15550139997',
    'error_data as plain text',
    { answer: 'error', code: 131009, details: 'Parameter value is not valid.', errorDataAsText: true },
  ],
  ['+15550130500', 'HTTP 500 with an HTML page, nothing sent', { answer: 'html', status: 500 }],
  [
    '+15550131500',
    'HTTP 500 with an HTML page, though sent: callbacks come',
    { answer: 'html', status: 500, sent: true },
  ],
  ['+15550130502', 'HTTP 502 with an HTML page, nothing sent', { answer: 'html', status: 502 }],
  ['+15550130503', 'HTTP 503 with an empty body, nothing sent', { answer: 'empty', status: 503 }],
  ['+15550130504', 'HTTP 504 with an empty body, nothing sent', { answer: 'empty', status: 504 }],
  ['+15550130200', 'HTTP 200 with an error in it, nothing sent', { answer: 'error_in_200', code: 131000 }],
  ['+15550130201', 'HTTP 200 without `messages`, though sent', { answer: 'without_messages', sent: true }],
  ['+15550130202', 'HTTP 200 with malformed JSON, though sent', { answer: 'malformed', sent: true }],
  ['+15550130203', 'HTTP 200 with JSON cut in the middle, though sent', { answer: 'truncated', sent: true }],
  ['+15550130010', 'connection reset instead of an answer, though sent', { answer: 'reset', sent: true }],
  ['+15550130011', 'connection reset instead of an answer, nothing sent', { answer: 'reset', sent: false }],
  ['+15550130012', 'connection reset within the answer, though sent', { answer: 'reset_mid_body', sent: true }],
  ['+15550130013', 'the answer trickles in byte by byte', { answer: 'trickle', sent: true }],
  ['+15550130020', 'never answered, though sent: callbacks come', { answer: 'hang', sent: true }],
  ['+15550130021', 'never answered, nothing sent', { answer: 'hang', sent: false }],
  ['+15550130022', 'answered after 35 s, though sent at once', { afterMs: late, sent: true }],
  ['+15550130023', 'refused with 131000 after 35 s', { answer: 'error', code: 131000, afterMs: late }],
  ['+15550130030', 'a template is held for quality assessment, released after 2 s', { answer: 'held', heldMs: 2_000 }],
  [
    '+15550130031',
    'a template is held for quality assessment, dropped with 132015 after 2 s',
    { answer: 'held', heldMs: 2_000, dropped: true },
  ],
  ['+15550140001', 'no callback ever', { callbacks: [] }],
  ['+15550140002', 'only sent: the phone is off', { callbacks: [{ status: 'sent' }] }],
  ['+15550140003', 'delivered, never read', { callbacks: [{ status: 'sent' }, { status: 'delivered' }] }],
  ['+15550140004', 'read without delivered', { callbacks: [{ status: 'sent' }, { status: 'read' }] }],
  ['+15550140005', 'read alone', { callbacks: [{ status: 'read' }] }],
  [
    '+15550140006',
    'delivered after failed',
    { callbacks: [{ status: 'sent' }, failedBy(131026), { status: 'delivered' }] },
  ],
  [
    '+15550140007',
    'failed after delivered',
    { callbacks: [{ status: 'sent' }, { status: 'delivered' }, failedBy(131026)] },
  ],
  ['+15550140008', 'every callback three times', { copies: 3 }],
  ['+15550140009', 'read, delivered, sent: in the opposite order', { reversed: true }],
  ['+15550140010', 'callbacks before the answer to the send', { early: true }],
]

const special = rows.map(
  ([number, what, behaviour, alternating]): MagicRecipient => ({
    number,
    what,
    behaviour,
    ...(alternating && { alternating }),
  }),
)

/** All magic recipients: three numbers for each code of the table, and the special ones. */
export const MAGIC_RECIPIENTS: readonly MagicRecipient[] = [
  ...perCode(
    refusedPrefix,
    code => `refused with ${code}`,
    code => ({ answer: 'error', code }),
  ),
  ...perCode(
    failedPrefix,
    code => `accepted, then a failed callback with ${code}`,
    code => ({ callbacks: [{ status: 'sent' }, failedBy(code)] }),
  ),
  ...perCode(
    bothPrefix,
    code => `refused with ${code}, and a failed callback with it as well`,
    code => ({ answer: 'error', code, callbacks: [failedBy(code)] }),
  ),
  ...special,
]

/** For people: the three ranges in one sentence each, then the special numbers. */
export const MAGIC_GUIDE: readonly { number: string; what: string }[] = [
  { number: `+${refusedPrefix}CCCC`, what: 'refused; CCCC = the last four digits of the code, e.g. +15550101026' },
  { number: `+${failedPrefix}CCCC`, what: 'accepted, then a failed callback with that code, e.g. +15550111026' },
  { number: `+${bothPrefix}CCCC`, what: 'refused, and a failed callback as well, e.g. +15550121026' },
  ...special.map(({ number, what }) => ({ number, what })),
]

const byWaId = new Map(MAGIC_RECIPIENTS.map(magic => [magic.number.slice(1), magic]))

/** Whether these are the digits of a magic number, written without `+`. */
export const isMagic = (to: string) => !to.includes('+') && byWaId.has(onlyDigits(to))

/** Which behaviour a recipient asks for. Counts the sends to alternating numbers, per line. */
export class Magic {
  /** Lines x the few alternating numbers. */
  readonly #sends = new Map<string, number>()

  strike(lineId: string, waId: string): { id: string; behaviour: Behaviour } | undefined {
    const magic = byWaId.get(waId)
    if (!magic) return undefined
    if (magic.alternating) {
      const key = `${lineId} ${waId}`
      const earlier = this.#sends.get(key) ?? 0
      this.#sends.set(key, earlier + 1)
      if (earlier % 2 === 1) return undefined
    }
    return { id: magic.number, behaviour: magic.behaviour }
  }

  clear(): void {
    this.#sends.clear()
  }
}
