import type { Channel } from '../../db/contract/records.ts'
import type { Sync } from '../templates/sync.ts'
import { Refused } from './act.ts'

/** @returns what a listing of the upstream brought, or why there is none */
export const readTemplates = ({ id }: Pick<Channel, 'id'>, sync: Sync): Extract<Sync, { kind: 'synced' }> | Refused =>
  sync.kind === 'synced'
    ? sync
    : new Refused({
        reason: 'CHANNEL_GRAPH_ERROR',
        status: 502,
        message: `The templates of ${id} could not be read: ${sync.message}`,
      })
