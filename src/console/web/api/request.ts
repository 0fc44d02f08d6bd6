import { areSaidKnown } from '../texts/said.ts'
import { texts } from '../texts/texts.ts'
import { currentToken, dropSession } from './access.ts'
import { takeEarly } from './early.ts'
import { ApiFailure, apiFailureOf } from './failure.ts'

/**
 * Makes a request for the signed-in user. A refused token is replaced once.
 * @throws ApiFailure for every answer but a success; after a 401 the user is asked to sign in
 */
export async function request(path: string, init: RequestInit = {}): Promise<Response> {
  const token = await currentToken()
  const first = token === null ? null : await send(path, init, token)
  if (first && first.status !== 401) return successOf(first)
  const renewed = token === null ? null : await currentToken(token)
  const second = renewed === null ? null : await send(path, init, renewed)
  if (second && second.status !== 401) return successOf(second)
  dropSession()
  const refused = second ?? first
  if (refused) throw await apiFailureOf(refused, texts.errors.unreadable)
  throw new ApiFailure(texts.errors.signedOut, { status: 401, reason: 'UNAUTHORIZED' })
}

/** Makes a request without a session, for example to sign in. @throws ApiFailure for every answer but a success */
export const requestOpenly = async (path: string, init: RequestInit = {}): Promise<Response> =>
  successOf(await send(path, init, null))

async function send(path: string, init: RequestInit, token: string | null): Promise<Response> {
  const early = (init.method ?? 'GET') === 'GET' ? takeEarly(path, token) : undefined
  const headers = new Headers(init.headers)
  if (token !== null) headers.set('authorization', `Bearer ${token}`)
  try {
    const response = await (early ?? fetch(path, { ...init, headers }))
    // It may say why something failed.
    if (areSaidKnown) await areSaidKnown
    return response
  } catch (cause) {
    // The page was left, or made another request.
    if (init.signal?.aborted) throw cause
    throw new ApiFailure(texts.errors.unreachable, { cause })
  }
}

async function successOf(response: Response): Promise<Response> {
  if (response.ok) return response
  throw await apiFailureOf(response, texts.errors.unreadable)
}

/** @returns what nobody guesses or has had. `randomUUID` exists only with TLS or on the own machine. */
export const randomWord = () =>
  [...crypto.getRandomValues(new Uint8Array(16))].map(byte => byte.toString(16).padStart(2, '0')).join('')
