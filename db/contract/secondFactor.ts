import type { EpochMs } from '../../src/base/clock.ts'
import type { User } from './users.ts'

/*
 * Codes of an authenticator app, and recovery codes.
 */

/** The secret of a user's authenticator app, as it is stored. */
export interface SealedTotp {
  readonly userId: string
  readonly sealedTotpSecret: string
}

export interface SecondFactorWrites {
  /** Stores a secret that no code has confirmed yet. @returns false when there is a confirmed one. */
  startTotp(change: SealedTotp & { at: EpochMs }): Promise<boolean>
  /**
   * From now on sign-ins ask for a code.
   * @param change `step`: of the code that confirmed it. `codeHashes`: SHA-256 of the recovery codes, which replace all
   * @returns null when the secret has changed meanwhile
   */
  confirmTotp(change: SealedTotp & { step: number; codeHashes: readonly string[]; at: EpochMs }): Promise<User | null>
  /** Uses a code. @returns false when one of this time step or a later one was used before. */
  consumeTotp(change: { userId: string; step: number }): Promise<boolean>
  /** Uses a recovery code. @returns how many are left; null when it is none, or was used before. */
  consumeRecoveryCode(change: { userId: string; codeHash: string }): Promise<number | null>
  /** @returns null when sign-ins of the user ask for no code. */
  replaceRecoveryCodes(change: { userId: string; codeHashes: readonly string[] }): Promise<User | null>
  /** Sign-ins no longer ask for a code. @returns null when they did not ask for one. */
  endTotp(change: { userId: string; at: EpochMs }): Promise<User | null>
}

export interface SecondFactorReads {
  /** Of all users. */
  sealedTotps(): Promise<SealedTotp[]>
  recoveryCodesLeft(userId: string): Promise<number>
}
