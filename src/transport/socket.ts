import net, { type LookupFunction, type Socket } from 'node:net'
import tls from 'node:tls'

/** Who is called, and how. */
export interface FarEnd {
  readonly url: URL
  /** The authorities to trust instead of the system's, in PEM. */
  readonly ca?: string | undefined
  /** Resolves the name instead of the system. */
  readonly lookup?: LookupFunction | undefined
}

/** How the far end proves its name. Set here, because the environment could change the defaults. */
const proof = { rejectUnauthorized: true, ALPNProtocols: ['http/1.1'] }

/**
 * Connects. No session of TLS is resumed: the certificate would not be checked again.
 * @param onEnd called once: null when the connection is open and the far end has proved its name, otherwise why not
 */
export function openSocket({ url, ca, lookup }: FarEnd, onEnd: (failure: Error | null) => void): Socket {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const isSecure = url.protocol === 'https:'
  const address = {
    host,
    port: Number(url.port) || (isSecure ? 443 : 80),
    ...(lookup && { lookup }),
    allowHalfOpen: true,
  }
  const socket = isSecure
    ? tls.connect({ ...address, ...proof, servername: net.isIP(host) ? '' : host, ...(ca !== undefined && { ca }) })
    : net.connect(address)
  let isOver = false
  function finish(failure: Error | null) {
    if (isOver) return
    isOver = true
    onEnd(failure)
    if (failure) socket.destroy()
  }
  socket.setNoDelay(true)
  // It stays, so that no error is without a listener.
  socket.on('error', finish)
  socket.once('close', () => finish(new Error('the connection was closed')))
  socket.once(isSecure ? 'secureConnect' : 'connect', () => finish(refusalOf(socket, host)))
  return socket
}

/** @returns why the far end does not have the expected name. The runtime also compares; this is a second check. */
function refusalOf(socket: Socket, host: string): Error | null {
  if (!(socket instanceof tls.TLSSocket)) return null
  socket.disableRenegotiation()
  if (!socket.authorized) return new Error('the certificate could not be verified')
  return tls.checkServerIdentity(host, socket.getPeerCertificate()) ?? null
}
