import pc from 'picocolors'
import type { Config } from '../config/config.ts'
import { offerSetupLink } from '../console/setup/link.ts'
import { SANDBOX } from '../sandbox/state/defaults.ts'
import type { messageView } from '../sending/view.ts'
import type { Gateway } from '../serve.ts'
import { type Clock, wait } from '../time/clock.ts'
import type { Voice } from './command.ts'
import { type DemoSetup, setUpDemo } from './demoSetup.ts'
import type { Answer } from './output.ts'
import { withChannelClient } from './session.ts'

/** Each poll counts against the rate limits like any request, so not too often. */
const pollMs = 400
/** The sandbox reads a message within a second or so; a machine under load may take longer. */
const readMsMax = 30_000

/**
 * Sets up the demo, sends two messages and follows them to READ.
 * @param tell prints each step
 * @param setAppCallback sets the callback address of the sandbox's app
 * @returns the addresses, keys and lines to try
 */
export async function present(
  gateway: Gateway,
  config: Config,
  tell: Voice['tell'],
  setAppCallback: (address: string) => void,
): Promise<Answer> {
  const { clock } = gateway.store
  const { url } = gateway
  const setup = await withChannelClient(config, client =>
    setUpDemo({ ...gateway, client, clock, gatewayUrl: url, setAppCallback }),
  )

  await tell(`
  ${pc.bold('Waypost')} listens on ${pc.cyan(url)}, with the sandbox as its channel.

  ${pc.dim('workspace')}  ${setup.workspace.name} ${pc.dim(setup.workspace.id)}
  ${pc.dim('line')}       ${SANDBOX.lines[0].number}
  ${pc.dim('contact')}    ${setup.contact.name} ${setup.contact.phone} ${pc.dim(setup.contact.id)}
  ${pc.dim('templates')}  ${setup.templates} approved
`)
  const follow = (what: string, body: unknown) => followToRead({ url, setup, clock, tell }, what, body)
  const text = { type: 'text', contactId: setup.contact.id, content: 'Your parcel is on its way.' }
  const messages = [await follow('a text', text), await follow('a template', demoTemplate(setup))]
  const { workspace, contact, apiKey, apiSecret } = setup
  // Without a user yet, the link that makes the first.
  const consoleUrl = (await offerSetupLink(gateway.store, { base: url, clock })) ?? `${url}/console`
  const { dataDir } = config
  return {
    data: {
      url,
      consoleUrl,
      sandboxUrl: config.channelApiUrl,
      dataDir,
      workspaceId: workspace.id,
      contactId: contact.id,
      apiKey,
      apiSecret,
      messages,
    },
    text: whatNext({ url, consoleUrl }, setup, config),
  }
}

const demoTemplate = ({ contact }: DemoSetup) => ({
  type: 'template',
  contactId: contact.id,
  templateName: 'order_confirmation',
  templateLanguage: 'en_US',
  templateVariables: { '1': '1001', '2': 'Ada' },
})

type ShownMessage = ReturnType<typeof messageView>

interface Stage {
  readonly url: string
  readonly setup: DemoSetup
  readonly clock: Clock
  readonly tell: Voice['tell']
}

/** Sends one message through the public API and prints each state as it comes. @returns the message once it is READ */
async function followToRead({ url, setup, clock, tell }: Stage, what: string, body: unknown): Promise<ShownMessage> {
  await tell(`  ${pc.green('POST')} /api/v1/public/messages/send  ${pc.dim(JSON.stringify(body))}`)
  const sent = await call(`${url}/api/v1/public/messages/send`, setup, body)
  await tell(`       ${pc.bold(String(sent.status))}  ${pc.dim(sent.message.id)}`)
  const shown = new Set<string>()
  const until = clock.now() + readMsMax
  for (let message = sent.message; ; message = (await poll(url, setup, message.id)).message) {
    for (const [state, at] of states(message)) {
      if (at === null || shown.has(state)) continue
      shown.add(state)
      // The upstream's times are whole seconds, so all times are shown in seconds.
      await tell(`       ${pc.cyan(state.padEnd(10))}${pc.dim(at.slice(11, 19))}`)
    }
    if (message.status === 'READ') {
      await tell('')
      return message
    }
    if (clock.now() > until) throw new Error(`${what} was not read within ${readMsMax / 1000} s`)
    await wait(clock, pollMs)
  }
}

const states = ({ sentAt, deliveredAt, readAt }: ShownMessage): [string, string | null][] => [
  ['SENT', sentAt],
  ['DELIVERED', deliveredAt],
  ['READ', readAt],
]

const poll = (url: string, setup: DemoSetup, id: string) => call(`${url}/api/v1/public/messages/${id}`, setup)

async function call(url: string, { apiKey, apiSecret }: DemoSetup, body?: unknown) {
  const response = await fetch(url, {
    // Without a proxy of the environment, which does not reach this machine.
    proxy: false,
    headers: { apiKey, apiSecret, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
  })
  const answer = (await response.json()) as { data?: ShownMessage; message?: string }
  if (!answer.data) throw new Error(`the gateway answered ${response.status}: ${answer.message}`)
  return { status: response.status, message: answer.data }
}

interface Addresses {
  readonly url: string
  readonly consoleUrl: string
}

function whatNext(
  { url, consoleUrl }: Addresses,
  { apiKey, apiSecret, contact }: DemoSetup,
  { dataDir, channelApiUrl }: Config,
): string {
  const keys = `-H 'apiKey: ${apiKey}' -H 'apiSecret: ${apiSecret}'`
  const text = JSON.stringify({ type: 'text', phone: contact.phone, content: 'Hello from curl.' })
  return `  ${pc.bold('Now you.')} These lines work as they are:

curl -s ${url}/api/v1/public/messages/send ${keys} -H 'Content-Type: application/json' -d '${text}'

curl -s ${url}/api/v1/public/templates ${keys}

  console        ${pc.cyan(consoleUrl)}
  API reference  ${pc.cyan(`${url}/docs`)}
  guides         ${pc.cyan(`${url}/docs/guides`)}
  sandbox        ${pc.cyan(`${channelApiUrl}/sandbox`)}
  data           ${dataDir}
  limits         a real gateway takes 100 requests from an address and 300 with a key in 15 minutes,
                 unless PUBLIC_IP_RATE_LIMIT and PUBLIC_API_KEY_RATE_LIMIT say otherwise
  stop           Ctrl+C
`
}
