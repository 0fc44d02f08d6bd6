/** From the lowest to the highest: each may do all that those before it may. */
export const userRoles = ['viewer', 'member', 'admin', 'owner'] as const
export type UserRole = (typeof userRoles)[number]

/** Whether a role may do all that the other one may. */
export const isAtLeast = (role: UserRole, needed: UserRole): boolean =>
  userRoles.indexOf(role) >= userRoles.indexOf(needed)
