import { Database } from 'bun:sqlite'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { appliedOf } from '../../db/migrations.ts'
import { MIGRATIONS } from '../../db/postgres/migrations/list.ts'
import { copyDatabase } from '../../db/sqlite/backup.ts'
import manifest from '../../package.json' with { type: 'json' }
import { systemClock } from '../../src/base/clock.ts'
import { createVault, sha256 } from '../../src/base/crypto.ts'
import { dayMs, hourMs } from '../../src/base/durations.ts'
import { newId } from '../../src/base/ids.ts'
import { newRecoveryCodes, SecondFactor } from '../../src/console/access/secondFactor.ts'
import { newSecrets, sealHeaders, sealSecrets } from '../../src/webhooks/secrets.ts'
import { type Stack, startStack, user } from '../e2e/stack.ts'
import { eventually } from '../eventually.ts'
import { flow } from '../interactive/samples.ts'
import { files, startFiles } from '../media/outgoing/files.ts'
import { statusCallback } from '../upstream.ts'
import { emptyTables, type Fixture, pack, readFixtures, unpack, writeNotes } from './fixture.ts'

const { version } = manifest
const main = resolve(import.meta.dir, '../../src/main.ts')
const secretKey = 'the-key-of-a-fixture-is-no-secret-0123456789'
/** A recipient that the stand-in never answers: the message stays UNKNOWN. */
const silentRecipient = '+15550130021'
/** The stand-in puts off every other message to it. */
const throttledRecipient = '+15550131056'
const refusedRecipient = '+15550101026'

/** Uses the gateway as its users do, so that every table gets rows, and keeps the database that it leaves. */
async function make(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'waypost-fixture-'))
  const dataDir = join(folder, 'data')
  const database = join(dataDir, 'waypost.db')
  const fileServer = startFiles(() => new Response(files.png, { headers: { 'content-type': 'image/png' } }))
  const stack = await startStack({
    callbacks: true,
    env: {
      DATA_DIR: dataDir,
      SECRET_KEY: secretKey,
      SEND_WAIT_MS: '500',
      CHANNEL_TIMEOUT_MS: '300',
      PUBLIC_IP_RATE_LIMIT: '100000',
      PUBLIC_API_KEY_RATE_LIMIT: '100000',
    },
  })
  try {
    const fixture = await use(stack, { dataDir, filesUrl: fileServer.url })
    const file = join(folder, 'waypost.db')
    copyDatabase(database, file)
    pack(fixture, file)
    process.stdout.write(`test/upgrade/fixtures/${version}.db.gz has ${fixture.messages.length} messages\n`)
    const empty = emptyTables(file)
    if (empty.length > 0) process.stderr.write(`${unused(empty)}\n`)
  } finally {
    fileServer.stop()
    rmSync(folder, { recursive: true })
  }
}

async function use(stack: Stack, { dataDir, filesUrl }: { dataDir: string; filesUrl: string }): Promise<Fixture> {
  const { store } = stack.gateway
  const send = async (body: Record<string, unknown>) => {
    const { status, json, text } = await stack.send({ phone: user, ...body })
    const id: unknown = json?.data?.id ?? json?.details?.messageId
    if (typeof id !== 'string') throw new Error(`a send of the fixture was answered ${status}: ${text}`)
    return id
  }
  await stack.sync()
  await commands(stack, dataDir)
  const contact = await stack.contact({ name: 'Ada' })
  await people(stack)
  await webhooks(stack)

  const body = { type: 'text', phone: user, content: 'Your parcel is here.', idempotencyKey: 'order-1' }
  const replayed = await send(body)
  await send({
    type: 'template',
    templateName: 'photo_ready',
    templateVariables: { header_link: `${filesUrl}/photo.png` },
  })
  const interactive = JSON.stringify({ ...flow({ flow_token: 'token-1' }), header: { type: 'text', text: 'Sign up' } })
  await send({ type: 'interactive', phone: undefined, contactId: contact.id, content: interactive })
  await send({ type: 'text', content: 'Refused', phone: refusedRecipient })
  await send({ type: 'text', content: 'Lost', phone: silentRecipient, idempotencyKey: 'order-lost' })
  const read = [replayed]
  await eventually(async () => {
    const found = await Promise.all(read.map(id => store.read.message(id)))
    if (found.some(message => message?.status !== 'READ')) throw new Error('not all were reported READ yet')
  })

  await stack.control.inbound({ kind: 'text', from: user, text: 'Thank you' })
  await stack.control.inbound({ kind: 'image', from: user, text: 'It came like this' })
  await stack.control.setTemplateStatus({ name: 'order_confirmation', language: 'en_US', event: 'PAUSED' })
  await stack.callback(deliveredNow('wamid.of-another-system'))
  const moved = { phone: null, userId: 'US.2', name: null, newContactId: newId('contact') }
  const change = { at: Date.now(), from: moved, upstreamPhoneId: null }
  await stack.gateway.store.write.followIdentities({
    changes: [{ ...change, identityChange: { formerPhone: null, formerUserId: 'US.1' } }],
    ...{ channelId: stack.channelId, recordedAt: Date.now() },
  })

  const kept = { workspaceId: stack.workspaceId, spelling: '+541155550001', number: '+5491155550001' }
  await store.write.keepSpelling({ ...kept, at: Date.now(), recordedAt: Date.now() })

  await batch(stack)
  const sendAt = new Date(Date.now() + hourMs).toISOString()
  await send({ type: 'text', content: 'At its time', sendAt })

  // Its history is still to be erased: the gateway stops before anybody takes the first step.
  const forgotten = await stack.contact({ phone: '+4930654321' })
  await store.write.forgetContact({ contactId: forgotten.id, at: Date.now() })

  // The stand-in asks to try this one again in a second, and by then the gateway has stopped.
  const queuedId = await send({ type: 'text', content: 'Waits', phone: throttledRecipient })
  await stack.stop()
  return {
    version,
    isFrozen: false,
    postgresMigrations: appliedOf(MIGRATIONS),
    madeAt: Date.now(),
    secretKey,
    key: stack.key,
    channelId: stack.channelId,
    messages: statusesIn(join(dataDir, 'waypost.db')),
    replay: { id: replayed, body },
    queuedId,
  }
}

/** Two sends that start at a time. */
async function batch({ gateway: { store }, workspaceId, key }: Stack): Promise<void> {
  const who = { workspaceId, keyId: key.apiKey, scope: key.apiKey, idempotencyKey: 'news', fingerprint: 'f' }
  const what = { name: 'News', defaults: { type: 'text', content: 'Hello' }, duplicates: 'skip' } as const
  const made = { id: newId('batch'), state: 'scheduled', createdAt: Date.now(), sendAt: Date.now() + hourMs } as const
  const items = ['+15550100201', '+15550100202'].map(phone => ({ recipient: phone, reference: null, body: { phone } }))
  await store.write.createBatch({ batch: { ...who, ...what, ...made }, items })
}

/** An endpoint that was switched off after it had failed. */
async function webhooks({ gateway: { store }, workspaceId }: Stack): Promise<void> {
  const vault = createVault(secretKey)
  const endpointId = newId('hook')
  const at = Date.now()
  const sealed = {
    sealedSecrets: sealSecrets(vault, endpointId, newSecrets()),
    sealedHeaders: sealHeaders(vault, endpointId, { authorization: 'Bearer of-a-fixture' }),
  }
  const endpoint = {
    id: endpointId,
    workspaceId,
    url: 'https://receiver.example/events',
    description: 'Desk',
    format: 'events',
  } as const
  await store.write.addWebhook({ ...endpoint, ...sealed, types: ['message.sent'], lineIds: null, createdAt: at })
  await store.write.changeWebhook({ endpointId, isOn: false, at })
  const attempt = { at, durationMs: 12, status: 500, error: null, answer: 'not now' }
  const outcome = { seq: 1, type: 'message.sent', messageSeq: 1, attempt, state: 'failed', nextAt: null } as const
  await store.write.recordAttempts({ endpointId, position: 1, outcomes: [outcome] })
}

/** What people of the console leave: a sign-in, an authenticator app with recovery codes, an invitation, a decision. */
async function people({ gateway: { store }, workspaceId }: Stack): Promise<void> {
  const [member] = await store.read.members(workspaceId)
  if (!member) throw new Error('the fixture has no user')
  const userId = member.id
  const at = Date.now()
  const expiresAt = at + dayMs
  const session = { id: newId('sess'), userId, familyHash: sha256('family'), tokenHash: sha256('token') }
  const passwordHash = (await store.read.userByEmail(member.email))?.passwordHash ?? ''
  const place = { device: 'Firefox on Linux', network: '192.0.2.0/24' }
  await store.write.openSession({ ...session, ...place, passwordHash, createdAt: at, expiresAt })

  const secondFactor = new SecondFactor({ vault: createVault(secretKey), clock: systemClock })
  const { sealedTotpSecret } = secondFactor.newSecret(userId)
  const { codeHashes } = newRecoveryCodes()
  await store.write.startTotp({ userId, sealedTotpSecret, at })
  await store.write.confirmTotp({ userId, sealedTotpSecret, step: 1, codeHashes, at })

  const rate = { country: 'DE', category: 'utility', price: 0.05, currency: 'EUR' } as const
  await store.write.setPriceRates({ workspaceId, rates: [rate], at })
  await store.write.putAwayFinding({ workspaceId, finding: 'a finding', by: member.email, at })

  const invited = await store.write.invite({
    id: newId('inv'),
    workspaceId,
    email: 'grace@example.com',
    role: 'member',
    invitedBy: member.email,
    byUserId: userId,
    tokenHash: sha256('invitation'),
    createdAt: at,
    expiresAt,
  })
  if (invited.outcome !== 'invited') throw new Error(`the invitation of the fixture is ${invited.outcome}`)
}

/** What an operator does beside a running gateway; each leaves its line in the audit. */
async function commands(stack: Stack, dataDir: string): Promise<void> {
  const lines = [
    ['user', 'create', '--workspace', stack.workspaceId, '--email', 'ada@example.com', '--role', 'admin'],
    ['contact', 'add', '--workspace', stack.workspaceId, '--phone', '+4930123456', '--name', 'Grace'],
    ['workspace', 'set-limit', stack.workspaceId, '--monthly-limit', '100000'],
  ]
  for (const line of lines) {
    const env = { PATH: '/usr/bin:/bin', DATA_DIR: dataDir, SECRET_KEY: secretKey }
    const child = Bun.spawn([process.execPath, main, ...line, '--json'], { env, stdout: 'ignore', stderr: 'pipe' })
    const [code, says] = await Promise.all([child.exited, child.stderr.text()])
    if (code !== 0) throw new Error(`waypost ${line.join(' ')}: ${says}`)
  }
}

const deliveredNow = (id: string) =>
  statusCallback({ id, status: 'delivered', timestamp: String(Math.floor(Date.now() / 1000)), recipient_id: '1' })

function statusesIn(file: string): { id: string; status: string }[] {
  using client = new Database(file, { readonly: true })
  return client.query<{ id: string; status: string }, []>('SELECT id, status FROM messages ORDER BY seq').all()
}

/** @param empty tables whose rows would be migrated without anybody noticing what becomes of them */
const unused = (empty: readonly string[]) =>
  `no row is in ${empty.join(', ')}: use the feature in test/upgrade/makeFixture.ts before the release`

const known = readFixtures().find(fixture => fixture.version === version)
if (known?.isFrozen) {
  process.stderr.write(`${version} is released: its fixture never changes. Raise the version in package.json first.\n`)
  process.exit(1)
}
if (process.argv.includes('--freeze')) {
  if (!known) throw new Error(`there is no fixture of ${version} yet`)
  const file = join(mkdtempSync(join(tmpdir(), 'waypost-fixture-')), 'waypost.db')
  unpack(known, file)
  const empty = emptyTables(file)
  rmSync(dirname(file), { recursive: true })
  if (empty.length > 0) throw new Error(unused(empty))
  writeNotes({ ...known, isFrozen: true, postgresMigrations: appliedOf(MIGRATIONS) })
} else await make()
