import pc from 'picocolors'
import { createChannelClient } from '../channel/client.ts'
import { createTransport } from '../channel/transport.ts'
import { type Clock, systemClock, wait } from '../clock.ts'
import type { Config } from '../config.ts'
import { SANDBOX } from '../sandbox/defaults.ts'
import type { Gateway } from '../serve.ts'
import { type DemoSetup, setUpDemo } from './demoSetup.ts'

/** Each look counts against the rate limits like any request: not too often. */
const pollMs = 400
/** The sandbox reads a message within a second or so; a machine under load may take longer. */
const readMsMax = 30_000

const say = (line = '') => process.stdout.write(`${line}\n`)

/** Sets the demonstration up, sends two messages and follows them to READ, and prints all of it. */
export async function present(gateway: Gateway, config: Config): Promise<void> {
  const clock = systemClock
  const transport = createTransport(clock)
  const client = createChannelClient(transport, {
    apiUrl: config.channelApiUrl,
    apiVersion: config.channelApiVersion,
    timeoutMs: config.channelTimeoutMs,
  })
  const setup = await setUpDemo({ ...gateway, client, clock, gatewayUrl: gateway.url })
  transport.close()

  say()
  say(`  ${pc.bold('Waypost')} listens on ${pc.cyan(gateway.url)}, with the sandbox as its channel.`)
  say()
  say(`  ${pc.dim('workspace')}  ${setup.workspace.name} ${pc.dim(setup.workspace.id)}`)
  say(`  ${pc.dim('line')}       ${SANDBOX.lines[0].number}`)
  say(`  ${pc.dim('contact')}    ${setup.contact.name} ${setup.contact.phone} ${pc.dim(setup.contact.id)}`)
  say(`  ${pc.dim('templates')}  ${setup.templates} approved`)
  say()
  await follow(gateway.url, setup, clock, 'a text', {
    type: 'text',
    contactId: setup.contact.id,
    content: 'Your parcel is on its way.',
  })
  await follow(gateway.url, setup, clock, 'a template', demoTemplate(setup))
  sayWhatNext(gateway.url, setup, config.dataDir)
}

const demoTemplate = ({ contact }: DemoSetup) => ({
  type: 'template',
  contactId: contact.id,
  templateName: 'order_confirmation',
  templateLanguage: 'en_US',
  templateVariables: { '1': 'Ada', '2': '1001' },
})

interface ShownMessage {
  readonly id: string
  readonly status: string
  readonly createdAt: string
  readonly sentAt: string | null
  readonly deliveredAt: string | null
  readonly readAt: string | null
}

/** Sends one message through the public API and prints each state as it comes. */
async function follow(url: string, setup: DemoSetup, clock: Clock, what: string, body: unknown): Promise<void> {
  say(`  ${pc.green('POST')} /api/v1/public/messages/send  ${pc.dim(JSON.stringify(body))}`)
  const sent = await call(`${url}/api/v1/public/messages/send`, setup, body)
  say(`       ${pc.bold(String(sent.status))}  ${pc.dim(sent.message.id)}`)
  const shown = new Set<string>()
  const until = clock.now() + readMsMax
  for (let message = sent.message; ; message = (await poll(url, setup, message.id)).message) {
    for (const [state, at] of states(message)) {
      if (at === null || shown.has(state)) continue
      shown.add(state)
      // The upstream's times are whole seconds; ours beside them would look more exact than they are.
      say(`       ${pc.cyan(state.padEnd(10))}${pc.dim(at.slice(11, 19))}`)
    }
    if (message.status === 'READ') break
    if (clock.now() > until) throw new Error(`${what} was not read within ${readMsMax / 1000} s`)
    await wait(clock, pollMs)
  }
  say()
}

const states = ({ sentAt, deliveredAt, readAt }: ShownMessage): [string, string | null][] => [
  ['SENT', sentAt],
  ['DELIVERED', deliveredAt],
  ['READ', readAt],
]

const poll = (url: string, setup: DemoSetup, id: string) => call(`${url}/api/v1/public/messages/${id}`, setup)

async function call(url: string, { apiKey, apiSecret }: DemoSetup, body?: unknown) {
  const response = await fetch(url, {
    headers: { apiKey, apiSecret, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
  })
  const answer = (await response.json()) as { data?: ShownMessage; message?: string }
  if (!answer.data) throw new Error(`the gateway answered ${response.status}: ${answer.message}`)
  return { status: response.status, message: answer.data }
}

function sayWhatNext(url: string, { apiKey, apiSecret, contact }: DemoSetup, dataDir: string): void {
  const keys = `-H 'apiKey: ${apiKey}' -H 'apiSecret: ${apiSecret}'`
  const text = JSON.stringify({ type: 'text', phone: contact.phone, content: 'Hello from curl.' })
  say(`  ${pc.bold('Now you.')} These lines work as they are:`)
  say()
  say(`curl -s ${url}/api/v1/public/messages/send ${keys} -H 'Content-Type: application/json' -d '${text}'`)
  say()
  say(`curl -s ${url}/api/v1/public/templates ${keys}`)
  say()
  say(`  API reference  ${pc.cyan(`${url}/docs`)}`)
  say(`  data           ${dataDir}`)
  say(`  stop           Ctrl+C`)
  say()
}
