import type { Command } from 'commander'
import { dayMs } from '../base/durations.ts'
import { messageOf } from '../base/errors.ts'
import { portMax } from '../config/config.ts'
import { MAGIC_GUIDE } from '../sandbox/faults/magic.ts'
import type { RunningSandbox, SandboxOptions } from '../sandbox/server.ts'
import { DELAYS, SANDBOX } from '../sandbox/state/defaults.ts'
import { addVerb, type Voice } from './command.ts'
import type { DemoAccount } from './demoSetup.ts'
import { CommandError, UsageError } from './failure.ts'
import { httpUrl, id, optional, text, toggle, whole, withDefault } from './inputs.ts'
import { type Answer, fields, table } from './output.ts'
import type { Workbench } from './session.ts'
import { stopSignal } from './signal.ts'
import { startTestingKit, type TestingKit } from './testingKit.ts'

const portDefault = 8090
const gatewayPortDefault = 8080
/** A day: no test waits longer for a callback of the sandbox. */
const delayMsMax = dayMs
/** The defaults of the help. When only one of them is given, the other follows it. */
const delivered = `default: ${DELAYS.deliveredAfterMs}, or half of --read-after-ms where that is less`
const read =
  `default: ${DELAYS.readAfterMs}, or ${DELAYS.readAfterMs - DELAYS.deliveredAfterMs} more than ` +
  '--delivered-after-ms'

export function sandboxCommand(program: Command, { environment }: Pick<Workbench, 'environment'>): void {
  addVerb(program, {
    name: 'sandbox',
    summary: 'run a stand-in for the upstream platform: no account needed, nothing leaves this machine',
    example: 'sandbox --port 8090',
    inputs: {
      host: withDefault(text('address'), '127.0.0.1', 'the address to listen on'),
      port: withDefault(whole(0, portMax), portDefault, 'the port to listen on; 0: any free one'),
      callbackUrl: optional(httpUrl, 'the callback address until an account is subscribed'),
      deliveredAfterMs: optional(whole(0, delayMsMax), `how long a message takes to be delivered (${delivered})`),
      readAfterMs: optional(whole(0, delayMsMax), `how long a message takes to be read (${read})`),
      accountId: withDefault(id, SANDBOX.accountId, 'the id of its account'),
      accessToken: withDefault(text('token'), SANDBOX.accessToken, 'the access token that it takes'),
      appSecret: withDefault(text('secret'), SANDBOX.appSecret, 'the secret that signs its callbacks'),
      gateway: toggle('start a gateway on it too, ready to send, without limits: for automated tests'),
      gatewayPort: withDefault(whole(0, portMax), gatewayPortDefault, 'the port of that gateway; 0: any free one'),
    },
    async run({ callbackUrl, deliveredAfterMs, readAfterMs, gateway, gatewayPort, ...rest }, { announce }) {
      if (deliveredAfterMs !== undefined && readAfterMs !== undefined && readAfterMs < deliveredAfterMs) {
        throw new UsageError('--read-after-ms must not be shorter than --delivered-after-ms')
      }
      // Listens for signals first: a signal during the start must not kill it halfway.
      const stopped = stopSignal()
      const options = {
        ...rest,
        ...(callbackUrl !== undefined && { callbackUrl }),
        ...(deliveredAfterMs !== undefined && { deliveredAfterMs }),
        ...(readAfterMs !== undefined && { readAfterMs }),
      }
      if (gateway) {
        await runTestingKit(options, { port: gatewayPort, environment: environment() }, stopped, announce)
        return undefined
      }
      const sandbox = await start(options)
      const { accountId, accessToken, appSecret } = rest
      const account = { url: sandbox.url, accountId, accessToken, appSecret }
      await announce({
        data: { ...account, lines: SANDBOX.lines, magicRecipients: MAGIC_GUIDE },
        text: [
          'The sandbox is running. Stop it with Ctrl-C.',
          '',
          fields({
            address: account.url,
            'account id': accountId,
            'access token': accessToken,
            'app secret': appSecret,
            pictures: `${account.url}/sandbox/files/image`,
            ...Object.fromEntries(
              SANDBOX.lines.map(({ upstreamPhoneId, number }) => [`line ${number}`, upstreamPhoneId]),
            ),
          }),
          '',
          `Next: export CHANNEL_API_URL=${account.url} for every command of the gateway, connect a channel, ` +
            'add a line,',
          'and while the gateway runs: PUBLIC_URL=http://127.0.0.1:8080 waypost channel subscribe chan_…',
          'Everything is kept in memory: subscribe again after a restart of the sandbox.',
          '',
          'Recipients with special behaviour (messages to all other numbers are sent, delivered and read):',
          '',
          table({ number: 'number', 'what happens': 'what' }, MAGIC_GUIDE),
        ].join('\n'),
      })
      await stopped
      await sandbox.stop()
      return undefined
    },
  })
}

/** Runs the sandbox and a gateway on it until the signal. @throws CommandError when one cannot start or go on */
async function runTestingKit(
  options: SandboxOptions & DemoAccount,
  gateway: Parameters<typeof startTestingKit>[1],
  stopped: Promise<unknown>,
  announce: Voice['announce'],
): Promise<void> {
  const fatal = Promise.withResolvers<never>()
  // Handled until it is awaited below. A failed start is reported by the start itself.
  fatal.promise.catch(() => {})
  const kit = await reported('gateway on the sandbox', () =>
    startTestingKit(options, gateway, why => fatal.reject(new CommandError(why))),
  )
  await announce(kitAnswer(kit))
  await Promise.race([stopped, fatal.promise])
  await kit.stop()
}

const kitAnswer = ({ details }: TestingKit): Answer => ({
  data: details,
  text: [
    'The sandbox and a gateway on it are running. Stop them with Ctrl-C.',
    '',
    fields({
      gateway: details.url,
      'api key': details.apiKey,
      'api secret': details.apiSecret,
      'control routes': details.control,
      pictures: `${details.control}/files/image`,
      'phone number id': details.phoneNumberId,
      'contact id': details.contactId,
      'settings for commands': `--env-file ${details.envFile}`,
    }),
    '',
    `POST ${details.control}/reset resets both; addresses, ids and key stay the same.`,
  ].join('\n'),
})

const start = (options: SandboxOptions): Promise<RunningSandbox> =>
  reported('sandbox', async () => {
    // Loaded only here, so that no other command loads an HTTP framework.
    const { startSandbox } = await import('../sandbox/server.ts')
    return startSandbox(options)
  })

/** @throws CommandError that says what could not start, and why */
async function reported<Started>(what: string, starting: () => Promise<Started>): Promise<Started> {
  try {
    return await starting()
  } catch (cause) {
    throw new CommandError(`The ${what} cannot start: ${messageOf(cause)}`, { cause })
  }
}
