import type { UserRole } from '../../../../db/contract/roles.ts'

export type Role = UserRole

/** From the lowest to the highest: each includes the rights of those before it. */
export const roles = ['viewer', 'member', 'admin', 'owner'] as const satisfies readonly Role[]

/** Whether a role includes the rights of another one. */
export const isAtLeast = (role: Role, needed: Role): boolean => roles.indexOf(role) >= roles.indexOf(needed)
