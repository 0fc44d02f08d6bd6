import type { Issue } from '../base/errors.ts'
import { storedFile } from './callbacks/contents.ts'
import type { CallbackSender } from './callbacks/delivery.ts'
import type { Update } from './callbacks/envelope.ts'
import { inboundUpdate } from './callbacks/inbound.ts'
import type { InboundInput } from './callbacks/inboundInput.ts'
import { optOutOf } from './callbacks/preference.ts'
import type { SignatureMode } from './callbacks/signing.ts'
import { pricingOf, type SandboxLine, type SentMessage } from './callbacks/statuses.ts'
import { templateUpdateOf } from './callbacks/templateUpdate.ts'
import type { FaultInput } from './faults/faults.ts'
import type { BatchInput, PaymentInput, StatusInput, TemplateUpdateInput } from './http/inputs.ts'
import { blockedWords, isBlocked } from './state/blocked.ts'
import type { JournalFilter } from './state/journal.ts'
import { onlyDigits, writtenNumber } from './state/phone.ts'
import { newNumericId } from './state/random.ts'
import type { TemplateInput } from './state/records.ts'
import type { SandboxState, TokenState } from './state/sandboxState.ts'
import type { SettingsPatch } from './state/settings.ts'

/** The result of a POST of callbacks: the receiver's HTTP status, 0 without an answer or a receiver. */
export interface Delivered {
  readonly status: number
}

/** A message of a user, under its id and that of its file; or what the platform would not take. */
type Written = Delivered &
  (
    | { readonly wamid: string; readonly mediaId?: string; readonly problem?: undefined }
    | { readonly problem: Issue; readonly wamid?: undefined }
  )

/**
 * The retry interval after an outage, while another program holds the port: short enough that the sandbox does not seem
 * dead.
 */
const openAgainMs = 250

interface Port {
  close(): Promise<void>
  open(): Promise<void>
}

/** All actions of the stand-in for tests and people. The control routes only call it. */
export type Control = ReturnType<typeof createControl>

export function createControl(state: SandboxState, port: Port) {
  let cancelOutage: (() => void) | undefined
  const { delivery, faults, journal, statuses, templates } = state
  const now = () => state.clock.now()
  const lineOf = (id: string | undefined): SandboxLine | undefined =>
    id === undefined ? state.lines.values().next().value : state.lines.get(id)

  const deliver = async (updates: readonly Update[]): Promise<Delivered> => ({
    status: await delivery.deliverNow(updates),
  })

  const statusOf = (line: SandboxLine, input: BatchInput['updates'][number]) =>
    statuses.update(statuses.find(input.wamid) ?? madeUp(line, input.wamid, input, now()), input, now())

  const knownOr = ({ name, language }: TemplateUpdateInput) =>
    templates.plan(name, language)?.template ?? { id: newNumericId(state.random), category: 'UTILITY' }
  const templateUpdate = (input: TemplateUpdateInput): Promise<Delivered> =>
    deliver([templateUpdateOf(input, knownOr(input), now())])

  /** Another program may have taken the port meanwhile, so this retries until it works. */
  const openAfter = (delayMs: number) => {
    cancelOutage?.()
    const cancel = state.clock.setTimer(delayMs, () => {
      // A newer outage or a stop has replaced this one.
      port.open().catch(() => cancelOutage === cancel && openAfter(openAgainMs))
    })
    cancelOutage = cancel
  }

  return {
    settings: () => state.settings,
    configure: (patch: SettingsPatch) => state.configure(patch),
    reset: () => state.reset(),
    setToken(token: TokenState) {
      state.token = token
    },
    setCallbackUrl: (address: string | undefined) => state.subscriptions.setAppAddress(address),
    /** Refuses connections for this long by the clock. Resolves once the port is closed. */
    async outage(forMs: number) {
      openAfter(forMs)
      await port.close()
    },

    requests: (filter?: JournalFilter) => journal.find(filter),
    totals: () => journal.totals(),
    /** Opaque data that went out more than once: empty, if the gateway keeps its promise. */
    doubles: () => journal.doubles(),

    /** @returns the fault's id, or nothing when there are too many. */
    addFault: (input: FaultInput) => faults.add(input),
    faults: () => faults.list(),
    removeFault: (id: string) => faults.remove(id),
    clearFaults: () => faults.clear(),

    templates: () => templates.list(),
    putTemplate: (input: TemplateInput) => templates.put(input),
    deleteTemplate: (name: string, language: string) => templates.delete(name, language),
    /** Changes the status, with a callback unless `silent`. */
    async setTemplateStatus({ silent, ...input }: TemplateUpdateInput & { silent?: boolean }) {
      const template = templates.setStatus(input.name, input.language, input.event, input.reason)
      if (template && !silent) await templateUpdate(input)
      return template
    },
    expireMedia: (id: string) => state.media.expire(id, now()),

    /** Posts an inbound message and opens the user's window, unless it is blocked. Nothing when the line is unknown. */
    async inbound(input: InboundInput): Promise<Written | undefined> {
      const line = lineOf(input.line)
      if (!line) return undefined
      const waId = writtenNumber(onlyDigits(input.from))
      if (isBlocked(state, line.id, waId)) return { status: 0, problem: { path: '/from', message: blockedWords(line) } }
      const stored = storedFile(state, line, input)
      if (stored && 'refusal' in stored) {
        const message = stored.refusal.details ?? stored.refusal.title ?? ''
        return { status: 0, problem: { path: '/file', message } }
      }
      const { wamid, update } = inboundUpdate(state, line, input, stored?.file ?? null)
      return { wamid, ...(stored && { mediaId: stored.file.id }), ...(await deliver([update])) }
    },
    /** Posts that a user wants no marketing messages from a line, the first one unless it is named. */
    async optOut(user: Pick<InboundInput, 'from' | 'name' | 'line'>) {
      const line = lineOf(user.line)
      return line && deliver([optOutOf(line, user, now())])
    },
    /** Posts one status callback of a known or of an invented message. */
    async status(input: StatusInput) {
      const line = lineOf(input.line)
      return line && deliver([statusOf(line, input)])
    },
    /** Posts what becomes of a payment, of a known or of an invented message. */
    async payment(input: PaymentInput) {
      const line = lineOf(input.line)
      if (!line) return undefined
      const message = statuses.find(input.wamid) ?? madeUp(line, input.wamid, input, now())
      return deliver([statuses.payment(message, input, now())])
    },
    /** Posts one body with many statuses: up to 1000 of them, padded to a size of up to 3 MB. */
    async batch({ updates, padBytes, line: lineId }: BatchInput) {
      const line = lineOf(lineId)
      if (!line) return undefined
      const list = updates.map(input => statusOf(line, input))
      return deliver(padBytes === undefined ? list : padded(list, padBytes, line, delivery))
    },
    /** Posts a template update to the app's own address. */
    templateUpdate,
    /** Posts any payload with the given kind of signature; text is sent unchanged. */
    raw: async (payload: unknown, { line, signature }: { line?: string; signature?: SignatureMode } = {}) => ({
      status: await delivery.deliverRaw(payload, {
        ...(line !== undefined && { lineId: line }),
        ...(signature !== undefined && { signature }),
        retry: false,
      }),
    }),
    deliveries: () => delivery.records(),
    /** Callbacks still to come: statuses waiting for their time, updates and repeats waiting to be posted. */
    pending() {
      const totals = delivery.totals()
      return { ...totals, statuses: statuses.waiting, dropped: totals.dropped + statuses.dropped }
    },
    stop() {
      cancelOutage?.()
      cancelOutage = undefined
    },
  }
}

/** Pads the body to this size with an update without meaning. A body that is already larger stays unchanged. */
function padded(
  updates: readonly Update[],
  toBytes: number,
  line: SandboxLine,
  delivery: CallbackSender,
): readonly Update[] {
  const padding = (length: number): Update[] => [
    ...updates,
    { field: 'sandbox_padding', lineId: line.id, value: { padding: 'x'.repeat(length) } },
  ]
  const missing = toBytes - delivery.bytesOf(padding(0))
  return missing < 0 ? updates : padding(missing)
}

/** A message that the stand-in never saw, for callbacks with an unknown id. */
function madeUp(
  line: SandboxLine,
  wamid: string,
  input: Pick<StatusInput, 'recipient' | 'opaque'>,
  at: number,
): SentMessage {
  return {
    wamid,
    line,
    waId: input.recipient?.replace('+', '') ?? '15550100000',
    isGroup: false,
    at,
    opaque: input.opaque,
    pricing: pricingOf('service', { at, isOpen: true, isFreeEntry: false }),
    templateId: undefined,
    flowToken: undefined,
  }
}
