import type { Contact, Workspace } from '../../db/records.ts'
import type { Store } from '../../db/store.ts'
import type { Clock } from '../clock.ts'
import type { Credentials } from '../credentials.ts'
import { sha256 } from '../crypto.ts'
import type { ChannelClient } from '../graph/client.ts'
import { newId, newKeyId, newKeySecret, randomBase62 } from '../ids.ts'
import { pairSecondsDefault, perSecondDefault } from '../messages/pacing.ts'
import { SANDBOX } from '../sandbox/state/defaults.ts'
import { syncTemplates } from '../templates/sync.ts'

const demoName = 'Acme (demo)'
const demoLabel = 'demo'
/** A number of fiction, and none of those that make the sandbox misbehave. */
export const demoPhone = '+15550150100'

export interface DemoSetup {
  readonly workspace: Workspace
  readonly contact: Contact
  readonly apiKey: string
  readonly apiSecret: string
  readonly templates: number
}

/**
 * Makes what the demonstration needs and finds what an earlier run has left. Only the key is new each time: its secret
 * is not kept anywhere, so the earlier one is revoked.
 * @param gatewayUrl where the sandbox reaches the gateway
 */
export async function setUpDemo(parts: {
  store: Store
  credentials: Credentials
  client: ChannelClient
  clock: Clock
  gatewayUrl: string
}): Promise<DemoSetup> {
  const { store, credentials, client, clock, gatewayUrl } = parts
  const now = clock.now()
  const workspace =
    (await store.read.workspaces()).find(({ name }) => name === demoName) ??
    (await store.write.createWorkspace({ id: newId('ws'), name: demoName, monthlyMessageLimit: null, createdAt: now }))
  const workspaceId = workspace.id

  const known = (await store.read.channels(workspaceId)).find(({ accountId }) => accountId === SANDBOX.accountId)
  const channelId = known?.id ?? newId('chan')
  const verifyToken = randomBase62(24)
  const secrets = { accessToken: SANDBOX.accessToken, appSecret: SANDBOX.appSecret, verifyToken }
  const channel = await store.write.connectChannel({
    id: channelId,
    workspaceId,
    accountId: SANDBOX.accountId,
    ...credentials.seal(channelId, secrets),
    createdAt: now,
    updatedAt: now,
  })
  if (!channel) throw new Error('the demo workspace is gone')
  const [line] = SANDBOX.lines
  await store.write.addLine({
    id: newId('line'),
    workspaceId,
    channelId,
    upstreamPhoneId: line.upstreamPhoneId,
    number: line.number,
    active: true,
    perSecond: perSecondDefault,
    pairSeconds: pairSecondsDefault,
    createdAt: now,
  })

  const subscription = await client.subscribe({
    accountId: SANDBOX.accountId,
    accessToken: SANDBOX.accessToken,
    callbackUrl: `${gatewayUrl}/callbacks/channel/${channelId}`,
    verifyToken,
  })
  if (subscription.kind === 'failed') throw new Error(`the sandbox did not subscribe us: ${subscription.message}`)
  const synced = await syncTemplates({ store, client, credentials, clock, channel })
  if (synced.kind === 'failed') throw new Error(`the templates could not be read: ${synced.message}`)

  const contact = await store.write.saveContact({
    id: newId('contact'),
    workspaceId,
    phone: demoPhone,
    userId: null,
    name: 'Ada Example',
    createdAt: now,
    updatedAt: now,
  })
  if (!contact) throw new Error('the demo workspace is gone')
  const { apiKey, apiSecret } = await newDemoKey(store, workspaceId, now)
  return { workspace, contact, apiKey, apiSecret, templates: synced.approved }
}

async function newDemoKey(store: Store, workspaceId: string, now: number) {
  const former = (await store.read.keys(workspaceId)).filter(key => key.label === demoLabel && key.revokedAt === null)
  for (const { id } of former) await store.write.revokeKey({ keyId: id, at: now })
  const apiKey = newKeyId()
  const apiSecret = newKeySecret()
  await store.write.createKey({
    id: apiKey,
    workspaceId,
    label: demoLabel,
    createdAt: now,
    revokedAt: null,
    secretHash: sha256(apiSecret),
  })
  return { apiKey, apiSecret }
}
