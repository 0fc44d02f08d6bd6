import { randomBytes } from 'node:crypto'
import type { SealedTotp } from '../../../db/contract/secondFactor.ts'
import type { StoreWrites } from '../../../db/contract/store.ts'
import type { Clock } from '../../base/clock.ts'
import { totpPurpose } from '../../base/credentials.ts'
import { sha256, type Vault } from '../../base/crypto.ts'
import { base32, secretBytes, totpStep } from '../../base/totp.ts'

/** Enough for years of lost phones; new ones can be made at any time. */
const recoveryCodesMade = 10
/** 80 bits: a hash of it, without salt, cannot be guessed. */
const recoveryBytes = 10
const recoveryForm = /^[A-Z2-7]{16}$/
const codeForm = /^\d{6}$/

/** Checks the codes that a sign-in asks for besides the password. */
export class SecondFactor {
  readonly #vault: Pick<Vault, 'seal' | 'open'>
  readonly #clock: Clock

  constructor({ vault, clock }: { vault: Pick<Vault, 'seal' | 'open'>; clock: Clock }) {
    this.#vault = vault
    this.#clock = clock
  }

  /** @returns a new secret, for the app and for the store */
  newSecret(userId: string): { readonly secret: Uint8Array; readonly sealedTotpSecret: string } {
    const secret = randomBytes(secretBytes)
    return { secret, sealedTotpSecret: this.#vault.seal(base64(secret), totpPurpose(userId)) }
  }

  /** @returns the time step of the code; null when the code is wrong */
  stepOf({ userId, sealedTotpSecret }: SealedTotp, given: string): number | null {
    const code = given.replaceAll(/\s/g, '')
    if (!codeForm.test(code)) return null
    const secret = Buffer.from(this.#vault.open(sealedTotpSecret, totpPurpose(userId)), 'base64')
    return totpStep(secret, code, this.#clock.now())
  }

  /** Uses a code of the app, or a recovery code. @returns false when it is wrong, or was used before */
  async use(write: StoreWrites, sealed: SealedTotp, given: string): Promise<boolean> {
    const { userId } = sealed
    const step = this.stepOf(sealed, given)
    if (step !== null) return write.consumeTotp({ userId, step })
    const recovery = recoveryOf(given)
    return recovery !== null && (await write.consumeRecoveryCode({ userId, codeHash: sha256(recovery) })) !== null
  }
}

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')

/** @returns the code in the form that is hashed, however it was typed; null when it is not a code */
function recoveryOf(given: string): string | null {
  const code = given.replaceAll(/[\s-]/g, '').toUpperCase()
  return recoveryForm.test(code) ? code : null
}

/** @returns codes for people, `ABCD-EFGH-IJKL-MNOP`, and what is stored of them */
export function newRecoveryCodes(): { readonly codes: string[]; readonly codeHashes: string[] } {
  const made = Array.from({ length: recoveryCodesMade }, () => base32(randomBytes(recoveryBytes)))
  return { codes: made.map(code => code.replaceAll(/(.{4})(?=.)/g, '$1-')), codeHashes: made.map(code => sha256(code)) }
}
