import { eventless } from '../../src/message/state.ts'
import { callerFieldNames, pickedOf } from '../messageFields.ts'

/** @returns what is polled of a message (`MessageStatusView`): these of its columns, or of its fields */
export const statusViewOf = pickedOf([
  ...(['id', 'workspaceId', 'status', 'createdAt', 'dispatchedAt'] as const),
  ...(Object.keys(eventless) as (keyof typeof eventless)[]),
  ...callerFieldNames,
])
