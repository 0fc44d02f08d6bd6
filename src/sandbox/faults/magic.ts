import { REFUSALS } from '../checks/refusals.ts'
import { digitsOf } from '../state/phone.ts'
import type { Behaviour } from './faults.ts'

/** A recipient with a behaviour of its own. */
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

const special: readonly MagicRecipient[] = [
  {
    number: '+15550130429',
    what: 'throttled with 130429 and Retry-After: 1, the next send is accepted, and so on in turn',
    behaviour: { answer: 'error', code: 130429, retryAfterS: 1 },
    alternating: true,
  },
  {
    number: '+15550131056',
    what: 'pair limit 131056, the next send is accepted, and so on in turn',
    behaviour: { answer: 'error', code: 131056 },
    alternating: true,
  },
  {
    number: '+15550130002',
    what: 'temporary error 2, the next send is accepted, and so on in turn',
    behaviour: { answer: 'error', code: 2 },
    alternating: true,
  },
  {
    number: '+15550130463',
    what: 'token expired: 190 with subcode 463',
    behaviour: { answer: 'error', code: 190, subcode: 463 },
  },
  {
    number: '+15550130033',
    what: 'unknown object: 100 with subcode 33',
    behaviour: { answer: 'error', code: 100, subcode: 33, title: 'Unsupported request. Object does not exist' },
  },
  { number: '+15550139999', what: 'an unknown code: 999999', behaviour: { answer: 'error', code: 999_999 } },
  {
    number: '+15550139998',
    what: 'an unknown code with is_transient',
    behaviour: { answer: 'error', code: 999_998, transient: true },
  },
  {
    number: '+15550139997',
    what: 'error_data as plain text',
    behaviour: { answer: 'error', code: 131009, details: 'Parameter value is not valid.', errorDataAsText: true },
  },
  {
    number: '+15550130500',
    what: 'HTTP 500 with an HTML page, nothing sent',
    behaviour: { answer: 'html', status: 500 },
  },
  {
    number: '+15550131500',
    what: 'HTTP 500 with an HTML page, though sent: callbacks come',
    behaviour: { answer: 'html', status: 500, sent: true },
  },
  {
    number: '+15550130502',
    what: 'HTTP 502 with an HTML page, nothing sent',
    behaviour: { answer: 'html', status: 502 },
  },
  {
    number: '+15550130503',
    what: 'HTTP 503 with an empty body, nothing sent',
    behaviour: { answer: 'empty', status: 503 },
  },
  {
    number: '+15550130504',
    what: 'HTTP 504 with an empty body, nothing sent',
    behaviour: { answer: 'empty', status: 504 },
  },
  {
    number: '+15550130200',
    what: 'HTTP 200 with an error in it, nothing sent',
    behaviour: { answer: 'error_in_200', code: 131000 },
  },
  {
    number: '+15550130201',
    what: 'HTTP 200 without `messages`, though sent',
    behaviour: { answer: 'without_messages', sent: true },
  },
  {
    number: '+15550130202',
    what: 'HTTP 200 with malformed JSON, though sent',
    behaviour: { answer: 'malformed', sent: true },
  },
  {
    number: '+15550130203',
    what: 'HTTP 200 with JSON cut in the middle, though sent',
    behaviour: { answer: 'truncated', sent: true },
  },
  {
    number: '+15550130010',
    what: 'connection reset instead of an answer, though sent',
    behaviour: { answer: 'reset', sent: true },
  },
  {
    number: '+15550130011',
    what: 'connection reset instead of an answer, nothing sent',
    behaviour: { answer: 'reset', sent: false },
  },
  {
    number: '+15550130012',
    what: 'connection reset within the answer, though sent',
    behaviour: { answer: 'reset_mid_body', sent: true },
  },
  { number: '+15550130013', what: 'the answer trickles in byte by byte', behaviour: { answer: 'trickle', sent: true } },
  {
    number: '+15550130020',
    what: 'never answered, though sent: callbacks come',
    behaviour: { answer: 'hang', sent: true },
  },
  { number: '+15550130021', what: 'never answered, nothing sent', behaviour: { answer: 'hang', sent: false } },
  {
    number: '+15550130022',
    what: 'answered after 35 s, though sent at once',
    behaviour: { afterMs: late, sent: true },
  },
  {
    number: '+15550130023',
    what: 'refused with 131000 after 35 s',
    behaviour: { answer: 'error', code: 131000, afterMs: late },
  },
  {
    number: '+15550130030',
    what: 'a template is held for quality assessment, released after 2 s',
    behaviour: { answer: 'held', heldMs: 2_000 },
  },
  {
    number: '+15550130031',
    what: 'a template is held for quality assessment, dropped with 132015 after 2 s',
    behaviour: { answer: 'held', heldMs: 2_000, dropped: true },
  },
  { number: '+15550140001', what: 'no callback ever', behaviour: { callbacks: [] } },
  { number: '+15550140002', what: 'only sent: the phone is off', behaviour: { callbacks: [{ status: 'sent' }] } },
  {
    number: '+15550140003',
    what: 'delivered, never read',
    behaviour: { callbacks: [{ status: 'sent' }, { status: 'delivered' }] },
  },
  {
    number: '+15550140004',
    what: 'read without delivered',
    behaviour: { callbacks: [{ status: 'sent' }, { status: 'read' }] },
  },
  { number: '+15550140005', what: 'read alone', behaviour: { callbacks: [{ status: 'read' }] } },
  {
    number: '+15550140006',
    what: 'delivered after failed',
    behaviour: { callbacks: [{ status: 'sent' }, failedBy(131026), { status: 'delivered' }] },
  },
  {
    number: '+15550140007',
    what: 'failed after delivered',
    behaviour: { callbacks: [{ status: 'sent' }, { status: 'delivered' }, failedBy(131026)] },
  },
  { number: '+15550140008', what: 'every callback three times', behaviour: { copies: 3 } },
  { number: '+15550140009', what: 'read, delivered, sent: in the opposite order', behaviour: { reversed: true } },
  { number: '+15550140010', what: 'callbacks before the answer to the send', behaviour: { early: true } },
]

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
export const isMagic = (to: string) => !to.includes('+') && byWaId.has(digitsOf(to))

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
