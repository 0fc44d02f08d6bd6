import { GatewayError, invalid } from '../errors.ts'

export const notFound = (message: string) => new GatewayError({ reason: 'NOT_FOUND', message })
export const conflict = (message: string) => new GatewayError({ reason: 'CONFLICT', message })
export const forbidden = (message: string) => new GatewayError({ reason: 'FORBIDDEN', message })

/** @param path of the field: `/expiresAt` */
export const wrongField = (path: string, message: string) => new GatewayError(invalid([{ path, message }]))

/** @param what its kind: `channel` */
export const unknown = (what: string) => notFound(`No ${what} has this id.`)

/** @returns what was read or changed. @throws GatewayError NOT_FOUND when there is no such thing (any more) */
export function found<Thing>(thing: Thing | null, what: string): Thing {
  if (thing === null) throw unknown(what)
  return thing
}

/** @returns a thing of the caller's workspace. @throws GatewayError NOT_FOUND, the same for one of another workspace */
export const ownOf = <Thing extends { readonly workspaceId: string }>(
  { workspaceId }: { readonly workspaceId: string },
  thing: Thing | null,
  what: string,
): Thing => found(thing?.workspaceId === workspaceId ? thing : null, what)
