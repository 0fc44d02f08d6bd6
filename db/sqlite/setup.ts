import { and, count, eq } from 'drizzle-orm'
import type { EpochMs } from '../../src/clock.ts'
import { normalEmail } from '../../src/email.ts'
import { ownedWorkspacesMax } from '../members.ts'
import type { NewUser, UserRole } from '../users.ts'
import type { Connection } from './open.ts'
import { userColumns } from './rows.ts'
import { memberships, properties, users, workspaces } from './schema.ts'
import type { Verbs } from './verbs.ts'

/** The property that holds the set-up link: the hash of its token, and its end. */
const setupName = 'setup_link'

interface SetupLink {
  readonly tokenHash: string
  readonly expiresAt: EpochMs
}

export const hasUsers = (db: Connection['db']): boolean =>
  db.select({ id: users.id }).from(users).limit(1).get() !== undefined

/** @returns whether the link with this hash can still be used */
export function isSetupOpen(db: Connection['db'], { tokenHash, at }: { tokenHash: string; at: EpochMs }): boolean {
  const stored = db.select().from(properties).where(eq(properties.name, setupName)).limit(1).get()
  const link: SetupLink | null = stored ? JSON.parse(stored.value) : null
  return link !== null && link.tokenHash === tokenHash && link.expiresAt > at && !hasUsers(db)
}

/** @returns null when the address is taken */
export const addUser = (db: Connection['db'], user: NewUser) =>
  db
    .insert(users)
    .values({ ...user, email: normalEmail(user.email), updatedAt: user.createdAt })
    .onConflictDoNothing({ target: users.email })
    .returning(userColumns)
    .get() ?? null

/** The role of a new member without a named one. */
export function nextRole(db: Connection['db'], workspaceId: string): UserRole {
  const isOfWorkspace = eq(memberships.workspaceId, workspaceId)
  const member = db.select({ id: memberships.userId }).from(memberships).where(isOfWorkspace).limit(1).get()
  return member ? 'member' : 'owner'
}

/** The verbs that make the first user, and the first workspace. */
export function setupVerbs({ db }: Connection) {
  const withdrawLink = () => db.delete(properties).where(eq(properties.name, setupName)).run()

  return {
    offerSetup(link) {
      withdrawLink()
      if (hasUsers(db)) return false
      const stored: SetupLink = link
      db.insert(properties)
        .values({ name: setupName, value: JSON.stringify(stored) })
        .run()
      return true
    },

    setUp({ tokenHash, user, newWorkspace, at }) {
      if (hasUsers(db)) return { outcome: 'hasUsers' }
      if (tokenHash !== null && !isSetupOpen(db, { tokenHash, at })) return { outcome: 'invalidLink' }
      withdrawLink()
      const created = addUser(db, user)
      if (!created) return { outcome: 'hasUsers' }
      const there = db.select({ id: workspaces.id }).from(workspaces).all()
      if (there.length === 0) {
        db.insert(workspaces)
          .values({ ...newWorkspace, monthlyMessageLimit: null, createdAt: at })
          .run()
      }
      for (const { id: workspaceId } of there.length === 0 ? [newWorkspace] : there) {
        db.insert(memberships).values({ workspaceId, userId: created.id, role: 'owner', since: at }).run()
      }
      return { outcome: 'done', user: created }
    },

    foundWorkspace({ id, name, userId, at }) {
      const owned = db
        .select({ all: count(), limited: count(workspaces.monthlyMessageLimit) })
        .from(memberships)
        .innerJoin(workspaces, eq(workspaces.id, memberships.workspaceId))
        .where(and(eq(memberships.userId, userId), eq(memberships.role, 'owner')))
        .get()
      // Who has a limit would otherwise send without one from the next workspace.
      if (!owned || owned.all === owned.limited) return { outcome: 'forbidden' }
      if (owned.all >= ownedWorkspacesMax) return { outcome: 'tooMany' }
      db.insert(workspaces).values({ id, name, monthlyMessageLimit: null, createdAt: at }).run()
      db.insert(memberships).values({ workspaceId: id, userId, role: 'owner', since: at }).run()
      return { outcome: 'founded', membership: { workspaceId: id, workspaceName: name, role: 'owner' } }
    },
  } satisfies Partial<Verbs>
}
