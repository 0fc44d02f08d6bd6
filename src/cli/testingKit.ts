import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newKeySecret } from '../base/ids.ts'
import { type Environment, loadConfig } from '../config/config.ts'
import type { SandboxOptions } from '../sandbox/server.ts'
import type { Gateway } from '../serve.ts'
import { createLogger } from '../telemetry/log.ts'
import { type DemoAccount, newDemoIdentity, setUpDemo } from './demoSetup.ts'
import { withChannelClient } from './session.ts'

const loopback = '127.0.0.0/8,::1/128'

export type TestingKit = Awaited<ReturnType<typeof startTestingKit>>

/**
 * A gateway on the sandbox, ready to send, without rate limits and pacing, in its own folder that is deleted at its
 * end. `POST /sandbox/reset` resets both: the gateway gets an empty database and keeps its address, ids and key.
 * @param given the port, 0: any free one, the same after each reset; the environment, of which `GRAPH_API` alone counts
 * @param onFatal the gateway cannot go on
 * @throws Error with a sentence when one of them cannot start
 */
export async function startTestingKit(
  options: SandboxOptions & DemoAccount,
  given: { readonly port: number; readonly environment: Environment },
  onFatal: (why: string) => void,
) {
  const { startSandbox } = await import('../sandbox/server.ts')
  const { startGateway } = await import('../serve.ts')
  await using opened = new AsyncDisposableStack()
  const folder = mkdtempSync(join(tmpdir(), 'waypost-testing-'))
  opened.defer(() => rmSync(folder, { recursive: true, force: true }))
  const identity = newDemoIdentity()
  const secretKey = newKeySecret()
  const envFile = join(folder, 'waypost.env')
  const { GRAPH_API } = given.environment
  const heeded = GRAPH_API === undefined ? {} : { GRAPH_API }

  const sandbox = await startSandbox({ ...options, onReset: () => beginAnew() })
  opened.defer(() => sandbox.stop())
  let gateway: Gateway = await startReady(0, given.port)
  opened.defer(() => gateway.stop())
  const { port } = new URL(gateway.url)

  let runs = 0
  let lastReset: Promise<void> = Promise.resolve()
  /** Simultaneous resets run one after another. */
  function beginAnew(): Promise<void> {
    lastReset = lastReset.then(async () => {
      runs += 1
      await gateway.stop()
      gateway = await startReady(runs, Number(port))
    })
    return lastReset
  }

  async function startReady(run: number, listenPort: number): Promise<Gateway> {
    const settings = { ...settingsOf(join(folder, String(run)), sandbox.url, secretKey), ...heeded }
    const config = loadConfig({ ...settings, PORT: String(listenPort) })
    const log = createLogger({ level: 'warn', format: config.logFormat })
    const started = await startGateway({ config, log, onFatal })
    await withChannelClient(config, client =>
      setUpDemo({
        ...started,
        client,
        clock: started.store.clock,
        gatewayUrl: started.url,
        setAppCallback: address => sandbox.control.setCallbackUrl(address),
        identity,
        account: options,
      }),
    )
    await started.store.write.changeLine({ lineId: identity.lineId, perSecond: 0, pairSeconds: 0 })
    writeEnvFile(envFile, { ...settings, PORT: new URL(started.url).port })
    return started
  }

  const { workspaceId, lineId, contactId, apiKey, apiSecret } = identity
  const running = opened.move()
  return {
    /** What a test needs to talk to both. */
    details: {
      url: gateway.url,
      apiKey,
      apiSecret,
      /** Base of the control routes. */
      control: `${sandbox.url}/sandbox`,
      workspaceId,
      phoneNumberId: lineId,
      contactId,
      /** For `waypost --env-file`: commands of a test, as `webhook add`, find this gateway by it. */
      envFile,
    },
    stop: () => running.disposeAsync(),
  }
}

/** The rest of the environment is ignored, so that a test has the same result on every machine. */
const settingsOf = (dataDir: string, channelApiUrl: string, secretKey: string): Environment => ({
  DATA_DIR: dataDir,
  SECRET_KEY: secretKey,
  CHANNEL_API_URL: channelApiUrl,
  PUBLIC_IP_RATE_LIMIT: '0',
  PUBLIC_API_KEY_RATE_LIMIT: '0',
  // Files may come from a server of the test itself, and events go to one.
  MEDIA_ALLOWED_NETWORKS: loopback,
  WEBHOOK_ALLOWED_NETWORKS: loopback,
})

/** Single quotes: within them, everything stands for itself. It has the key, and its folder is of this user alone. */
const writeEnvFile = (path: string, settings: Environment) =>
  writeFileSync(
    path,
    Object.entries(settings)
      .map(([name, value]) => `${name}='${value}'\n`)
      .join(''),
    { mode: 0o600 },
  )
