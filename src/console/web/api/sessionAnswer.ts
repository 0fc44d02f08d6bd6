import type { Role } from '../app/roles.ts'

/** What signing in and refreshing answer. */
export interface SessionAnswer {
  readonly accessToken: string
  /** ISO 8601. */
  readonly expiresAt: string
  readonly user: {
    readonly id: string
    readonly email: string
    readonly name: string | null
    readonly hasSecondFactor: boolean
  }
  readonly workspaces: readonly { readonly id: string; readonly name: string; readonly role: Role }[]
}
