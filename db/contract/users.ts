import type { EpochMs } from '../../src/base/clock.ts'
import type { Row } from '../schema/tables.ts'
import type { Preferences } from './preferences.ts'
import type { UserRole } from './roles.ts'

/*
 * The people who sign in to the console: users, their roles in workspaces, their sign-ins, and invitations.
 */

/** What anybody but signing in knows of a user. A column is none of it until it is named here. */
export const userFields = ['id', 'email', 'name', 'totpSince', 'preferences', 'createdAt', 'updatedAt'] as const

/** A user without secrets. */
export type User = Pick<Row<'users'>, (typeof userFields)[number]>

/** What only signing in needs. */
export type UserSecrets = Pick<Row<'users'>, 'passwordHash' | 'sealedTotpSecret' | 'totpStep'>

/**
 * Replaces a password's hash after a reset, and is the hash of no password: the invitation with this token sets the
 * next one.
 */
export const passwordOfLink = (tokenHash: string): string => `link:${tokenHash}`

/** A user as it is made; all the rest follows. */
export type NewUser = Pick<Row<'users'>, 'id' | 'email' | 'name' | 'createdAt' | 'passwordHash'>

/** A user in one workspace. */
export type Member = User & Pick<Row<'memberships'>, 'workspaceId' | 'role' | 'since'>

/** A workspace of a user, with the user's role in it. */
export interface Membership {
  readonly workspaceId: string
  readonly workspaceName: string
  readonly role: UserRole
}

/** What is known of a sign-in beyond its refreshing, which has the hashes. */
export const sessionFields = ['id', 'userId', 'createdAt', 'refreshedAt', 'expiresAt', 'device', 'network'] as const

/** A sign-in that has not ended, without the hashes of its tokens. */
export type Session = Pick<Row<'sessions'>, (typeof sessionFields)[number]>

/** A sign-in as it begins. */
export type NewSession = Omit<Row<'sessions'>, 'formerTokenHash' | 'refreshedAt'>

/** From where a sign-in is used; its user recognises it by this. */
export type SignInPlace = Pick<Session, 'device' | 'network'>

/** `repeated`: the token before the newest, shortly after it was replaced; nothing was changed. */
export type SessionRefresh =
  | { readonly outcome: 'refreshed' | 'repeated'; readonly session: Session }
  /** An old token was used again: the session was ended, because somebody else may have the token. */
  | { readonly outcome: 'reused'; readonly userId: string }
  | { readonly outcome: 'unknown' }

/** The verbs of the console's users. */
export interface UserWrites {
  /**
   * Makes a user who is a member of the workspace. Without a role, the first member of a workspace becomes its owner
   * and any other a member.
   */
  createUser(
    user: NewUser & { workspaceId: string; role: UserRole | null },
  ): Promise<
    { readonly outcome: 'created'; readonly user: Member } | { readonly outcome: 'unknownWorkspace' | 'emailTaken' }
  >
  /** Ends all sign-ins of the user. @returns null when there is no such user. */
  resetPassword(change: { userId: string; passwordHash: string; at: EpochMs }): Promise<User | null>
  /**
   * Replaces the password, and ends all other sign-ins of the user. @returns how many; null when the password is
   * another one by now
   */
  changePassword(change: {
    userId: string
    formerHash: string
    passwordHash: string
    keepSession: string
    at: EpochMs
  }): Promise<number | null>
  /** @returns null when there is no such user. */
  renameUser(change: { userId: string; name: string | null; at: EpochMs }): Promise<User | null>
  /** What is not named stays. @returns null when there is no such user */
  choosePreferences(change: { userId: string; preferences: Partial<Preferences>; at: EpochMs }): Promise<User | null>
  /**
   * Also ends the user's oldest sign-ins beyond a bound.
   * @param session `passwordHash`: of the password that was checked
   * @returns null when the user is gone, or has another password by now: checking one takes long enough for a reset
   */
  openSession(session: NewSession & { passwordHash: string }): Promise<Session | null>
  /**
   * Replaces the newest token of a family by the next, and says from where. The token before it is answered `repeated`
   * for `repeatMs`: two tabs may refresh at once, and an answer may get lost. Any older token ends the session.
   */
  refreshSession(
    change: SignInPlace & {
      familyHash: string
      tokenHash: string
      nextTokenHash: string
      at: EpochMs
      repeatMs: number
      /** A session that was not refreshed after it has ended. */
      refreshedSince: EpochMs
    },
  ): Promise<SessionRefresh>
  /**
   * Ends a session: that of a family, whichever of its tokens was given, or one of a user by its id.
   * @returns the user; null when there is no such session
   */
  endSession(change: { familyHash: string } | { userId: string; sessionId: string }): Promise<User | null>
  /** Ends all sign-ins of a user but the one that is kept. @returns how many. */
  endSessions(change: { userId: string; keep: string | null }): Promise<number>
  /** Sessions and invitations that have expired. @returns how many. */
  pruneSessions(prune: { expiredBefore: EpochMs; limit: number }): Promise<number>
}

export interface UserReads {
  /** Those of every workspace when none is named; a user of several workspaces comes with each. */
  members(workspaceId: string | null): Promise<Member[]>
  user(userId: string): Promise<User | null>
  /** Takes any spelling of the address. With the secrets, for signing in. */
  userByEmail(email: string): Promise<(User & UserSecrets) | null>
  hasUsers(): Promise<boolean>
  session(sessionId: string): Promise<Session | null>
  /** The user's sign-ins, the last used first. Those that have expired are among them until they are pruned. */
  sessions(userId: string): Promise<Session[]>
  /** The user whose session has this family of refresh tokens. */
  userOfFamily(familyHash: string): Promise<User | null>
  /** The user's workspaces, by name. */
  memberships(userId: string): Promise<Membership[]>
  /** Null: the user is no member, or there is no such workspace. */
  roleIn(query: { workspaceId: string; userId: string }): Promise<UserRole | null>
}
