import { errors, jwtVerify, SignJWT } from 'jose'
import type { Clock, EpochMs } from '../../base/clock.ts'
import { minuteMs } from '../../base/durations.ts'

/** What a token says: the user and the sign-in. Permissions are read at each request. */
export interface Claims {
  readonly userId: string
  readonly sessionId: string
}

/** Short, because a token cannot be revoked; the guard also checks the session. */
const accessMsMax = 10 * minuteMs

const issuer = 'waypost'
const audience = 'console'
const algorithm = 'HS256'

/** Signs and reads the tokens (JWT) that the console sends as `Authorization: Bearer …`. */
export class AccessTokens {
  readonly #clock: Clock
  readonly #key: Promise<CryptoKey>

  /** @param key 256 bits, from the vault: another secret key makes all tokens invalid, and the console gets new ones */
  constructor(key: Uint8Array<ArrayBuffer>, clock: Clock) {
    this.#clock = clock
    this.#key = crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify'])
  }

  async issue({ userId, sessionId }: Claims): Promise<{ accessToken: string; expiresAt: EpochMs }> {
    const now = this.#clock.now()
    const accessToken = await new SignJWT({ sid: sessionId })
      .setProtectedHeader({ alg: algorithm, typ: 'JWT' })
      .setIssuer(issuer)
      .setAudience(audience)
      .setSubject(userId)
      .setIssuedAt(new Date(now))
      .setExpirationTime(new Date(now + accessMsMax))
      .sign(await this.#key)
    return { accessToken, expiresAt: now + accessMsMax }
  }

  /** @returns null when it is not one of our tokens, or has expired. */
  async read(token: string): Promise<Claims | null> {
    try {
      const { payload } = await jwtVerify(token, await this.#key, {
        algorithms: [algorithm],
        issuer,
        audience,
        requiredClaims: ['sub', 'sid', 'exp'],
        currentDate: new Date(this.#clock.now()),
      })
      const { sub, sid } = payload
      return typeof sub === 'string' && typeof sid === 'string' ? { userId: sub, sessionId: sid } : null
    } catch (error) {
      if (error instanceof errors.JOSEError) return null
      throw error
    }
  }
}
