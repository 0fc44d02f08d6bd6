import { GatewayRefusal, MessageFailed, WaypostClient } from '@waypost/client'

/*
 * What the README of the client promises, against a running gateway; `KIT` holds its address and key. It is run by Node
 * and by Bun, and prints what it saw.
 */
const kit = JSON.parse(process.env.KIT ?? '{}')
const gateway = new WaypostClient({ url: kit.url, apiKey: kit.apiKey, apiSecret: kit.apiSecret })

const text = { type: 'text' as const, phone: '+15550150100', content: 'Your parcel is on its way.' }
const sent = await gateway.send({ ...text, idempotencyKey: 'order-1' })
const read = await gateway.waitFor(sent.id, 'READ')
const replay = await gateway.send({ ...text, idempotencyKey: 'order-1' })
const templates = await gateway.templates({ name: 'order_confirmation' })
const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error: unknown) => (error instanceof GatewayRefusal ? error.code : String(error)),
  )
const conflict = await codeOf(gateway.send({ ...text, content: 'Another', idempotencyKey: 'order-1' }))
const unknown = await codeOf(gateway.status('msg_nothing'))
const stranger = await codeOf(
  new WaypostClient({ url: kit.url, apiKey: kit.apiKey, apiSecret: 'sk_wrong' }).templates(),
)
const failing = await gateway.send({ ...text, phone: '+15550111026' })
const failed = await gateway.waitFor(failing.id, 'DELIVERED').catch(error => error instanceof MessageFailed)

process.stdout.write(
  JSON.stringify({
    sent: sent.status,
    read: read.status,
    isReplay: replay.idempotentReplay && replay.id === sent.id,
    templates: [...new Set(templates.map(({ name }) => name))],
    conflict,
    unknown,
    stranger,
    failed,
  }),
)
