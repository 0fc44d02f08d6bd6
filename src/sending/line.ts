import type { Line } from '../../db/contract/records.ts'
import type { Refusal } from '../base/errors.ts'
import { lineIsAllowed } from '../base/keyLines.ts'

export type LineChoice = { readonly ok: true; readonly line: Line } | { readonly ok: false; readonly refusal: Refusal }

/**
 * Chooses the line of a send (docs/partner-api.md#lines): the named one; else the default, or the only active one.
 * @param all every line of the workspace
 * @param phoneNumberId the service's line id; the upstream's own phone id is not accepted
 * @param lineIds those that the caller is limited to; null: all
 */
export function chooseLine(
  all: readonly Line[],
  phoneNumberId: string | null,
  lineIds: readonly string[] | null = null,
): LineChoice {
  const lines = lineIds === null ? all : all.filter(({ id }) => lineIsAllowed({ lineIds }, id))
  if (phoneNumberId !== null) {
    const meant = lines.find(({ upstreamPhoneId }) => upstreamPhoneId === phoneNumberId)
    if (meant) return no('PHONE_NUMBER_NOT_FOUND', upstreamIdGiven(meant.id))
    // A line that does not exist is refused alike: the key is told nothing of others than its own.
    if (!lineIsAllowed({ lineIds }, phoneNumberId)) return notItsLine(lines)
    const named = lines.find(line => line.id === phoneNumberId)
    if (!named) return no('PHONE_NUMBER_NOT_FOUND', `phoneNumberId names no line of this workspace. ${lineIdRule}`)
    if (!named.active) return no('PHONE_NUMBER_INACTIVE', 'The line named by phoneNumberId is inactive.')
    return { ok: true, line: named }
  }
  const active = lines.filter(line => line.active)
  const [only] = active
  const whose = lineIds === null ? 'This workspace' : 'This API key'
  if (!only) return no('NO_PHONE_NUMBER', `${whose} has no active line.`)
  const defaultLine = active.find(line => line.isDefault)
  if (defaultLine) return { ok: true, line: defaultLine }
  if (active.length > 1) {
    return {
      ok: false,
      refusal: {
        reason: 'PHONE_NUMBER_REQUIRED',
        message: `${whose} has several active lines and no default line: say in phoneNumberId which one to use.`,
        details: idsOf(active),
      },
    }
  }
  return { ok: true, line: only }
}

const lineIdRule = 'Ids are line_…: GET /lines lists them.'
const upstreamIdGiven = (lineId: string) =>
  `phoneNumberId is the upstream platform's id of the number. Its line is ${lineId}. ${lineIdRule}`

const no = (reason: Refusal['reason'], message: string): LineChoice => ({ ok: false, refusal: { reason, message } })

const idsOf = (lines: readonly Line[]) => ({ phoneNumberIds: lines.map(({ id }) => id) })

/** @param lines those of the key */
const notItsLine = (lines: readonly Line[]): LineChoice => ({
  ok: false,
  refusal: {
    reason: 'FORBIDDEN',
    message: 'The API key may not send from the line that phoneNumberId names: it is limited to other lines.',
    details: idsOf(lines.filter(({ active }) => active)),
  },
})
