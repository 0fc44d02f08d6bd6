import type { Delivery, DeliveryRecord, DeliveryTotals } from './callbacks/delivery.ts'
import type { Update } from './callbacks/envelope.ts'
import { type InboundInput, inboundUpdate } from './callbacks/inbound.ts'
import type { SignatureMode } from './callbacks/signing.ts'
import type { Line, SentMessage } from './callbacks/statuses.ts'
import { templateUpdateOf } from './callbacks/templateUpdate.ts'
import type { Fault, FaultInput } from './faults/faults.ts'
import type { BatchInput, StatusInput, TemplateUpdateInput } from './http/inputs.ts'
import type { JournalEntry, JournalFilter, JournalTotals } from './state/journal.ts'
import { newNumericId } from './state/random.ts'
import type { Template, TemplateInput } from './state/records.ts'
import type { SandboxState, TokenState } from './state/sandboxState.ts'
import type { Settings, SettingsPatch } from './state/settings.ts'

/** The result of a POST of callbacks: the receiver's HTTP status, 0 without an answer or a receiver. */
export interface Delivered {
  readonly status: number
}

/** Everything that a test or a person can make the stand-in do. The control routes only call it. */
export interface Control {
  settings(): Settings
  configure(patch: SettingsPatch): Settings
  reset(): void
  setToken(token: TokenState): void
  setCallbackUrl(address: string | undefined): void
  /** Refuses connections for this long by the clock. Resolves once the port is closed. */
  outage(forMs: number): Promise<void>

  requests(filter?: JournalFilter): JournalEntry[]
  totals(): JournalTotals
  /** Opaque data that went out more than once: empty, if the gateway keeps its promise. */
  doubles(): { opaque: string; times: number }[]

  /** @returns the fault's id, or nothing when there are too many. */
  addFault(input: FaultInput): string | undefined
  faults(): Fault[]
  removeFault(id: string): boolean
  clearFaults(): void

  templates(): Template[]
  putTemplate(input: TemplateInput): Template | undefined
  deleteTemplate(name: string, language: string): boolean
  /** Changes the status, with a callback unless `silent`. */
  setTemplateStatus(input: TemplateUpdateInput & { silent?: boolean }): Promise<Template | undefined>
  expireMedia(id: string): boolean

  /** Posts an inbound message and opens the user's window. Nothing when the line is unknown. */
  inbound(input: InboundInput): Promise<(Delivered & { wamid: string }) | undefined>
  /** Posts one status callback of a known or of an invented message. */
  status(input: StatusInput): Promise<Delivered | undefined>
  /** Posts one body with many statuses: up to 1000 of them, padded to a size of up to 3 MB. */
  batch(input: BatchInput): Promise<Delivered | undefined>
  /** Posts template update to the app's own address. */
  templateUpdate(input: TemplateUpdateInput): Promise<Delivered>
  /** Posts any payload with the given kind of signature; text is sent unchanged. */
  raw(payload: unknown, options?: { line?: string; signature?: SignatureMode }): Promise<Delivered>
  deliveries(): DeliveryRecord[]
  /** Callbacks still to come: statuses waiting for their time, updates and repeats waiting to be posted. */
  pending(): DeliveryTotals & { statuses: number }
  stop(): void
}

/** After an outage, while another program holds the port: short enough that the sandbox does not seem dead. */
const openAgainMs = 250

interface Port {
  close(): Promise<void>
  open(): Promise<void>
}

export function createControl(state: SandboxState, port: Port): Control {
  let cancelOutage: (() => void) | undefined
  const { delivery, faults, journal, statuses, templates } = state
  const now = () => state.clock.now()
  const lineOf = (id: string | undefined): Line | undefined =>
    id === undefined ? state.lines.values().next().value : state.lines.get(id)

  const deliver = async (updates: readonly Update[]): Promise<Delivered> => ({
    status: await delivery.deliverNow(updates),
  })

  const knownOr = ({ name, language }: TemplateUpdateInput) =>
    templates.plan(name, language)?.template ?? { id: newNumericId(state.random), category: 'UTILITY' }
  const templateUpdate = (input: TemplateUpdateInput): Promise<Delivered> =>
    deliver([templateUpdateOf(input, knownOr(input), now())])

  /** Another program may have taken the port meanwhile, so it is tried until it works. */
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
    configure: patch => state.configure(patch),
    reset: () => state.reset(),
    setToken(token) {
      state.token = token
    },
    setCallbackUrl: address => state.subscriptions.setAppAddress(address),
    async outage(forMs) {
      openAfter(forMs)
      await port.close()
    },

    requests: filter => journal.find(filter),
    totals: () => journal.totals(),
    doubles: () => journal.doubles(),

    addFault: input => faults.add(input),
    faults: () => faults.list(),
    removeFault: id => faults.remove(id),
    clearFaults: () => faults.clear(),

    templates: () => templates.list(),
    putTemplate: input => templates.put(input),
    deleteTemplate: (name, language) => templates.delete(name, language),
    async setTemplateStatus({ silent, ...input }) {
      const template = templates.setStatus(input.name, input.language, input.event, input.reason)
      if (template && !silent) await templateUpdate(input)
      return template
    },
    expireMedia: id => state.media.expire(id, now()),

    async inbound(input) {
      const line = lineOf(input.line)
      if (!line) return undefined
      const { wamid, update } = inboundUpdate(state, line, input)
      return { wamid, ...(await deliver([update])) }
    },
    async status(input) {
      const line = lineOf(input.line)
      if (!line) return undefined
      const known = statuses.find(input.wamid)
      return deliver([statuses.update(known ?? madeUp(line, input.wamid, input, now()), input, now())])
    },
    async batch({ updates, padBytes, line: lineId }) {
      const line = lineOf(lineId)
      if (!line) return undefined
      const list = updates.map(input =>
        statuses.update(statuses.find(input.wamid) ?? madeUp(line, input.wamid, input, now()), input, now()),
      )
      return deliver(padBytes === undefined ? list : padded(list, padBytes, line, delivery))
    },
    templateUpdate,
    raw: async (payload, options = {}) => ({
      status: await delivery.deliverRaw(payload, {
        ...(options.line !== undefined && { lineId: options.line }),
        ...(options.signature !== undefined && { signature: options.signature }),
        retry: false,
      }),
    }),
    deliveries: () => delivery.records(),
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
function padded(updates: readonly Update[], toBytes: number, line: Line, delivery: Delivery): readonly Update[] {
  const padding = (length: number): Update[] => [
    ...updates,
    { field: 'sandbox_padding', lineId: line.id, value: { padding: 'x'.repeat(length) } },
  ]
  const missing = toBytes - delivery.bytesOf(padding(0))
  return missing < 0 ? updates : padding(missing)
}

/** A message that the stand-in never saw, for callbacks with an unknown id. */
function madeUp(line: Line, wamid: string, input: StatusInput, at: number): SentMessage {
  return {
    wamid,
    line,
    waId: input.recipient?.replace('+', '') ?? '15550100000',
    isGroup: false,
    at,
    opaque: input.opaque,
    category: 'service',
    flowToken: undefined,
  }
}
