import { Elysia } from 'elysia'
import type { Message } from '../../../db/contract/records.ts'
import type { StoreReads } from '../../../db/contract/store.ts'
import { GatewayError } from '../../base/errors.ts'
import { closed, orNull, Type } from '../../base/schema.ts'
import { isOfValues } from '../../graph/codes.ts'
import { failureOfReason } from '../../graph/failures.ts'
import { failureReasonOf } from '../../message/state.ts'
import { hasFailed, isOpen, isUncertain } from '../../message/statuses.ts'
import { idField } from '../../operations/fields.ts'
import { type Filter, findAll, type Searcher, searcherOf } from '../../reading/messages.ts'
import { againAtOnceMax } from '../../reading/steps.ts'
import { contentToSend, requestAgain } from '../../sending/again.ts'
import { findTemplate } from '../../sending/compose.ts'
import { optOutRefusal } from '../../sending/optOut.ts'
import { guard } from '../guard.ts'
import type { ConsoleParts } from '../parts.ts'
import { wired } from '../shapes.ts'
import { costOf } from './againCost.ts'
import { filterOf } from './filter.ts'
import { countQuery } from './schemas.ts'
import { submit } from './submit.ts'

/** Of one act: what a person can answer for, and a tenth of what a line queues. The rest is another act. */
const againMax = 500

/** Nobody waits longer to see what there is: rare ones among many are found by narrower filters. */
const lookMsMax = 2_000

/** Why a message of the filter is not sent again with the others. */
const leftOutReasons = [
  ...['again', 'unknown', 'waiting', 'notFailed', 'recipient', 'values', 'optedOut', 'notStored'],
] as const
type LeftOut = (typeof leftOutReasons)[number]

const leftOut = Type.Enum([...leftOutReasons], {
  description:
    '`again`: it was sent again already. `unknown`: it may have arrived. `waiting`: it has no end yet. `notFailed`: ' +
    'it reached the platform. `recipient`: the recipient is the reason of its failure. `values`: its values do not ' +
    'fit its template. `optedOut`: it is marketing, which the recipient does not want, and the workspace refuses ' +
    'that. `notStored`: its content is no longer stored.',
})
const offered = wired('MessagesToSendAgain', {
  ids: Type.Array(Type.String(), { description: `Newest first, at most ${againMax}.` }),
  leftOut: Type.Array(closed({ reason: leftOut, count: Type.Integer() })),
  isMore: Type.Boolean({ description: 'Others may fit the filters, and were not looked at.' }),
  cost: orNull(
    closed({
      sums: Type.Array(closed({ currency: Type.String({ description: 'ISO 4217.' }), amount: Type.Number() })),
      withoutRate: Type.Integer({ description: 'Messages that have no rate, and are in no sum.' }),
    }),
    { description: 'What they cost at the rates in the settings, if each is charged; null: there are no rates.' },
  ),
})
const body = wired('SendManyAgain', { ids: Type.Array(idField, { minItems: 1, maxItems: againAtOnceMax }) })
const answer = wired('SentManyAgain', {
  messages: Type.Array(
    closed({
      id: Type.String(),
      leftOut: orNull(leftOut),
      refusal: orNull(Type.String({ description: 'Why the new message was refused; null: it was not.' })),
    }),
  ),
})

/** Sends failed messages again, many at once. However often it is asked, by whomever, each is sent again once. */
export function manyAgainRoutes(parts: ConsoleParts) {
  const { clock, searches } = parts
  const { read } = parts.store
  return new Elysia({ name: 'console-many-again' })
    .use(guard(parts))
    .get(
      '/messages-again',
      async ({ member, query }) => {
        const { workspaceId, turn } = member
        return searches.search(member, async () => {
          const searcher = searcherOf(read, clock, turn, lookMsMax)
          const { sendable, ...others } = await lookThrough(searcher, workspaceId, filterOf(workspaceId, query))
          return {
            ids: sendable.map(({ id }) => id),
            ...others,
            cost: await costOf(read, workspaceId, sendable),
          }
        })
      },
      {
        role: 'member',
        query: countQuery,
        response: offered,
        summary: 'Look what can be sent again',
        description: 'Of the messages that fit, those that failed and may be sent again; why others may not.',
      },
    )
    .post(
      '/messages-again',
      async ({ member, body: { ids }, request }) => {
        const { workspaceId } = member
        const page = { direction: 'older', cursor: undefined, limit: ids.length, scan: ids.length } as const
        const { messages } = await read.searchMessages({ workspaceId, ids, ...page })
        const results = (await judged(read, workspaceId, messages)).map(async ({ message, content, why }) => {
          const { id } = message
          if (why !== null || content === null) return { id, leftOut: why, refusal: null }
          // The key of “Send again” in its conversation: whichever is pressed, it is sent once.
          const send = requestAgain(message, content, `console-again-${id}`)
          try {
            await submit(parts, member, request, send, { action: 'message.send-again' })
            return { id, leftOut: null, refusal: null }
          } catch (thrown) {
            // The others go on.
            if (!(thrown instanceof GatewayError)) throw thrown
            return { id, leftOut: null, refusal: thrown.message }
          }
        })
        return { messages: await Promise.all(results) }
      },
      {
        role: 'member',
        body,
        response: answer,
        summary: 'Send messages again',
        description: 'Each as a new message, as `…/send-again` does, and once however often it is asked.',
      },
    )
}

/** From the newest on, until there are enough or it takes long. Those that are left out keep no others back. */
async function lookThrough(searcher: Searcher & { readonly read: StoreReads }, workspaceId: string, filter: Filter) {
  const sendable: Message[] = []
  const counts = new Map<LeftOut, number>()
  const seen = (isMore: boolean) => ({
    ...{ sendable, isMore },
    leftOut: [...counts].map(([reason, count]) => ({ reason, count })),
  })
  for await (const found of findAll(searcher, filter)) {
    for (let at = 0; at < found.length; at += againAtOnceMax) {
      if (sendable.length + againAtOnceMax > againMax || searcher.isLate()) return seen(true)
      await searcher.turn()
      for (const { message, why } of await judged(searcher.read, workspaceId, found.slice(at, at + againAtOnceMax))) {
        if (why === null) sendable.push(message)
        else counts.set(why, (counts.get(why) ?? 0) + 1)
      }
    }
    if (searcher.isLate()) return seen(true)
  }
  return seen(false)
}

/** @returns the messages, with what they are sent as, or why not */
async function judged(
  read: Pick<StoreReads, 'messageContents' | 'optedOut' | 'sentAgainAs' | 'templatesNamed' | 'workspace'>,
  workspaceId: string,
  messages: readonly Message[],
) {
  const contents = await read.messageContents(messages.map(({ id }) => id))
  const onOptOut = (await read.workspace(workspaceId))?.onOptOut ?? 'send'
  async function isUnwanted(
    { channelId, recipient }: Message,
    { content }: NonNullable<ReturnType<typeof contentToSend>>,
  ) {
    if (onOptOut === 'send' || content.type !== 'template') return false
    const match = await findTemplate(read, channelId, content)
    const category = match.kind === 'found' ? match.template.category : null
    return (await optOutRefusal(read, { workspaceId, recipient, onOptOut, category })) !== null
  }
  return Promise.all(
    messages.map(async message => {
      const payload = contents.get(message.id)
      const content = payload === undefined ? null : contentToSend(payload)
      const isRepeated = hasFailed(message.status) && (await read.sentAgainAs(message.id)).length > 0
      const why = isRepeated ? 'again' : (whyNot(message) ?? (content === null ? 'notStored' : null))
      const isLeft = why === null && content !== null && (await isUnwanted(message, content))
      return { message, content, why: isLeft ? ('optedOut' as const) : why }
    }),
  )
}

function whyNot(message: Message): LeftOut | null {
  const { status } = message
  if (isOpen(status)) return 'waiting'
  if (isUncertain(status)) return 'unknown'
  if (!hasFailed(status)) return 'notFailed'
  const reason = failureReasonOf(message)
  if (reason === null) return null
  const { code, cure } = failureOfReason(reason)
  if (isOfValues(code)) return 'values'
  return cure === 'contact' ? 'recipient' : null
}
