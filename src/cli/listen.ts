import type { Command } from 'commander'
import type { StoreReads } from '../../db/contract/store.ts'
import { answerText } from '../base/answerText.ts'
import { systemClock, wait } from '../base/clock.ts'
import { messageOf } from '../base/errors.ts'
import type { EventType } from '../base/eventTypes.ts'
import { numberedId, numberIn } from '../base/ids.ts'
import { field, isObject, parseJson, text } from '../base/json.ts'
import { printable } from '../base/terminal.ts'
import { newWebhookSecret, webhookHeaders } from '../base/webhookSignature.ts'
import { partnerPrefix } from '../http/calls.ts'
import { noPosition, positionAfter } from '../reading/cursor.ts'
import { eventView } from '../webhooks/eventView.ts'
import { addVerb, type Voice } from './command.ts'
import { CommandError, UsageError } from './failure.ts'
import { eventTypeList, httpUrl, id, oneWorkspaceOption, optional } from './inputs.ts'
import type { Workbench } from './session.ts'
import { stopSignal } from './signal.ts'
import { errorOutput, output } from './streams.ts'
import { oneWorkspace } from './workspace.ts'

/** Between two looks into the database of this machine. */
const lookEveryMs = 500
const pageSize = 100
/** Of a gateway elsewhere: each wait is a request. */
const waitSeconds = 25
/** A receiver has as long as that to answer. */
const forwardMsMax = 15_000
/** Of a receiver, of which nothing but the status is told. */
const forwardBytesMax = 65_536
/** A page of events has some hundred KB; with the longest texts of users, some MB. */
const pageBytesMax = 16 * 1_048_576
/** A gateway that does not answer is asked again after this time. */
const retryMs = 5_000

type Shown = Pick<ReturnType<typeof eventView>, 'id' | 'type' | 'timestamp' | 'data'>

interface Page {
  readonly events: readonly Shown[]
  /** The position behind them; null: there never was an event. */
  readonly next: string | null
}

/** @returns the events behind a position; it may wait for them. Null: from the first one */
type Source = (after: string | null) => Promise<Page>

/** `waypost listen`: prints events as they happen, and forwards them. */
export function listenCommand(program: Command, { environment, withStore }: Workbench): void {
  addVerb(program, {
    name: 'listen',
    summary: 'print each event of a workspace as it happens, and forward it to an address, until Ctrl-C',
    example: 'listen --forward-to http://localhost:3000/hook',
    inputs: {
      workspace: oneWorkspaceOption,
      forwardTo: optional(httpUrl, 'post each event there, signed as Standard Webhooks 1.0'),
      type: optional(eventTypeList, 'only these types, with commas: message.delivered,message.received'),
      after: optional(id, 'begin after this event, evt_…; else with what happens from now on'),
      url: optional(httpUrl, 'of a gateway elsewhere; WAYPOST_API_KEY and WAYPOST_API_SECRET are its key'),
    },
    async run({ workspace, forwardTo, type, after, url }, voice) {
      withoutCredentials('--forward-to', forwardTo)
      withoutCredentials('--url', url)
      const secret = newWebhookSecret()
      if (forwardTo !== undefined) await notice(`Each event is signed with ${secret}`)
      const sink = sinkOf(voice, forwardTo === undefined ? null : { url: forwardTo, secret })
      if (url !== undefined) {
        if (workspace !== undefined) throw new UsageError('--workspace is that of the key: leave it out beside --url')
        await follow(sourceOfGateway(url, credentials(environment()), type), after ?? 'latest', sink)
        return undefined
      }
      return withStore(async ({ store }) => {
        const { id: workspaceId } = await oneWorkspace(store, workspace)
        const source = sourceOfDatabase(store.read, workspaceId, type)
        const number =
          after === undefined
            ? await store.read.lastEvent(workspaceId)
            : await positionAfter(store.read, 'evt', workspaceId, after)
        if (number === null) throw new UsageError(`--after ${noPosition.message}`)
        await follow(source, numberedId('evt', workspaceId, number), sink)
        return undefined
      })
    },
  })
}

/** Nothing would send them on. The address is not repeated: it has a password in it. */
function withoutCredentials(option: string, address: string | undefined): void {
  const url = address === undefined ? null : URL.parse(address)
  if (url && (url.username !== '' || url.password !== ''))
    throw new UsageError(`${option}: the address must not carry a user name or a password`)
}

/** What is no event goes to standard error: with `--json` too, where standard output has events alone. */
const notice = (text: string) => errorOutput.write(`${text}\n`)

function credentials(environment: Readonly<Record<string, string | undefined>>) {
  const { WAYPOST_API_KEY: apiKey, WAYPOST_API_SECRET: apiSecret } = environment
  if (!apiKey || !apiSecret)
    throw new UsageError('--url needs WAYPOST_API_KEY and WAYPOST_API_SECRET in the environment')
  return { apiKey, apiSecret }
}

function sourceOfDatabase(
  read: Pick<StoreReads, 'events'>,
  workspaceId: string,
  wanted: readonly EventType[] | undefined,
): Source {
  return async position => {
    const after = position === null ? 0 : (numberIn('evt', workspaceId, position) ?? 0)
    const { events, upTo } = await read.events({ workspaceId, after, types: wanted, limit: pageSize })
    if (upTo === after) await wait(systemClock, lookEveryMs)
    return { events: events.map(event => eventView(workspaceId, event)), next: numberedId('evt', workspaceId, upTo) }
  }
}

function sourceOfGateway(
  url: string,
  headers: Record<string, string>,
  wanted: readonly EventType[] | undefined,
): Source {
  /** Said once, until it answers again. */
  let isInTrouble = false
  return async after => {
    const query = new URLSearchParams({ wait: String(waitSeconds), limit: String(pageSize) })
    if (after !== null) query.set('after', after)
    if (wanted) query.set('type', wanted.join())
    const address = `${url.replace(/\/$/, '')}${partnerPrefix}/events?${query}`
    // Longer than the wait, so that a gateway that is gone does not stop the listening for good.
    const signal = AbortSignal.timeout((waitSeconds + 10) * 1_000)
    let trouble: string | null = null
    const response = await fetch(address, { proxy: false, headers, redirect: 'manual', signal }).catch(error => {
      trouble = messageOf(error)
      return null
    })
    // It was cut off, as by a gateway that is killed.
    const cutOff = () => {
      trouble = 'its answer was cut off'
      return null
    }
    const body = response && (await answerText(response, pageBytesMax).catch(cutOff))
    if (response && body === null && trouble === null)
      throw new CommandError(`${url} answered with more than ${pageBytesMax / 1_048_576} MB, which no gateway does`)
    const answer = body === null ? null : parseJson(body)
    const data = field(answer, 'data')
    if (Array.isArray(data)) {
      isInTrouble = false
      return { events: data, next: text(field(answer, 'next')) }
    }
    const isFinal = response !== null && body !== null && response.status < 500 && response.status !== 429
    if (isFinal) throw new CommandError(text(field(answer, 'message')) ?? `${url} answered ${response.status}`)
    trouble ??= `it answered ${response?.status}`
    if (!isInTrouble) await notice(`${url} is asked again until it gives events, or until Ctrl-C: ${trouble}`)
    isInTrouble = true
    const retryAfterMs = Number(response?.headers.get('retry-after')) * 1_000
    await wait(systemClock, retryAfterMs > 0 ? retryAfterMs : retryMs)
    return { events: [], next: after }
  }
}

/** Prints one event, and forwards it. */
const sinkOf =
  (voice: Voice, receiver: { url: string; secret: string } | null) =>
  async (event: Shown): Promise<void> => {
    const answer = receiver === null ? null : await forwarded(receiver, event)
    const shown = [event.timestamp, event.type, subjectOf(event.data), ...(answer === null ? [] : [`→ ${answer}`])]
    await voice.announce({
      data: answer === null ? event : { ...event, answer },
      text: shown.map(printable).join('  '),
    })
  }

/** @returns what the receiver answered: its status, or why there is none */
async function forwarded({ url, secret }: { url: string; secret: string }, event: Shown): Promise<number | string> {
  const body = JSON.stringify(event)
  const signed = webhookHeaders([secret], { id: event.id, seconds: Math.floor(systemClock.now() / 1_000), body })
  const headers = { 'content-type': 'application/json', ...signed }
  const signal = AbortSignal.timeout(forwardMsMax)
  return fetch(url, { proxy: false, method: 'POST', headers, body, redirect: 'manual', signal }).then(
    async response => {
      await answerText(response, forwardBytesMax).catch(() => {})
      return response.status
    },
    error => messageOf(error),
  )
}

/** @returns the id of what an event is about, with its status where it has one */
function subjectOf(data: object): string {
  const about = ['message', 'inbound', 'contact', 'template', 'line', 'channel']
    .map(name => field(data, name))
    .find(isObject)
  return [text(field(about, 'id')), text(field(about, 'status'))].filter(part => part !== null).join(' ')
}

/** Hands each event on, in order, until a signal to stop, or until the reader of the output has gone. */
async function follow(source: Source, after: string, sink: (event: Shown) => Promise<void>): Promise<void> {
  let isOver = false
  // A new promise for each page: one that lasts as long as this would keep all pages that were raced against it.
  let endWait: (none: undefined) => void = () => {}
  void Promise.race([stopSignal(), output.closed]).then(() => {
    isOver = true
    endWait(undefined)
  })
  let position: string | null = after
  while (!isOver) {
    const over = Promise.withResolvers<undefined>()
    endWait = over.resolve
    const page: Page | undefined = await Promise.race([source(position), over.promise])
    if (!page) return
    for (const event of page.events) {
      if (isOver) return
      await sink(event)
    }
    position = page.next
  }
}
