import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Control, createControl } from './control.ts'
import { graphApp } from './http/graph.ts'
import { createListener } from './http/listener.ts'
import { controlApp } from './http/routes.ts'
import { createSandboxState, type SandboxOptions } from './state/sandboxState.ts'

export { SANDBOX } from './state/defaults.ts'
export type { Control, SandboxOptions }

/** A running stand-in. */
export interface RunningSandbox {
  readonly url: string
  readonly port: number
  /** The control routes without HTTP, for tests in the same process. */
  readonly control: Control
  stop(): Promise<void>
}

const noFurtherReset = async () => {}

/** Longer than clients keep idle connections: a connection closed at the moment of its reuse looks like a lost send. */
const keepAliveMs = 75_000

/**
 * Starts a stand-in upstream platform. `node:http` and not the framework's own server holds the sockets, because some
 * faults need them: a reset before or within an answer, a trickle, a hang.
 * @throws Error when the port is taken
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<RunningSandbox> {
  const host = options.host ?? '127.0.0.1'
  const state = createSandboxState(options)
  const tcpPort = {
    close: () => closeServer(),
    open: () => listen(port),
  }
  const control = createControl(state, tcpPort)
  const listener = createListener(state, {
    graph: graphApp(state),
    control: controlApp({ state, control, onReset: options.onReset ?? noFurtherReset }),
  })
  const server = createServer((request: IncomingMessage, response: ServerResponse) =>
    listener.receive(request, response),
  )
  server.keepAliveTimeout = keepAliveMs

  const listen = (wanted: number) =>
    new Promise<void>((resolve, reject) => {
      const failed = (error: Error) => {
        server.off('listening', succeeded)
        reject(error)
      }
      const succeeded = () => {
        server.off('error', failed)
        resolve()
      }
      server.once('error', failed).once('listening', succeeded).listen(wanted, host)
    })
  const closeServer = () =>
    new Promise<void>(resolve => {
      server.close(() => resolve())
      server.closeAllConnections()
    })

  await listen(options.port ?? 0)
  const port = portOf(server.address())
  state.origin = `http://${host.includes(':') ? `[${host}]` : host}:${port}`
  return {
    url: state.origin,
    port,
    control,
    async stop() {
      state.stop()
      listener.stop()
      control.stop()
      await closeServer()
    },
  }
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('the sandbox has no TCP address')
  return address.port
}
