import {
  type AttemptEnd,
  GatewayRefusal,
  MessageFailed,
  NoAnswer,
  type WaitedStatus,
  WaitTimeout,
  WaypostClient,
} from '@waypost/client'

/*
 * What the README of the client promises, against a running gateway; `KIT` holds its address and key, and an address
 * that redirects. It is run by Node and by Bun, and prints what it saw.
 */
const kit = JSON.parse(process.env.KIT ?? '{}')
const gateway = WaypostClient.fromEnvironment()

const text = { type: 'text' as const, phone: '+15550150100', content: 'Your parcel is on its way.' }
const sent = await gateway.send({ ...text, idempotencyKey: 'order-1' })
const read = await gateway.waitFor(sent.id, 'READ')
const queued = await gateway.waitFor(sent.id, 'QUEUED')
const replay = await gateway.send({ ...text, idempotencyKey: 'order-1' })
const templates = await gateway.templates({ name: 'order_confirmation' })
const refusalOf = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error: unknown) => (error instanceof GatewayRefusal ? [error.code, error.idempotencyKey] : String(error)),
  )
const conflict = await refusalOf(gateway.send({ ...text, content: 'Another', idempotencyKey: 'order-1' }))
const checked = await gateway.check({ ...text, content: 'Another', idempotencyKey: 'order-1' })
const unknown = await refusalOf(gateway.status('msg_nothing'))
const stranger = await refusalOf(
  new WaypostClient({ url: kit.url, apiKey: kit.apiKey, apiSecret: 'sk_wrong' }).templates(),
)
const redirected = await new WaypostClient({ ...kit, url: kit.redirecting, attemptsMax: 2 })
  .send({ ...text, idempotencyKey: 'order-2' })
  .catch(error => error instanceof NoAnswer && error.idempotencyKey)
const said = async (call: () => unknown) => {
  try {
    await call()
    return 'nothing'
  } catch (error) {
    return error instanceof TypeError ? error.message : String(error)
  }
}
const noStatus = await said(() => gateway.waitFor(sent.id, 'FAILED' as WaitedStatus))
const noAddress = new Set(
  await Promise.all(kit.noAddresses.map((url: string) => said(() => new WaypostClient({ ...kit, url })))),
)
const noKey = await said(() => new WaypostClient({ ...kit, apiSecret: `${kit.apiSecret}\n` }))
const failing = await gateway.send({ ...text, phone: '+15550111026' })
const failed = await gateway.waitFor(failing.id, 'DELIVERED').catch(error => error instanceof MessageFailed)
const { status: final } = await gateway.waitUntilFinal(failing.id)
const inHours = (hours: number) => {
  const at = new Date()
  at.setHours(at.getHours() + hours)
  return at
}
const later = await gateway.send({ ...text, sendAt: inHours(1).toISOString() })
const movedTo = inHours(2)
const moved = await gateway.reschedule(later.id, movedTo)
const isWaiting = await gateway
  .waitUntilFinal(later.id, { timeoutMs: 1 })
  .catch(error => error instanceof WaitTimeout && error.last.status)
const cancelled = [(await gateway.cancel(later.id)).status, (await gateway.cancel(later.id)).status]
const tooLate = await refusalOf(gateway.reschedule(later.id, movedTo))
const { status: ended } = await gateway.waitUntilFinal(later.id)
const neverSent = await gateway
  .waitFor(later.id, 'SENT')
  .catch(error => error instanceof MessageFailed && error.message)
const finals: string[] = []
for await (const { status } of gateway.eachFinal([sent.id, failing.id, sent.id])) finals.push(status)
const hung = await new WaypostClient({ ...kit, url: kit.hanging })
  .status(sent.id, { timeoutMs: 50, attemptsMax: 1 })
  .catch(error => error instanceof NoAnswer)

const following = new AbortController()
const steps: string[] = []
let after = ''
for await (const { id, type, sequence, data } of gateway.events({ signal: following.signal })) {
  after = id
  if (!('message' in data) || data.message?.id !== sent.id) continue
  steps.push(`${sequence} ${type} ${data.message.status}`)
  if (type === 'message.read') break
}
const page = await gateway.eventPage({ type: ['message.failed'], limit: 1 })
const [firstFailure] = page.events
const isNext = firstFailure !== undefined && firstFailure.id === page.next
const both = await gateway.eventPage({ type: ['message.failed', 'message.read'] })
const failures: boolean[] = []
for await (const { id } of gateway.messages({ contactId: undefined, status: 'FAILED', type: 'text', order: 'asc' })) {
  failures.push(id === failing.id)
}
const none = await gateway.messagePage({ reference: 'nothing' })
const listed = [[...new Set(both.events.map(({ type }) => type))].sort(), failures, none.messages]
const noEvents = await refusalOf(gateway.eventPage({ after: 'evt_nothing' }))

const answer = { kind: 'button_reply', from: text.phone, id: 'yes', title: 'Yes' }
await fetch(`${kit.control}/callbacks/inbound`, { method: 'POST', body: JSON.stringify(answer) })
let inboundId = ''
for await (const { data } of gateway.events({ after, type: ['message.received'] })) {
  if ('inbound' in data) inboundId = data.inbound.id
  break
}
const mark = await gateway.markRead(inboundId, { typing: true })
const answered = await gateway.inboundMessage(inboundId, { raw: true })
const contact = await gateway.contact(answered.contactId ?? '')
const ofContact: string[] = []
for await (const { id } of gateway.inbound({ contactId: contact.id, limit: 1 })) ofContact.push(id)
const { phone, window } = await gateway.contactByPhone(text.phone)
const inbound = [
  answered.interactive?.buttonReply?.id,
  answered.text,
  ofContact.at(-1) === inboundId,
  phone,
  window.open,
  mark.id === inboundId && mark.read && mark.typing,
]
const picture = await fetch(`${kit.control}/callbacks/inbound`, {
  method: 'POST',
  body: JSON.stringify({ kind: 'image', from: text.phone }),
})
if (!picture.ok) throw new Error(await picture.text())
let file: { id: string; state: string; size: number | null } | null = null
while (file?.state !== 'stored') {
  for await (const { media } of gateway.inbound({ after: inboundId })) file = media
  await new Promise(resolve => setTimeout(resolve, 100))
}
const whole = await gateway.media(file.id)
const bytes = await whole.bytes()
const part = await gateway.media(file.id, { range: { from: 1, to: 3 } })
const streamed: number[] = []
const reader = part.stream.getReader()
for (let read = await reader.read(); !read.done; read = await reader.read()) streamed.push(...read.value)
const rest = await (await gateway.media(file.id, { range: { from: bytes.length - 2 } })).bytes()
const media = [
  whole.type,
  whole.length === bytes.length && file.size === bytes.length && whole.range === null,
  whole.fileName?.endsWith('.jpg'),
  String(streamed) === String(bytes.slice(1, 4)),
  part.range?.from === 1 && part.range.to === 3 && part.range.size === bytes.length,
  rest.length,
  await refusalOf(gateway.media('media_nothing')),
  await refusalOf(gateway.media(file.id, { range: { from: bytes.length } })),
]
const { status: waited } = await gateway.status(sent.id, { wait: 1, for: 'READ' })
const noInbound = await refusalOf(gateway.inboundPage({ after: 'inb_nothing' }))
const journal = (await (await fetch(`${kit.control}/requests?limit=1`)).json()) as { requests: { kind: string }[] }
const given = await gateway.uploadMedia(new Blob([bytes]), { fileName: 'Beleg "1".jpg' })
const showing = await gateway.send({ type: 'image', phone: text.phone, mediaId: given.id, caption: 'As given' })
const kept = await (await gateway.media(given.id)).bytes()
const uploaded = [
  given.type,
  given.mimeType,
  given.fileName,
  given.size === bytes.length && kept.length === bytes.length,
  showing.type,
  showing.status,
  await refusalOf(gateway.uploadMedia(new Blob(['no type that can be sent \0\x01']))),
]

const told: unknown[] = []
const ends: AttemptEnd[] = []
const watched = WaypostClient.fromEnvironment({
  beforeAttempt: attempt => told.push(attempt),
  afterAttempt: end => ends.push(end),
})
await watched.send({ ...text, idempotencyKey: 'order-3' })
await refusalOf(watched.status('msg_nothing'))
const attempts = ends.map(({ method, path, attempt, idempotencyKey, status, problem }) => {
  const code = problem instanceof GatewayRefusal ? problem.code : problem
  return [method, path, attempt, idempotencyKey, status, code]
})
const secrets = [kit.apiKey, kit.apiSecret, text.phone, text.content]
delete process.env.WAYPOST_URL
process.env.WAYPOST_API_SECRET = ''
const noEnvironment = await said(() => WaypostClient.fromEnvironment())

process.stdout.write(
  JSON.stringify({
    sent: sent.status,
    read: read.status,
    queued: queued.status,
    isReplay: replay.idempotentReplay && replay.id === sent.id,
    templates: [...new Set(templates.map(({ name }) => name))],
    conflict,
    checked: [checked.sendable, checked.text, ...checked.problems.map(({ error, path }) => `${error} ${path}`)],
    unknown,
    stranger,
    redirected,
    noStatus,
    noAddress: [...noAddress],
    noKey,
    failed,
    final,
    later: [later.status, moved.sendAt === movedTo.toISOString(), isWaiting, cancelled, tooLate, ended],
    neverSent: String(neverSent).replace(later.id, 'ID'),
    finals: finals.sort(),
    hung,
    steps,
    isNext,
    noEvents,
    listed,
    inbound,
    noInbound,
    media,
    uploaded,
    waited,
    marked: journal.requests.map(({ kind }) => kind),
    noEnvironment,
    attempts,
    told: secrets.filter(secret => JSON.stringify([told, ends]).includes(secret)),
  }),
)
