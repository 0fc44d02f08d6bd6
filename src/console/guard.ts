import { Elysia } from 'elysia'
import { isAtLeast, type UserRole } from '../../db/contract/roles.ts'
import type { Store, StoreReads, StoreWrites } from '../../db/contract/store.ts'
import type { User } from '../../db/contract/users.ts'
import type { Clock } from '../base/clock.ts'
import { GatewayError, type Refusal } from '../base/errors.ts'
import { isJson, jsonOf, readJson } from '../http/body.ts'
import { BodyBudget } from '../http/bodyBudget.ts'
import { bodyMsMax } from '../http/limits.ts'
import type { PeerLookup, Peers } from '../http/peer.ts'
import type { Body, Room } from '../http/requestHead.ts'
import { type Actor, renewedBefore } from '../operations/act.ts'
import type { Turns } from '../reading/turns.ts'
import type { AccessTokens, Claims } from './access/accessTokens.ts'
import type { ChangeLimit } from './access/changes.ts'
import { isOwnPage } from './access/cookies.ts'
import { isSessionOpen } from './access/sessions.ts'
import { forbidden, notFound } from './refusals.ts'

/** The user who makes a request of the console. */
export interface Caller {
  readonly user: User
  readonly sessionId: string
  /**
   * Writes on behalf of the user: what they change is kept in the audit with the user's email address. Each asks anew
   * for the sign-in, and the role.
   */
  readonly write: StoreWrites
}

/** A caller in one workspace, on whose behalf acts are done in it. */
export interface MemberCaller extends Caller, Actor {
  readonly workspaceId: string
  readonly role: UserRole
  /**
   * To be asked behind the answer of a stranger, before what is no verb of `write`, which asks by itself.
   * @throws GatewayError when the sign-in has ended, or the role is too low by now
   */
  renew(): Promise<void>
  /** Resolves when a long read may take its next step (src/reading/turns.ts). Each GET begins with a turn. */
  turn(): Promise<void>
}

export interface GuardParts {
  readonly store: Store
  readonly tokens: AccessTokens
  readonly changes: ChangeLimit
  readonly turns: Turns
  readonly clock: Clock
  readonly peers: Peers
  readonly openBodies: BodyBudget
  readonly publicUrl: string | null
}

/** The largest body of an open route: a password of 1,024 letters of any language, an address and two names. */
const openBytesMax = 4_096

/** Shared by all open routes. */
export const createOpenBodies = (clock: Clock): BodyBudget =>
  new BodyBudget(clock, {
    totalBytesMax: 64 * 1_048_576,
    /** A thousand of the largest bodies. Only sixteen callers together can fill it all. */
    callerBytesMax: 4 * 1_048_576,
    bodyMsMax,
  })

/** What a route demands of its callers. It stands in the route's `detail` too, for the API document and the tests. */
export type Access = 'open' | 'signedIn' | UserRole
export const accessField = 'x-access'

/**
 * THE guard of the internal routes. Each route names one of:
 *
 *   role: 'viewer'     a member of the workspace in the path (`:workspaceId`) with this role or a higher one; the
 *                      handler gets `member` (user, workspaceId, role, write)
 *   fileOf: 'member'   as role, but the body is a file, which the handler reads by `file`
 *   signedIn: true     any user; the handler gets `caller` (user, write)
 *   open: true         anybody: signing in and what comes before
 *
 * and none can be left out: routes.ts refuses to start with a route that names none. Checked before a body is read, in
 * this order: access token (401), the limit of changes (429), the workspace and membership in it (404, the same for a
 * workspace that does not exist), role (403). Permissions are read from the database at each request, and again behind
 * its body, so that a change of role, a removal or a sign-out takes effect at once: a body may take its time. `summary`
 * and `description` are for the API document.
 *
 * Safe against requests that a page of another site makes: a browser never adds an access token automatically. The
 * `open` routes, two of which read a cookie, refuse other origins (cookies.ts) and bodies that are not
 * `application/json`.
 */
export function guard(parts: GuardParts) {
  const { changes, clock, peers, openBodies, turns, publicUrl } = parts
  const callers = new WeakMap<Request, Promise<Caller>>()
  const members = new WeakMap<Request, Promise<MemberCaller>>()

  /**
   * @param group the workspace, or the user where there is none. Changes have a limit of their own (access/changes.ts)
   */
  async function inTurn<Known extends Caller>(request: Request, caller: Known, group: string): Promise<Known> {
    if (isReading(request)) await turns.begin({ id: caller.user.id, group })
    return caller
  }

  const callerOf = (request: Request) =>
    remembered(callers, request, async () => {
      const caller = await findCaller(parts, request)
      if (!isReading(request)) changes.count(caller.user.id)
      return caller
    })
  const memberOf = (request: Request, { workspaceId = '' }: Params, role: UserRole) =>
    remembered(members, request, async () => toMember(parts, await callerOf(request), workspaceId, role))

  /** Reads the body of a known caller. It may come slowly: the steps behind it look anew for sign-in and role. */
  async function bodyOf<Read>(request: Request, read: (request: Request) => Promise<Read>): Promise<Read> {
    const { user, sessionId } = await callerOf(request)
    const body = await read(request)
    const caller = openCaller(parts, { userId: user.id, sessionId })
    callers.set(request, caller)
    members.delete(request)
    await caller
    return body
  }
  const jsonBodyOf = async (request: Request) =>
    request.body === null ? null : bodyOf(request, () => readBody(request, () => readJson(request, clock)))

  return new Elysia({ name: 'console-guard' }).macro({
    summary: (summary: string) => ({ detail: { summary } }),
    description: (description: string) => ({ detail: { description } }),

    role: (role: UserRole) => ({
      detail: demanding(role),
      async parse({ request, params }: Context) {
        await memberOf(request, params, role)
        return jsonBodyOf(request)
      },
      async transform({ request, params }: Context) {
        await memberOf(request, params, role)
      },
      async resolve({ request, params }: Context) {
        const member = await memberOf(request, params, role)
        return { member: await inTurn(request, member, member.workspaceId) }
      },
    }),

    fileOf: (role: UserRole) => ({
      detail: demanding(role),
      // Null, and not nothing: the framework would read the body itself.
      parse: () => null,
      async transform({ request, params }: Context) {
        await memberOf(request, params, role)
      },
      async resolve({ request, params }: Context) {
        const body: Body = async read => {
          const file = await bodyOf(request, whole => read(whole, roomForPeople))
          await memberOf(request, params, role)
          return file
        }
        return { member: await memberOf(request, params, role), file: body }
      },
    }),

    signedIn: (_: true) => ({
      detail: demanding('signedIn'),
      async parse({ request }: Context) {
        await callerOf(request)
        return jsonBodyOf(request)
      },
      async transform({ request }: Context) {
        await callerOf(request)
      },
      async resolve({ request }: Context) {
        const caller = await callerOf(request)
        return { caller: await inTurn(request, caller, caller.user.id) }
      },
    }),

    open: (_: true) => ({
      detail: demanding('open'),
      parse({ request, server }: Context) {
        checkOrigin(request, publicUrl)
        return readBody(request, async () =>
          jsonOf(await openBodies.read(request, peers.networksOf(request, server), openBytesMax)),
        )
      },
      transform({ request }: Context) {
        checkOrigin(request, publicUrl)
      },
    }),
  })
}

type Params = Readonly<Record<string, string | undefined>>
interface Context {
  readonly request: Request
  readonly params: Params
  readonly server: PeerLookup | null
}

/** Hidden from the partner API document. */
const demanding = (access: Access) => ({ [accessField]: access, hide: true }) as object

/** The steps of one request call it again. */
function remembered<Value>(known: WeakMap<Request, Promise<Value>>, request: Request, find: () => Promise<Value>) {
  const found = known.get(request) ?? find()
  known.set(request, found)
  return found
}

/** A JWT of ours has some 250 characters. */
const bearer = /^bearer ([\w.-]{1,1024})$/i

async function findCaller(parts: GuardParts, request: Request): Promise<Caller> {
  // The framework would run the GET and read its answer to the end: that of a live stream has none.
  if (request.method === 'HEAD') throw notFound('Use GET: there is no HEAD here.')
  const [, token] = bearer.exec(request.headers.get('authorization') ?? '') ?? []
  const claims = token === undefined ? null : await parts.tokens.read(token)
  if (!claims) throw new GatewayError(noSession)
  return openCaller(parts, claims)
}

const noSession: Refusal = {
  reason: 'UNAUTHORIZED',
  message: 'Sign in: send a valid access token as Authorization: Bearer.',
}

/** @throws GatewayError UNAUTHORIZED when the session has ended; a token that has expired since does not matter */
async function openCaller(parts: GuardParts, claims: Claims): Promise<Caller> {
  const { store, clock } = parts
  const caller = await openSessionOf(store.read, claims.sessionId, clock)
  if (!caller || caller.user.id !== claims.userId) throw new GatewayError(noSession)
  const write = store.writeAs({ actor: actorOf(caller.user) })
  return { ...caller, write: renewedBefore(write, () => openCaller(parts, claims)) }
}

const isReading = ({ method }: Request) => method === 'GET' || method === 'HEAD'

async function openSessionOf(read: StoreReads, sessionId: string, clock: Clock) {
  const session = await read.session(sessionId)
  const user = session && isSessionOpen(session, clock) ? await read.user(session.userId) : null
  return user && { user, sessionId }
}

/** The author of a change, as the audit shows it. */
export const actorOf = ({ email }: Pick<User, 'email'>): string => `console:${email}`

async function toMember(
  parts: GuardParts,
  caller: Caller,
  workspaceId: string,
  needed: UserRole,
): Promise<MemberCaller> {
  const { store, turns, clock } = parts
  const { user, sessionId } = caller
  const roleNow = async () => {
    const role = await store.read.roleIn({ workspaceId, userId: user.id })
    if (role === null) throw notFound('No such workspace.')
    if (isAtLeast(role, needed)) return role
    throw forbidden(`This needs the role ${needed} in the workspace; yours is ${role}.`)
  }
  async function renew() {
    await openCaller(parts, { userId: user.id, sessionId })
    await roleNow()
  }
  return {
    ...caller,
    workspaceId,
    role: await roleNow(),
    read: store.read,
    write: renewedBefore(store.writeAs({ actor: actorOf(user), workspaceId }), renew),
    renew,
    clock,
    async turn() {
      await turns.take({ id: user.id, group: workspaceId })
    },
  }
}

function checkOrigin(request: Request, publicUrl: string | null): void {
  if (isOwnPage(request, publicUrl)) return
  throw forbidden('This address answers only pages of this gateway.')
}

/** A person brings one file at a time. */
const roomForPeople: Room = async () => {}

/** A form of another site can send some types without asking; it cannot send JSON. */
async function readBody(request: Request, read: () => Promise<unknown>): Promise<unknown> {
  // The schema of a route that needs a body says so.
  if (request.body === null) return null
  if (!isJson(request.headers.get('content-type'))) {
    throw new GatewayError({ reason: 'UNSUPPORTED_MEDIA_TYPE', message: 'Send the body as application/json.' })
  }
  return read()
}
