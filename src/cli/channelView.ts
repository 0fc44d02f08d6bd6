import type { Channel } from '../../db/contract/records.ts'
import { callbackPath } from '../operations/channels/address.ts'
import { withIsoTimes } from './output.ts'

/** A channel as it may be shown: without its secrets. */
export const channelView = ({ id, workspaceId, accountId, appId, createdAt, updatedAt }: Channel) => ({
  id,
  workspaceId,
  accountId,
  appId,
  callbackPath: callbackPath(id),
  ...withIsoTimes({ createdAt, updatedAt }),
})
