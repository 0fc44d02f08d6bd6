import type { Message } from '../../../db/contract/records.ts'
import type { StoreReads } from '../../../db/contract/store.ts'
import type { EpochMs } from '../../base/clock.ts'
import { dayMs } from '../../base/durations.ts'
import { windowEndAt } from '../../inbound/window.ts'
import { gotThrough } from '../../message/statuses.ts'
import { inSteps } from '../../reading/steps.ts'

/** Templates that are looked at, each a read or two: a second, in turns. Of more than these it is told "at least". */
const templatesMax = 5_000
/** Those whose windows are read within one turn. */
const atOnce = 100

export interface OpenedPeople {
  readonly count: number
  /** There may be more. */
  readonly isMore: boolean
}

/**
 * Estimates to how many people an account wrote first within the last 24 hours: who was sent a template, and had not
 * written to the line within 24 hours before it. The upstream counts those of the whole portfolio, which may also send
 * by other accounts and programs.
 * @param of.turn waits until a step may run
 */
export async function openedPeople(
  read: Pick<StoreReads, 'contactsAt' | 'inboundTimes' | 'searchMessages'>,
  of: {
    readonly workspaceId: string
    readonly channelId: string
    readonly now: EpochMs
    readonly turn: () => Promise<void>
  },
): Promise<OpenedPeople> {
  const { workspaceId, channelId, now, turn } = of
  const search = { workspaceId, type: 'template', since: now - dayMs, direction: 'older' } as const
  const { rows, next } = await inSteps<Message, string>(
    turn,
    { cursor: undefined, limit: templatesMax },
    async step => {
      const { messages, next } = await read.searchMessages({ ...search, ...step })
      return { rows: messages, next }
    },
  )
  const sent = rows.filter(message => message.channelId === channelId && gotThrough(message.status))
  const people = new Set<string>()
  for (let from = 0; from < sent.length; from += atOnce) {
    await turn()
    const others = sent.slice(from, from + atOnce).filter(({ recipient }) => !people.has(recipient))
    const addresses = [...new Set(others.map(({ recipient }) => recipient))]
    const contacts = await read.contactsAt({ workspaceId, addresses })
    for (const { recipient, lineId, createdAt: at } of others) {
      const contact = contacts.get(recipient)
      const isAnswer = contact && (await windowEndAt(read, { contactId: contact.id, lineId, at })) !== null
      if (!isAnswer) people.add(recipient)
    }
  }
  return { count: people.size, isMore: next !== null }
}

/** @returns how many there were, in words */
export const openedWords = ({ count, isMore }: OpenedPeople): string =>
  `${isMore ? 'at least ' : ''}${count.toLocaleString('en')} ${count === 1 ? 'person was' : 'people were'} written ` +
  'to first in the last 24 hours, as far as is known here'
