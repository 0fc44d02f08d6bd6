import type { Line } from '../../db/contract/records.ts'
import type { Refusal } from '../base/errors.ts'

export type LineChoice = { readonly ok: true; readonly line: Line } | { readonly ok: false; readonly refusal: Refusal }

/**
 * Chooses the line of a send (docs/partner-api.md#lines): the named one; else the default, or the only active one.
 * @param lines every line of the workspace
 * @param phoneNumberId the service's line id; the upstream's own phone id is not accepted
 */
export function chooseLine(lines: readonly Line[], phoneNumberId: string | null): LineChoice {
  if (phoneNumberId !== null) {
    const named = lines.find(line => line.id === phoneNumberId)
    if (!named) return no('PHONE_NUMBER_NOT_FOUND', 'phoneNumberId names no line of this workspace.')
    if (!named.active) return no('PHONE_NUMBER_INACTIVE', 'The line named by phoneNumberId is inactive.')
    return { ok: true, line: named }
  }
  const active = lines.filter(line => line.active)
  const [only] = active
  if (!only) return no('NO_PHONE_NUMBER', 'This workspace has no active line.')
  const defaultLine = active.find(line => line.isDefault)
  if (defaultLine) return { ok: true, line: defaultLine }
  if (active.length > 1) {
    return {
      ok: false,
      refusal: {
        reason: 'PHONE_NUMBER_REQUIRED',
        message: 'This workspace has several active lines and no default line: say in phoneNumberId which one to use.',
        details: { phoneNumberIds: active.map(line => line.id) },
      },
    }
  }
  return { ok: true, line: only }
}

const no = (reason: Refusal['reason'], message: string): LineChoice => ({ ok: false, refusal: { reason, message } })
