import { GatewayError } from '../base/errors.ts'
import * as acts from '../operations/act.ts'

const thrown = (refused: acts.Refused) => new GatewayError(refused)

export const notFound = (message: string) => thrown(acts.notFound(message))
export const conflict = (message: string) => thrown(acts.conflict(message))
export const forbidden = (message: string) => thrown(acts.forbidden(message))

/** @param path of the field: `/expiresAt` */
export const wrongField = (path: string, message: string) => thrown(acts.wrongField(path, message))

/** @param what its kind: `channel` */
export const unknown = (what: string) => thrown(acts.unknown(what, ''))

/** @returns what an act has done. @throws GatewayError with what it refused */
export function done<Outcome>(outcome: Outcome): Exclude<Outcome, acts.Refused> {
  if (outcome instanceof acts.Refused) throw thrown(outcome)
  return outcome as Exclude<Outcome, acts.Refused>
}

/** @returns what was read or changed. @throws GatewayError NOT_FOUND when there is no such thing (any more) */
export function found<Thing>(thing: Thing | null, what: string): Thing {
  if (thing === null) throw unknown(what)
  return thing
}

/** @returns a thing of the caller's workspace. @throws GatewayError NOT_FOUND, the same for one of another workspace */
export const ownOf = <Thing extends { readonly workspaceId: string }>(
  caller: { readonly workspaceId: string },
  thing: Thing | null,
  what: string,
): Thing => done(acts.ownOf(caller, thing, what, '')) as Thing
