import { OutcomeUnknown } from '../../src/base/unavailable.ts'
import type { StoreWrites } from '../contract/store.ts'
import { ReleasedElsewhere, releasing } from '../rules/scheduled.ts'
import { engineOf } from './engine.ts'
import type { Instance } from './instances.ts'
import { keptRules } from './keptRules.ts'
import type { Orphans } from './orphans.ts'

/** A message that is released is this instance's from then on, as one that it accepts. */
export function releaseVerbs({
  instance,
  orphans,
}: {
  readonly instance: Instance
  readonly orphans: Orphans
}): Pick<StoreWrites, 'releaseMessage'> {
  const withRelease = keptRules(connection => releasing(engineOf(connection)))
  return {
    async releaseMessage(release) {
      try {
        return await instance.fenced(async (connection, own) => {
          const released = await withRelease(connection, run => run(release))
          if (released.outcome === 'released')
            await connection.query('UPDATE messages SET instance_seq = $2 WHERE id = $1', [release.messageId, own])
          return released
        })
      } catch (error) {
        if (error instanceof ReleasedElsewhere) return { outcome: 'gone' }
        // It may be stored as this instance's, and nothing in this process has it.
        if (error instanceof OutcomeUnknown) orphans.add([release.messageId])
        throw error
      }
    },
  }
}
