import type { StoreWrites } from '../../db/contract/store.ts'
import { Credentials } from '../../src/base/credentials.ts'
import { createVault, sha256 } from '../../src/base/crypto.ts'
import { keyScopes } from '../../src/base/keyScopes.ts'
import { newSecrets, sealSecrets } from '../../src/webhooks/secrets.ts'
import type { History, KeyOfTenant, Tenant } from './history.ts'
import { storedTemplates } from './templates.ts'
import { begin } from './world.ts'

/** What each workspace has, by the same names in each history: sealing and hashing them anew would take longer. */
export interface TenantNames {
  readonly workspaceId: string
  readonly channelId: string
  readonly lineId: string
  readonly phoneId: string
  readonly accountId: string
  readonly token: string
  readonly appSecret: string
  readonly webhookId: string
  readonly keys: readonly [KeyNames, KeyNames]
}

interface KeyNames {
  readonly apiKey: string
  readonly apiSecret: string
  readonly secretHash: string
}

/** Who writes, and to whom the first number of orders leads, without its plus. */
export const person = '493012340'

export const vault = createVault('k'.repeat(32))
const credentials = new Credentials(vault)

const keyOf = (tenant: Tenant, nth: KeyOfTenant): KeyNames => {
  const apiSecret = `sk_${'s'.repeat(40)}${tenant}${nth}`
  return { apiKey: `pk_tenant${tenant}key${nth}`, apiSecret, secretHash: sha256(apiSecret) }
}

const namesOf = (tenant: Tenant): TenantNames => ({
  workspaceId: `ws_0000000000000000000000000${tenant}`,
  channelId: `chan_0000000000000000000000000${tenant}`,
  lineId: `line_0000000000000000000000000${tenant}`,
  phoneId: `10654035224292${tenant}`,
  accountId: `10000${tenant}`,
  token: `token-of-${tenant}`,
  appSecret: `app-secret-of-${tenant}`,
  webhookId: `hook_0000000000000000000000000${tenant}`,
  keys: [keyOf(tenant, 0), keyOf(tenant, 1)],
})

/** @returns where the endpoint of a workspace leads */
export const receiverOf = (tenant: number) => `https://receiver.invalid/${tenant}`

export const tenants = [namesOf(0), namesOf(1)] as const

const sealed = tenants.map(({ channelId, token, appSecret }) =>
  credentials.seal(channelId, { accessToken: token, appSecret, verifyToken: 'verify' }),
)
const sealedSecrets = tenants.map(({ webhookId }) => sealSecrets(vault, webhookId, newSecrets()))

/** All but text, of which most histories are: what is not there need not be written. */
const sendsTemplates = (act: History['acts'][number]['act']): boolean =>
  ['template', 'graph', 'batch'].includes(act.kind) || (act.kind === 'send' && act.order.form !== 'text')

type Call = {
  [Verb in keyof StoreWrites]: { verb: Verb; argument: Parameters<StoreWrites[Verb]>[0] }
}[keyof StoreWrites]

/** What of `seeding` is not the same in each history, as rows are changed by it afterwards. */
export const changesOf = ({ lines, limits }: History) =>
  tenants.flatMap(({ lineId, workspaceId }, at) => {
    const { perSecond, pairSeconds } = lines[at] ?? { perSecond: 0, pairSeconds: 0 }
    return [
      ['UPDATE lines SET per_second = ?, pair_seconds = ? WHERE id = ?', [perSecond, pairSeconds, lineId]],
      ['UPDATE workspaces SET monthly_message_limit = ? WHERE id = ?', [limits[at] ?? null, workspaceId]],
    ] as const
  })

/** @returns what a command writes before a history begins, but for paces and limits */
export const seeding = (history: Pick<History, 'acts' | 'receivers'>): Call[] =>
  tenants.flatMap((names, at): Call[] => {
    const { workspaceId, channelId, lineId, phoneId: upstreamPhoneId, accountId, webhookId, keys } = names
    const secrets = sealed[at]
    if (!secrets) throw new Error('a tenant without secrets')
    const calls: Call[] = [
      {
        verb: 'createWorkspace',
        argument: { id: workspaceId, name: 'Acme', monthlyMessageLimit: null, createdAt: begin },
      },
      {
        verb: 'connectChannel',
        argument: { id: channelId, workspaceId, accountId, ...secrets, createdAt: begin, updatedAt: begin },
      },
      {
        verb: 'addLine',
        argument: {
          ...{ id: lineId, workspaceId, channelId, upstreamPhoneId, number: `+1555078388${at}`, createdAt: begin },
          ...{ active: true, perSecond: 0, pairSeconds: 0 },
        },
      },
      ...keys.map(
        ({ apiKey: id, secretHash }): Call => ({
          verb: 'createKey',
          argument: { id, workspaceId, label: null, createdAt: begin, secretHash, scopes: keyScopes },
        }),
      ),
    ]
    if (history.acts.some(({ act }) => sendsTemplates(act)))
      calls.push({
        verb: 'replaceTemplates',
        argument: { channelId, templates: storedTemplates(names, begin), at: begin, recordedAt: begin },
      })
    const sealedSecret = sealedSecrets[at]
    if (history.receivers[at] && sealedSecret !== undefined)
      calls.push({
        verb: 'addWebhook',
        argument: {
          ...{ id: webhookId, workspaceId, url: receiverOf(at), description: null, createdAt: begin },
          ...{ types: null, lineIds: null, sealedSecrets: sealedSecret, sealedHeaders: null, format: 'events' },
        },
      })
    return calls
  })
