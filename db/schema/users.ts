import type { Preferences } from '../contract/preferences.ts'
import type { UserRole } from '../contract/roles.ts'
import type { AccountTables } from './accounts.ts'
import type { Dialect } from './dialect.ts'

export function userTables(
  { define, index, json, number, own, primaryKey, reference, text, uniqueIndex }: Dialect,
  { workspaces }: AccountTables,
) {
  const users = define(
    'users',
    {
      id: text('id').primaryKey(),
      /** Normalised, in lower case: two spellings of one address are one user. */
      email: text('email').notNull(),
      name: text('name'),
      /** Argon2id; after a reset, what `passwordOfLink` says. The password itself is never stored. */
      passwordHash: text('password_hash').notNull(),
      /** The secret of the authenticator app, sealed. Null: none is set up. */
      sealedTotpSecret: text('sealed_totp_secret'),
      /** When the first code confirmed the secret. Null: sign-ins ask for no code. */
      totpSince: number('totp_since'),
      /** The time step of the last code that was used: no code is taken twice. */
      totpStep: number('totp_step'),
      /** Those that the user has chosen. Null: none. */
      preferences: json<Partial<Preferences>>('preferences'),
      createdAt: number('created_at').notNull(),
      updatedAt: number('updated_at').notNull(),
    },
    table => [uniqueIndex('users_email').on(table.email)],
  )

  /** Used in place of a code of the authenticator app, each once. */
  const recoveryCodes = define(
    'recovery_codes',
    {
      userId: reference('user_id', () => users.id),
      /** SHA-256, hex. */
      codeHash: text('code_hash').notNull(),
    },
    table => [primaryKey({ columns: [table.userId, table.codeHash] })],
  )

  const memberships = define(
    'memberships',
    {
      workspaceId: reference('workspace_id', () => workspaces.id),
      userId: reference('user_id', () => users.id),
      role: text('role').$type<UserRole>().notNull(),
      /** When the user joined the workspace. */
      since: number('since').notNull(),
    },
    table => [primaryKey({ columns: [table.workspaceId, table.userId] }), index('memberships_user').on(table.userId)],
  )

  /**
   * Sign-ins. A row is a family of refresh tokens: each refresh replaces the token. No row: the sign-in has ended. Only
   * SHA-256 hashes of tokens are stored.
   */
  const sessions = define(
    'sessions',
    {
      id: text('id').primaryKey(),
      userId: reference('user_id', () => users.id),
      /** Of the part of the token that stays the same. Only holders of a token of the family know it. */
      familyHash: text('family_hash').notNull(),
      /** Of the part that changes, in the newest token. */
      tokenHash: text('token_hash').notNull(),
      /** The same of the token before; null before the first refresh. */
      formerTokenHash: text('former_token_hash'),
      createdAt: number('created_at').notNull(),
      /** The sign-in or the last refresh. */
      refreshedAt: number('refreshed_at').notNull(),
      /** However often it is refreshed. */
      expiresAt: number('expires_at').notNull(),
      /** The browser and its system in words, at the sign-in or the last refresh. Null: not known. */
      device: text('device'),
      /** The network it came from then: the /24 of an IPv4 address, the /48 of an IPv6 one. Null: not known. */
      network: text('network'),
    },
    table => [
      uniqueIndex('sessions_family').on(table.familyHash),
      index('sessions_user').on(table.userId),
      ...own.ofSessions(table),
    ],
  )

  /** Links that invite somebody to a workspace. No row: it was used, withdrawn or pruned. */
  const invitations = define(
    'invitations',
    {
      id: text('id').primaryKey(),
      workspaceId: reference('workspace_id', () => workspaces.id),
      email: text('email').notNull(),
      role: text('role').$type<UserRole>().notNull(),
      /** SHA-256 of the link's secret, hex. */
      tokenHash: text('token_hash').notNull(),
      /** The email address of who made it; `operator` of members.ts when a command did. */
      invitedBy: text('invited_by').notNull(),
      createdAt: number('created_at').notNull(),
      expiresAt: number('expires_at').notNull(),
    },
    table => [
      uniqueIndex('invitations_token').on(table.tokenHash),
      uniqueIndex('invitations_email').on(table.workspaceId, table.email),
    ],
  )

  return { users, recoveryCodes, memberships, sessions, invitations }
}
