import type { UserRole } from '../../db/contract/roles.ts'
import { newId } from '../../src/base/ids.ts'
import { hashPassword } from '../../src/operations/passwords.ts'
import { type Answer, cheapHash, type TestGateway } from '../gateway.ts'

/** Of every user of the tests. */
export const password = 'correct horse battery'

/** A user who is signed in. */
export interface Person {
  readonly id: string
  readonly email: string
  readonly accessToken: string
  /** `name=value` of each cookie that the browser holds. */
  readonly cookie: string
  /** Calls an internal route with the user's access token. */
  call(path: string, init?: CallInit): Promise<Answer>
}

export interface CallInit {
  readonly method?: string
  readonly body?: unknown
  readonly headers?: Record<string, string>
}

let count = 0

/** Makes a user with this role in the workspace. */
export async function addUser(
  { gateway, workspaceId: own }: TestGateway,
  role: UserRole,
  workspaceId = own,
): Promise<{ id: string; email: string }> {
  count += 1
  const created = await gateway.store.write.createUser({
    id: newId('user'),
    workspaceId,
    email: `${role}.${count}@example.com`,
    name: null,
    role,
    passwordHash: await hashPassword(password, cheapHash),
    createdAt: Date.now(),
  })
  if (created.outcome !== 'created') throw new Error(created.outcome)
  return created.user
}

/** Makes a user with this role in the workspace, and signs in. */
export async function addPerson(gateway: TestGateway, role: UserRole, workspaceId?: string): Promise<Person> {
  const { id, email } = await addUser(gateway, role, workspaceId)
  const answer = await call(gateway, '/api/v1/auth/login', { body: { email, password } })
  if (answer.status !== 200) throw new Error(`the sign-in failed: ${answer.text}`)
  const { accessToken } = answer.json
  const authorization = `Bearer ${accessToken}`
  return {
    id,
    email,
    accessToken,
    cookie: cookiesOf(answer.headers),
    call: (path, init) => call(gateway, path, { ...init, headers: { authorization, ...init?.headers } }),
  }
}

/** Calls an internal route; with a body, by POST unless another method is named. */
export async function call({ url }: Pick<TestGateway, 'url'>, path: string, init: CallInit = {}): Promise<Answer> {
  const { body, method = body === undefined ? 'GET' : 'POST', headers } = init
  const response = await fetch(url + path, {
    method,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : null }
}

/** @returns what a browser would send back */
export const cookiesOf = (headers: Headers): string =>
  headers
    .getSetCookie()
    .map(cookie => cookie.split(';')[0])
    .join('; ')
