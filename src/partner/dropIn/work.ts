import type { DropInName } from '../../http/dropInCalls.ts'
import type { PartnerCaller } from '../caller.ts'
import type { EndpointContext, Outcome } from '../endpoint.ts'

/** A path below `/graph`, without the version. */
export interface PathContext extends EndpointContext {
  /** The id of a line, an account, a template or a file; what stands in its place otherwise. */
  readonly id: string
  /** What follows it. */
  readonly rest: readonly string[]
}

/** What a call does for an authenticated caller. */
export type Work = (caller: PartnerCaller, context: PathContext) => Promise<Outcome>

export type Works<Name extends DropInName> = Readonly<Record<Name, Work>>
