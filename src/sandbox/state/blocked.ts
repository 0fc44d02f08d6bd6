import { pairOf } from './random.ts'
import type { SandboxState } from './sandboxState.ts'

/** @returns whether a line has blocked a user: then neither gets what the other writes */
export const isBlocked = ({ blocked }: Pick<SandboxState, 'blocked'>, lineId: string, waId: string): boolean =>
  blocked.get(pairOf(lineId, waId)) !== undefined

/** Why the phone of a user cannot write. */
export const blockedWords = ({ number }: { readonly number: string }): string =>
  `The user is blocked on ${number}: what the user writes there does not come.`
