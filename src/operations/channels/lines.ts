import type { Channel, Line, NewLine } from '../../../db/contract/records.ts'
import type { EpochMs } from '../../base/clock.ts'
import { hourMs, secondMs } from '../../base/durations.ts'
import { newId } from '../../base/ids.ts'
import { nameLengthMax } from '../../base/names.ts'
import { phoneLengthMax } from '../../base/phone.ts'
import { orNull, Type } from '../../base/schema.ts'
import { linePerSecond, pairSeconds } from '../../base/upstreamLimits.ts'
import { type Actor, conflict, existing, ownOf, Refused, removedOr, unknown, wrongField } from '../act.ts'
import { lineNumberOf, lineNumberRule, nameIn, upstreamIdField } from '../fields.ts'

/** A hundred times the upstream's largest throughput. More is the same as no pacing, which is 0. */
const perSecondMax = 100_000
/** Slower than one message an hour to a recipient is not useful. */
const pairSecondsMax = hourMs / secondMs

export const lineFields = {
  upstreamPhoneId: upstreamIdField,
  /** `lineNumberOf` checks its form. */
  number: Type.String({ minLength: 1, maxLength: phoneLengthMax, description: 'With its country code, `+49…`.' }),
  name: orNull(Type.String({ maxLength: nameLengthMax }), { description: 'What users see, as the platform tells it.' }),
  label: orNull(Type.String({ maxLength: nameLengthMax }), {
    description: 'What the workspace calls it, beside its number: `Berlin`. Null: nothing.',
  }),
  quality: orNull(Type.String(), {
    description: "The platform's word for how people rate what they get from it: `GREEN`, `YELLOW`, `RED`.",
  }),
  messagingLimit: orNull(Type.String(), {
    description:
      'How many new people a day all numbers of its portfolio may write to, in the word of the platform: `TIER_2K`.',
  }),
  perSecond: Type.Integer({ minimum: 0, maximum: perSecondMax, description: 'Messages a second; 0: not paced.' }),
  pairSeconds: Type.Integer({
    minimum: 0,
    maximum: pairSecondsMax,
    description: 'Seconds between messages to one recipient; 0: not paced.',
  }),
  directSend: Type.Boolean({
    description: 'Whether a send may have a `category` (Direct Send). The platform restricts accounts that misuse it.',
  }),
}

type LineNumber = Pick<NewLine, 'upstreamPhoneId' | 'number'> & {
  readonly [Told in 'name' | 'quality' | 'messagingLimit']?: string | null | undefined
}

/** A line as it begins: active, at the upstream's documented pace. */
export const newLine = (
  { id, workspaceId }: Pick<Channel, 'id' | 'workspaceId'>,
  { upstreamPhoneId, number, name = null, quality = null, messagingLimit = null }: LineNumber,
  createdAt: EpochMs,
): NewLine => ({
  id: newId('line'),
  workspaceId,
  channelId: id,
  upstreamPhoneId,
  number,
  ...{ name, quality, messagingLimit },
  active: true,
  perSecond: linePerSecond,
  pairSeconds,
  createdAt,
})

const lineOf = async (actor: Actor, lineId: string) => ownOf(actor, await actor.read.line(lineId), 'line', lineId)

/** Adds a phone number of a channel, active from now on. */
export async function addLine(
  actor: Actor,
  channelId: string,
  { upstreamPhoneId, number: written, name }: LineNumber,
): Promise<Line | Refused> {
  const channel = ownOf(actor, await actor.read.channel(channelId), 'channel', channelId)
  if (channel instanceof Refused) return channel
  const taken = [
    ['account', channel.accountId],
    ['app', channel.appId],
  ].find(([, id]) => id === upstreamPhoneId)
  if (taken) return wrongField('/upstreamPhoneId', `is the id of the ${taken[0]}, not that of a phone number`)
  const number = lineNumberOf(written)
  if (number === null) return wrongField('/number', lineNumberRule)
  const addition = await actor.write.addLine(newLine(channel, { upstreamPhoneId, number, name }, actor.clock.now()))
  switch (addition.outcome) {
    case 'added':
      return addition.line
    case 'unknownChannel':
      return unknown('channel', channelId)
    case 'taken':
      return conflict(`The channel has a line with the upstream phone id ${upstreamPhoneId} already.`)
  }
}

interface LineChange {
  readonly active?: boolean | undefined
  readonly perSecond?: number | undefined
  readonly pairSeconds?: number | undefined
  readonly directSend?: boolean | undefined
  /** Without words, the line has its number alone. */
  readonly label?: string | undefined
  /** Only an active line can be the default. */
  readonly isDefault?: boolean | undefined
}

/** Changes only the given fields. A default line that is deactivated is no longer the default. */
export async function changeLine(
  actor: Actor,
  lineId: string,
  { isDefault, active, perSecond, pairSeconds, directSend, label: given }: LineChange,
): Promise<{ readonly line: Line; readonly wasDefault: boolean } | Refused> {
  const known = await lineOf(actor, lineId)
  if (known instanceof Refused) return known
  const label = given?.trim() === '' ? null : nameIn(given, '/label')
  if (label instanceof Refused) return label
  const change = {
    ...(active !== undefined && { active }),
    ...(perSecond !== undefined && { perSecond }),
    ...(pairSeconds !== undefined && { pairSeconds }),
    ...(directSend !== undefined && { directSend }),
    ...(label !== undefined && { label }),
  }
  if (Object.keys(change).length > 0 || isDefault === undefined) {
    const changed = existing(await actor.write.changeLine({ lineId, ...change }), 'line', lineId)
    if (changed instanceof Refused || isDefault === undefined) return changed
  }
  const choice = await actor.write.setDefaultLine({ lineId, isDefault })
  switch (choice.outcome) {
    case 'changed':
      return { line: choice.line, wasDefault: known.isDefault }
    case 'unknownLine':
      return unknown('line', lineId)
    case 'inactive':
      return conflict('The line is inactive, so it cannot be the default until it is activated.')
  }
}

/** For good; its messages stay. Refused while messages wait on it. */
export async function removeLine(actor: Actor, lineId: string): Promise<Line | Refused> {
  const known = await lineOf(actor, lineId)
  if (known instanceof Refused) return known
  return removedOr(await actor.write.removeLine({ lineId, at: actor.clock.now() }), 'line', lineId)
}
