import { and, count, eq } from 'drizzle-orm'
import type { EpochMs } from '../../src/base/clock.ts'
import { normalEmail } from '../../src/base/names.ts'
import type { UserRole } from '../contract/roles.ts'
import type { StoreWrites } from '../contract/store.ts'
import type { NewUser } from '../contract/users.ts'
import { newWorkspaceSettings } from './accounts.ts'
import { type Engine, first } from './engine.ts'

/** The property that holds the set-up link: the hash of its token, and its end. */
const setupName = 'setup_link'

interface SetupLink {
  readonly tokenHash: string
  readonly expiresAt: EpochMs
}

export const hasUsers = async ({ db, tables: { users } }: Engine): Promise<boolean> =>
  (await first(db.select({ id: users.id }).from(users).limit(1))) !== null

/** @returns whether the link with this hash can still be used */
export async function isSetupOpen(
  engine: Engine,
  { tokenHash, at }: { tokenHash: string; at: EpochMs },
): Promise<boolean> {
  const {
    db,
    tables: { properties },
  } = engine
  const stored = await first(db.select().from(properties).where(eq(properties.name, setupName)))
  const link: SetupLink | null = stored ? JSON.parse(stored.value) : null
  return link !== null && link.tokenHash === tokenHash && link.expiresAt > at && !(await hasUsers(engine))
}

/** @returns null when the address is taken */
export const addUser = ({ db, tables: { users }, columns: { userColumns } }: Engine, user: NewUser) =>
  first(
    db
      .insert(users)
      .values({ ...user, email: normalEmail(user.email), updatedAt: user.createdAt })
      .onConflictDoNothing({ target: users.email })
      .returning(userColumns),
  )

/** The role of a new member without a named one. */
export async function nextRole({ db, tables: { memberships } }: Engine, workspaceId: string): Promise<UserRole> {
  const isOfWorkspace = eq(memberships.workspaceId, workspaceId)
  const member = db.select({ id: memberships.userId }).from(memberships).where(isOfWorkspace).limit(1)
  return (await first(member)) === null ? 'owner' : 'member'
}

/** The verbs that make the first user, and the first workspace. */
export function setupVerbs(engine: Engine) {
  const {
    db,
    tables: { memberships, properties, workspaces },
  } = engine
  const unlimited = { ...newWorkspaceSettings, monthlyMessageLimit: null }
  const withdrawLink = () => db.delete(properties).where(eq(properties.name, setupName))

  return {
    async offerSetup(link) {
      await withdrawLink()
      if (await hasUsers(engine)) return false
      const stored: SetupLink = link
      await db.insert(properties).values({ name: setupName, value: JSON.stringify(stored) })
      return true
    },

    async setUp({ tokenHash, user, newWorkspace, at }) {
      if (await hasUsers(engine)) return { outcome: 'hasUsers' }
      if (tokenHash !== null && !(await isSetupOpen(engine, { tokenHash, at }))) return { outcome: 'invalidLink' }
      await withdrawLink()
      const created = await addUser(engine, user)
      if (!created) return { outcome: 'hasUsers' }
      const there = await db.select({ id: workspaces.id }).from(workspaces)
      if (there.length === 0) {
        await db.insert(workspaces).values({ ...newWorkspace, ...unlimited, createdAt: at })
      }
      const owned = there.length === 0 ? [newWorkspace] : there
      const membership = { userId: created.id, role: 'owner', since: at } as const
      await db.insert(memberships).values(owned.map(({ id: workspaceId }) => ({ ...membership, workspaceId })))
      return { outcome: 'done', user: created }
    },

    async foundWorkspace({ id, name, userId, ownedMax, at }) {
      const [owned] = await db
        .select({ all: count(), limited: count(workspaces.monthlyCeiling) })
        .from(memberships)
        .innerJoin(workspaces, eq(workspaces.id, memberships.workspaceId))
        .where(and(eq(memberships.userId, userId), eq(memberships.role, 'owner')))
      // Otherwise a user with a ceiling could send beyond it from a new workspace.
      if (!owned || owned.all === owned.limited) return { outcome: 'forbidden' }
      if (owned.all >= ownedMax) return { outcome: 'tooMany' }
      await db.insert(workspaces).values({ id, name, ...unlimited, createdAt: at })
      await db.insert(memberships).values({ workspaceId: id, userId, role: 'owner', since: at })
      return { outcome: 'founded', membership: { workspaceId: id, workspaceName: name, role: 'owner' } }
    },
  } satisfies Partial<StoreWrites>
}
