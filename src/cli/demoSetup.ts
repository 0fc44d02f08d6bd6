import type { Store } from '../../db/contract/store.ts'
import type { Clock } from '../base/clock.ts'
import type { Credentials } from '../base/credentials.ts'
import { sha256 } from '../base/crypto.ts'
import { newId, newKeyId, newKeySecret, randomBase62 } from '../base/ids.ts'
import { linePerSecond, pairSeconds } from '../base/upstreamLimits.ts'
import type { ChannelClient } from '../graph/client.ts'
import { SANDBOX } from '../sandbox/state/defaults.ts'
import { syncTemplates } from '../templates/sync.ts'

const demoName = 'Acme (demo)'
const demoLabel = 'demo'
/** A number reserved for fiction, and not a magic recipient of the sandbox. */
const demoPhone = '+15550150100'

/** The ids and the key of the setup. Chosen before, so that a gateway that is reset can have the same ones. */
export type DemoIdentity = ReturnType<typeof newDemoIdentity>

export const newDemoIdentity = () => ({
  workspaceId: newId('ws'),
  channelId: newId('chan'),
  lineId: newId('line'),
  contactId: newId('contact'),
  apiKey: newKeyId(),
  apiSecret: newKeySecret(),
})

/** The upstream account with which the sandbox was started. */
export interface DemoAccount {
  readonly accountId: string
  readonly accessToken: string
  readonly appSecret: string
}

export type DemoSetup = Awaited<ReturnType<typeof setUpDemo>>

/**
 * Makes what the demo needs, or reuses that of an earlier run. Only the key is new each time: its secret is not stored,
 * so the earlier key is revoked.
 * @param gatewayUrl where the sandbox reaches the gateway
 */
export async function setUpDemo(parts: {
  store: Store
  credentials: Credentials
  client: ChannelClient
  clock: Clock
  gatewayUrl: string
  /** Sets the callback address of the sandbox's app, where updates of templates go. */
  setAppCallback: (address: string) => void
  identity?: DemoIdentity
  account?: DemoAccount
}) {
  const { store, credentials, client, clock, gatewayUrl, identity = newDemoIdentity(), account = SANDBOX } = parts
  const { accountId, accessToken, appSecret } = account
  const now = clock.now()
  const workspace =
    (await store.read.workspaces()).find(({ name }) => name === demoName) ??
    (await store.write.createWorkspace({
      id: identity.workspaceId,
      name: demoName,
      monthlyMessageLimit: null,
      createdAt: now,
    }))
  const workspaceId = workspace.id

  const known = (await store.read.channels(workspaceId)).find(known => known.accountId === accountId)
  const channelId = known?.id ?? identity.channelId
  const verifyToken = randomBase62(24)
  const secrets = { accessToken, appSecret, verifyToken }
  const channel = await store.write.connectChannel({
    id: channelId,
    workspaceId,
    accountId,
    appId: SANDBOX.appId,
    ...credentials.seal(channelId, secrets),
    createdAt: now,
    updatedAt: now,
  })
  if (!channel) throw new Error('the demo workspace is gone')
  const [line] = SANDBOX.lines
  await store.write.addLine({
    id: identity.lineId,
    workspaceId,
    channelId,
    upstreamPhoneId: line.upstreamPhoneId,
    number: line.number,
    active: true,
    perSecond: linePerSecond,
    pairSeconds,
    createdAt: now,
  })

  const callbackUrl = `${gatewayUrl}/callbacks/channel/${channelId}`
  parts.setAppCallback(callbackUrl)
  const subscription = await client.subscribe({ accountId, accessToken, callbackUrl, verifyToken })
  if (subscription.kind === 'failed') throw new Error(`the sandbox did not subscribe us: ${subscription.message}`)
  const synced = await syncTemplates({ store, client, credentials, clock, channel })
  if (synced.kind === 'failed') throw new Error(`the templates could not be read: ${synced.message}`)

  const contact = await store.write.saveContact({
    id: identity.contactId,
    workspaceId,
    phone: demoPhone,
    userId: null,
    name: 'Ada Example',
    createdAt: now,
    updatedAt: now,
  })
  if (!contact) throw new Error('the demo workspace is gone')
  const { apiKey, apiSecret } = identity
  await replaceDemoKey(store, workspaceId, identity, now)
  return { workspace, contact, apiKey, apiSecret, templates: synced.approved }
}

async function replaceDemoKey(store: Store, workspaceId: string, { apiKey, apiSecret }: DemoIdentity, now: number) {
  const former = (await store.read.keys(workspaceId)).filter(key => key.label === demoLabel && key.revokedAt === null)
  for (const { id } of former) await store.write.revokeKey({ keyId: id, at: now })
  await store.write.createKey({
    id: apiKey,
    workspaceId,
    label: demoLabel,
    createdAt: now,
    secretHash: sha256(apiSecret),
  })
}
