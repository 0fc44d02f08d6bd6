import pc from 'picocolors'
import { type Clock, wait } from '../base/clock.ts'
import type { Config } from '../config/config.ts'
import { partnerPrefix } from '../http/calls.ts'
import { offerSetupLink } from '../operations/links.ts'
import type { Control } from '../sandbox/server.ts'
import { SANDBOX } from '../sandbox/state/defaults.ts'
import type { messageView } from '../sending/view.ts'
import type { Gateway } from '../serve.ts'
import type { Logger } from '../telemetry/log.ts'
import type { Voice } from './command.ts'
import type { DemoClock } from './demoClock.ts'
import { playDay } from './demoDay.ts'
import type { DemoReceiver, Received } from './demoReceiver.ts'
import { type DemoSetup, setUpDemo } from './demoSetup.ts'
import type { Answer } from './output.ts'
import { withChannelClient } from './session.ts'

/** Between two looks at what the receiver has. */
const lookMs = 50
/** The sandbox reads a message within a second or so; a machine under load may take longer. */
const readMsMax = 30_000

/**
 * Sets up the demo, plays the day of a shop in a new one, then sends two messages and follows them to READ, as the
 * receiver of webhooks is told.
 * @param parts.tell prints each step
 * @param parts.control that of the sandbox
 * @returns the addresses, keys and lines to try
 */
export async function present({
  gateway,
  config,
  receiver,
  tell,
  control,
  clock,
  isNew,
  log,
}: {
  readonly gateway: Gateway
  readonly config: Config
  readonly receiver: DemoReceiver
  readonly tell: Voice['tell']
  readonly control: Control
  readonly clock: DemoClock
  readonly isNew: boolean
  readonly log: Logger
}): Promise<Answer> {
  const { url } = gateway
  const setup = await withChannelClient(config, client =>
    setUpDemo({ ...gateway, client, clock, gatewayUrl: url, setAppCallback: control.setCallbackUrl }),
  )
  if (isNew) {
    // One of its messages fails, which is meant.
    const { level } = log
    log.level = 'error'
    await playDay({
      ...{ clock, control },
      send: body => call(`${url}${partnerPrefix}/messages/send`, setup, body),
      giveFile: file => give(`${url}${partnerPrefix}/media`, setup, `${config.channelApiUrl}/sandbox/files/${file}`),
      keepFiles: () => gateway.jobs.trigger('keep-files'),
      moveConversations: () => gateway.answersOfKeys.save(),
    })
    log.level = level
    // Else usage and the numbers of templates are empty for the first minutes.
    await gateway.jobs.trigger('prune')
  }

  const arrived: Received[] = []
  let take = (event: Received) => void arrived.push(event)
  const subscription = { store: gateway.store, config, workspaceId: setup.workspace.id }
  await receiver.subscribe(subscription, event => take(event))

  await tell(`
  ${pc.bold('Waypost')} listens on ${pc.cyan(url)}, with the sandbox as its channel.

  ${pc.dim('workspace')}  ${setup.workspace.name} ${pc.dim(setup.workspace.id)}
  ${pc.dim('line')}       ${SANDBOX.lines[0].number}
  ${pc.dim('contact')}    ${setup.contact.name} ${setup.contact.phone} ${pc.dim(setup.contact.id)}
  ${pc.dim('templates')}  ${setup.templates} approved
  ${pc.dim('webhook')}    ${receiver.url} ${pc.dim('a receiver that checks each signature')}
  ${pc.dim('inbox')}      ${isNew ? 'a day of a small shop was played into it: see the console' : 'as it was'}
`)
  const follow = (what: string, body: unknown) => followToRead({ url, setup, clock, tell, arrived }, what, body)
  const text = { type: 'text', contactId: setup.contact.id, content: 'Your parcel is on its way.' }
  const messages = [await follow('a text', text), await follow('a template', demoTemplate(setup))]
  const followed = arrived.filter(({ messageId }) => messages.some(({ id }) => id === messageId))
  const events = followed.map(({ type, messageId }) => ({ type, messageId }))
  // From here on those of what is tried.
  take = event => void tell(`  ${pc.cyan('webhook')} ${event.type}  ${pc.dim(event.messageId ?? '')}`)
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
      receiverUrl: receiver.url,
      events,
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
  /** What the receiver has been told so far. */
  readonly arrived: readonly Received[]
}

/**
 * Sends one message through the public API and prints each state as the receiver is told of it.
 * @returns the message once it is READ
 */
async function followToRead(
  { url, setup, clock, tell, arrived }: Stage,
  what: string,
  body: unknown,
): Promise<ShownMessage> {
  await tell(`  ${pc.green('POST')} ${partnerPrefix}/messages/send  ${pc.dim(JSON.stringify(body))}`)
  const sent = await call(`${url}${partnerPrefix}/messages/send`, setup, body)
  await tell(`       ${pc.bold(String(sent.status))}  ${pc.dim(sent.message.id)}`)
  const shown = new Set<string>()
  for (const until = clock.now() + readMsMax; clock.now() < until; await wait(clock, lookMs)) {
    for (const { type, status, timestamp, messageId } of [...arrived]) {
      if (messageId !== sent.message.id || status === null || shown.has(type)) continue
      shown.add(type)
      // The upstream's times are whole seconds, so all times are shown in seconds.
      const time = pc.dim(timestamp.slice(11, 19))
      await tell(`       ${pc.cyan(status.padEnd(10))}${time}  ${pc.dim(`${type} came, signature right`)}`)
    }
    if (!shown.has('message.read')) continue
    await tell('')
    return (await call(`${url}${partnerPrefix}/messages/${sent.message.id}`, setup)).message
  }
  throw new Error(`the receiver was not told within ${readMsMax / 1000} s that ${what} was read`)
}

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

/** @returns the id of a file of the sandbox that was given to the gateway */
async function give(url: string, { apiKey, apiSecret }: DemoSetup, fileUrl: string): Promise<string> {
  const file = await (await fetch(fileUrl, { proxy: false })).blob()
  const body = new FormData()
  body.set('file', file, fileUrl.slice(fileUrl.lastIndexOf('/') + 1))
  const response = await fetch(url, { method: 'POST', proxy: false, headers: { apiKey, apiSecret }, body })
  const answer = (await response.json()) as { data?: { id: string }; message?: string }
  if (!answer.data) throw new Error(`the gateway answered ${response.status}: ${answer.message}`)
  return answer.data.id
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

curl -s ${url}${partnerPrefix}/messages/send ${keys} -H 'Content-Type: application/json' -d '${text}'

curl -s ${url}${partnerPrefix}/templates ${keys}

  console        ${pc.cyan(consoleUrl)}
  API reference  ${pc.cyan(`${url}/docs`)}
  guides         ${pc.cyan(`${url}/docs/guides`)}
  sandbox        ${pc.cyan(`${channelApiUrl}/sandbox`)} ${pc.dim('the phone of a recipient, in a browser')}
  pictures       ${pc.cyan(`${channelApiUrl}/sandbox/files/image`)}
  data           ${dataDir}
  limits         a real gateway takes 100 requests from an address and 300 with a key in 15 minutes,
                 unless PUBLIC_IP_RATE_LIMIT and PUBLIC_API_KEY_RATE_LIMIT say otherwise
  stop           Ctrl+C
`
}
