import type { UserRole } from '../../../../db/roles.ts'

export type Role = UserRole

/** From the lowest to the highest: each may do all that those before it may. */
export const roles = ['viewer', 'member', 'admin', 'owner'] as const satisfies readonly Role[]

/** Whether a role may do what another one is needed for. */
export const isAtLeast = (role: Role, needed: Role): boolean => roles.indexOf(role) >= roles.indexOf(needed)
