import { eq } from 'drizzle-orm'
import { users } from '../schema/accounts.ts'
import { hasWorkspace } from './accounts.ts'
import type { Connection } from './open.ts'
import { userColumns } from './rows.ts'
import type { Verbs } from './verbs.ts'

/** The verbs of those who sign in to the console. No answer has the hash of a password. */
export function userVerbs({ db }: Connection) {
  const hasUser = (workspaceId: string) =>
    db.select({ id: users.id }).from(users).where(eq(users.workspaceId, workspaceId)).limit(1).get() !== undefined

  return {
    createUser(user) {
      if (!hasWorkspace(db, user.workspaceId)) return { outcome: 'unknownWorkspace' }
      const role = user.role ?? (hasUser(user.workspaceId) ? 'member' : 'owner')
      const created = db
        .insert(users)
        .values({ ...user, role, email: user.email.toLowerCase() })
        .onConflictDoNothing({ target: users.email })
        .returning(userColumns)
        .get()
      return created ? { outcome: 'created', user: created } : { outcome: 'emailTaken' }
    },

    resetPassword: ({ userId, passwordHash, at }) =>
      db.update(users).set({ passwordHash, updatedAt: at }).where(eq(users.id, userId)).returning(userColumns).get() ??
      null,
  } satisfies Partial<Verbs>
}
