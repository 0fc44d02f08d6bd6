import { eventless } from '../../src/message/state.ts'
import { callerFieldNames, pickedOf } from '../messageFields.ts'

const stateFields = [
  ...(['id', 'workspaceId', 'status', 'createdAt', 'dispatchedAt'] as const),
  ...(Object.keys(eventless) as (keyof typeof eventless)[]),
]

/** @returns the state of a message (`MessageState`): these of its fields */
export const messageStateOf = pickedOf(stateFields)
/** @returns what is polled of a message (`MessageStatusView`): these of its columns, or of its fields */
export const statusViewOf = pickedOf([...stateFields, ...callerFieldNames])
