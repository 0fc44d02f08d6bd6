import type { Line } from '../../db/contract/records.ts'
import type { Credentials } from '../base/credentials.ts'
import { lineIsAllowed } from '../base/keyLines.ts'
import { blockedUsersMax } from '../base/upstreamLimits.ts'
import { failureReason, type UpstreamFault, unreachable } from '../graph/answer.ts'
import type { ChannelClient } from '../graph/client.ts'
import { blockListFullCode, closedWindowCode } from '../graph/codes.ts'
import { timesMax, usualLine, windowEnds } from '../inbound/window.ts'
import { graphRefusal } from '../sending/refusals.ts'
import { type Actor, conflict, Refused } from './act.ts'
import { contactOf } from './contacts.ts'

/*
 * The platform blocks a person on a line: what the person writes does not come, and what is sent is refused. What it
 * has answered is noted at the contact. A call that was answered by nobody is made again by who asks again.
 */

export interface BlockingParts {
  readonly client: Pick<ChannelClient, 'setBlocked'>
  readonly credentials: Pick<Credentials, 'open'>
  /** Who asks by an API key asks for the lines of the key alone. */
  readonly key?: Parameters<typeof lineIsAllowed>[0]
}

interface NotDone {
  readonly line: Line
  readonly fault: UpstreamFault
}

/**
 * Blocks a person on the line of the conversation, and on each other one to which it has written within 24 hours: the
 * platform takes no others. Or unblocks it, on each line where it is known to be blocked, else on the same lines.
 * @returns the lines, all of which the platform has taken; else why not, although the others are done
 */
export async function setBlocked(
  actor: Actor,
  { client, credentials, key = { lineIds: null } }: BlockingParts,
  contactId: string,
  isBlocked: boolean,
): Promise<readonly Line[] | Refused> {
  const contact = await contactOf(actor, contactId)
  if (contact instanceof Refused) return contact
  const { id, workspaceId, phone, userId, blockedOn } = contact
  if (phone === null && userId === null) return conflict('The contact was forgotten: nobody knows whom to block.')
  const known = (await actor.read.lines(workspaceId)).filter(line => lineIsAllowed(key, line.id))
  const blocked = known.filter(line => blockedOn.includes(line.id))
  // Of a block whose answer was lost nothing is noted: it is undone where it would be made.
  const lines = isBlocked || blocked.length === 0 ? await linesToBlockOn(actor, id, known) : blocked
  if (isBlocked && lines.length === 0) return conflict('No line is active, so nobody can be blocked on one.')
  const ask = async (line: Line): Promise<NotDone | null> => {
    const channel = await actor.read.channel(line.channelId)
    // Removed meanwhile: nobody is blocked on it.
    if (!channel) return null
    const { upstreamPhoneId } = line
    const accessToken = credentials.open(channel, 'accessToken')
    const end = await client.setBlocked({ upstreamPhoneId, accessToken, person: { phone, userId }, isBlocked })
    if (end.kind === 'done') return null
    const fault = end.kind === 'refused' ? end.fault : unreachable(end.why, 'The upstream platform gave no answer')
    return { line, fault }
  }
  const notDone = (await Promise.all(lines.map(ask))).filter(end => end !== null)
  const done = lines.filter(line => !notDone.some(end => end.line === line))
  const lineIds = done.map(line => line.id)
  if (done.length > 0) await actor.write.keepBlocked({ workspaceId, contactId: id, lineIds, isBlocked })
  const [first] = notDone
  return first ? refusalOf(first.fault, notDone, done, isBlocked) : done
}

async function linesToBlockOn(
  { read, clock }: Actor,
  contactId: string,
  lines: readonly Line[],
): Promise<readonly Line[]> {
  const active = lines.filter(line => line.active)
  const times = await read.inboundTimes({ contactId, since: 0, limit: timesMax })
  const [ends, usual] = [windowEnds(times), usualLine(times, active)]
  return active.filter(line => line === usual || (ends.get(line.id) ?? 0) > clock.now())
}

function refusalOf(
  fault: UpstreamFault,
  notDone: readonly NotDone[],
  done: readonly Line[],
  isBlocked: boolean,
): Refused {
  const what = isBlocked ? 'blocked' : 'unblocked'
  const others = done.length === 0 ? '' : ` It is ${what} on ${done.map(({ number }) => number).join(', ')}.`
  const whys = notDone.map(({ line, fault }) => `on ${line.number}, because ${whyNot(fault)}`)
  const message = `The person was not ${what} ${whys.join('; ')}.${others}`
  return new Refused({ ...graphRefusal('', null, fault), message })
}

function whyNot(fault: UpstreamFault): string {
  switch (fault.code) {
    case closedWindowCode:
      return 'only who has written to the line within 24 hours can be blocked'
    case blockListFullCode:
      return `its list of ${blockedUsersMax.toLocaleString('en')} blocked people is full: unblock somebody else first`
    default:
      return `the platform said: ${failureReason(fault)}`
  }
}
