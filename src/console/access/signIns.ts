import { preferencesOf } from '../../../db/contract/preferences.ts'
import type { Store, StoreReads } from '../../../db/contract/store.ts'
import type { SignInPlace, User } from '../../../db/contract/users.ts'
import type { Clock } from '../../base/clock.ts'
import type { Vault } from '../../base/crypto.ts'
import { newId } from '../../base/ids.ts'
import { membershipView } from '../../operations/workspaces.ts'
import { actorOf } from '../guard.ts'
import { iso } from '../shapes.ts'
import type { AccessTokens } from './accessTokens.ts'
import {
  hashesOf,
  newRefreshToken,
  nextRefreshToken,
  parseRefreshToken,
  type RefreshToken,
  tokenText,
} from './refreshTokens.ts'
import { sessionIdleMsMax, sessionMsMax } from './sessions.ts'

/**
 * For two tabs that refresh at once, or a retry after a lost answer. A copied token works this long beside its
 * successor, so the time is short.
 */
const repeatMs = 10_000

/** A new or continued sign-in. */
export interface SignIn {
  readonly user: User
  readonly sessionId: string
  /** For the cookie. */
  readonly refreshToken: string
}

/** Begins, continues and ends sign-ins. The store has only hashes of the browser's tokens. */
export class SignIns {
  readonly #store: Store
  readonly #clock: Clock
  /** Changes when the secret key is rotated: then a refresh whose answer was lost cannot be repeated. */
  readonly #key: Uint8Array

  constructor({ store, clock, vault }: { store: Store; clock: Clock; vault: Pick<Vault, 'deriveKey'> }) {
    this.#store = store
    this.#clock = clock
    this.#key = vault.deriveKey('refresh tokens')
  }

  /**
   * @param passwordHash of the password that was given
   * @returns null when the user was removed meanwhile, or the password was replaced
   */
  async begin(user: User, passwordHash: string, place: SignInPlace): Promise<SignIn | null> {
    const token = newRefreshToken()
    const createdAt = this.#clock.now()
    const expiresAt = createdAt + sessionMsMax
    const session = { id: newId('sess'), userId: user.id, createdAt, expiresAt, ...place }
    const write = this.#store.writeAs({ actor: actorOf(user) })
    const opened = await write.openSession({ ...session, ...hashesOf(token), passwordHash })
    return opened && { user, sessionId: opened.id, refreshToken: tokenText(token) }
  }

  /**
   * Replaces a refresh token by its successor.
   * @returns null when the sign-in has ended, or ends now because an old token was used again
   */
  async refresh(text: string, place: SignInPlace): Promise<SignIn | null> {
    const token = parseRefreshToken(text)
    if (token === null) return null
    const user = await this.#userOf(token)
    if (!user) return null
    const next = nextRefreshToken(this.#key, token)
    const at = this.#clock.now()
    const refresh = await this.#store.writeAs({ actor: actorOf(user) }).refreshSession({
      ...hashesOf(token),
      nextTokenHash: hashesOf(next).tokenHash,
      at,
      repeatMs,
      refreshedSince: at - sessionIdleMsMax,
      ...place,
    })
    if (refresh.outcome === 'unknown' || refresh.outcome === 'reused') return null
    return { user, sessionId: refresh.session.id, refreshToken: tokenText(next) }
  }

  /** Checked before anything is written: strangers with invented tokens must not keep the writer busy. */
  #userOf(token: RefreshToken): Promise<User | null> {
    return this.#store.read.userOfFamily(hashesOf(token).familyHash)
  }

  /** @returns whether there was a sign-in to end */
  async end(text: string): Promise<boolean> {
    const token = parseRefreshToken(text)
    const user = token && (await this.#userOf(token))
    if (!token || !user) return false
    const { familyHash } = hashesOf(token)
    return (await this.#store.writeAs({ actor: actorOf(user) }).endSession({ familyHash })) !== null
  }
}

/** The data of a sign-in that the console needs. */
export async function sessionView({ read, tokens }: { read: StoreReads; tokens: AccessTokens }, signIn: SignIn) {
  const { user, sessionId } = signIn
  const { accessToken, expiresAt } = await tokens.issue({ userId: user.id, sessionId })
  return { accessToken, expiresAt: iso(expiresAt), ...(await accountView(read, user)) }
}

/** The user and what the user prefers, with the workspaces and the role in each. */
export async function accountView(read: StoreReads, { id, email, name, totpSince, preferences }: User) {
  const memberships = await read.memberships(id)
  return {
    user: { id, email, name, hasSecondFactor: totpSince !== null },
    preferences: preferencesOf(preferences),
    workspaces: memberships.map(membershipView),
  }
}
