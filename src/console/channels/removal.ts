import type { Removal } from '../../../db/records.ts'
import { GatewayError } from '../../errors.ts'
import { unknown } from '../refusals.ts'

/** @param what its kind. @returns what was removed. @throws GatewayError CONFLICT while messages wait on it */
export function removedThing<Thing>(removal: Removal<Thing>, what: string): Thing {
  switch (removal.outcome) {
    case 'removed':
      return removal.removed
    case 'unknown':
      throw unknown(what)
    case 'waiting':
      throw new GatewayError({
        reason: 'CONFLICT',
        message:
          `Nothing was removed: ${removal.waiting} accepted ${removal.waiting === 1 ? 'message waits' : 'messages wait'} ` +
          'to be sent from it. Deactivate the line, wait until they are sent, and try again.',
        details: { waiting: removal.waiting },
      })
  }
}
