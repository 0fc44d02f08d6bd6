/** From the lowest to the highest: each may do all that those before it may. */
export const userRoles = ['viewer', 'member', 'admin', 'owner'] as const
export type UserRole = (typeof userRoles)[number]
