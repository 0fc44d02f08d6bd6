import { eventually } from '../../eventually.ts'
import type { Deployment } from './deployment.ts'

/** Of every person of the stories. */
export const password = 'correct horse battery staple'
export const ownerEmail = 'ada@example.com'

export type Role = 'owner' | 'admin' | 'member' | 'viewer'

const namesOf = { owner: 'Ada Byron', admin: 'Grace Hopper', member: 'Alan Turing', viewer: 'Katherine Johnson' }

interface Session {
  readonly accessToken: string
  readonly workspaces: readonly { readonly id: string }[]
}
interface Sent {
  readonly data?: { readonly id: string }
  readonly details?: { readonly messageId: string }
}
/** The headers of a partner's request. */
export type Key = Record<'apiKey' | 'apiSecret', string>

/** Prepares by the internal routes what a story begins with. What the story is about is done in the browser. */
export class Backstage {
  readonly workspaceId: string
  readonly #deployment: Deployment
  readonly #accessToken: string

  private constructor(deployment: Deployment, session: Session) {
    this.#deployment = deployment
    this.#accessToken = session.accessToken
    this.workspaceId = session.workspaces[0]?.id ?? ''
    deployment.keepSecret(session.accessToken, 'access token of a session')
  }

  /** Makes the owner by the set-up link. */
  static async signUp(deployment: Deployment): Promise<Backstage> {
    deployment.keepSecret(password, 'password')
    const token = (await deployment.setupLink()).split('#')[1]
    const body = { token, email: ownerEmail, name: 'Ada Lovelace', password, workspaceName: 'Sandbox Shop' }
    return new Backstage(deployment, await call<Session>(deployment, '/api/v1/auth/setup', { body }))
  }

  /** Calls a route of the workspace as its owner; with a body, by POST. */
  async call<Answer>(path: string, body?: unknown): Promise<Answer> {
    const headers = { authorization: `Bearer ${this.#accessToken}` }
    return call<Answer>(this.#deployment, `/api/v1/workspaces/${this.workspaceId}${path}`, { body, headers })
  }

  /** Connects the stand-in, with its line and templates. */
  async connectSandbox(): Promise<{ channelId: string; lineId: string }> {
    const { channelId } = await this.call<{ channelId: string }>('/setup/sandbox', {})
    const { lines } = await this.call<{ lines: { id: string }[] }>('/lines')
    const lineId = lines[0]?.id ?? ''
    await eventually(async () => {
      const { templates } = await this.call<{ templates: unknown[] }>(`/templates?phoneNumberId=${lineId}`)
      if (templates.length === 0) throw new Error('no templates were read')
    })
    return { channelId, lineId }
  }

  async createKey(label: string): Promise<Key> {
    const { apiKey, apiSecret } = await this.call<Key>('/api-keys', { label })
    this.#deployment.keepSecret(apiSecret, 'API secret')
    return { apiKey, apiSecret }
  }

  /** @returns the link that the owner would hand over */
  async invitationLink(role: Role, email: string): Promise<string> {
    const { link } = await this.call<{ link: string }>('/invitations', { email, role })
    this.#deployment.keepSecret(link.split('#')[1] ?? '', 'token of an invitation')
    return link
  }

  /** Makes a member with {@link password}. @returns the address to sign in with */
  async invite(role: Role): Promise<string> {
    const email = `${role}@example.com`
    const token = (await this.invitationLink(role, email)).split('#')[1]
    const body = { token, password, name: namesOf[role] }
    await call(this.#deployment, '/api/v1/auth/invitations/accept', { body })
    return email
  }

  /** Sends as a partner does; it may be refused like this. @returns the message's id, also of a refused one */
  async send(key: Key, message: object, mayFail = 'CHANNEL_GRAPH_ERROR'): Promise<string> {
    const { data, details } = await call<Sent>(this.#deployment, '/api/v1/public/messages/send', {
      body: message,
      headers: key,
      mayFail,
    })
    return data?.id ?? details?.messageId ?? ''
  }
}

/** @throws Error with the answer for every status but a success, unless it may fail with this code */
async function call<Answer>(
  { url }: Deployment,
  path: string,
  { body, headers, mayFail }: { body?: unknown; headers?: Record<string, string>; mayFail?: string },
): Promise<Answer> {
  const response = await fetch(url + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok && !(mayFail && text.includes(mayFail)))
    throw new Error(`${path} answered ${response.status}: ${text}`)
  return JSON.parse(text) as Answer
}
