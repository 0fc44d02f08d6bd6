import type { Cause } from '../transport/cause.ts'
import type { NoAnswer } from '../transport/transport.ts'

/** What the operator looks at. */
const cures: Readonly<Record<Cause, string>> = {
  name: 'Check CHANNEL_API_URL, and whether this machine can look up names (DNS)',
  nameServer: 'Check whether this machine can look up names (DNS)',
  refused: 'Check the host and the port of CHANNEL_API_URL',
  noWay: 'Check the network of this machine, and the host of CHANNEL_API_URL',
  certificate:
    'Check CHANNEL_API_URL, the time of this machine, and whether a proxy on the way has a certificate of its own ' +
    '(NODE_EXTRA_CA_CERTS names a file of authorities to trust)',
  noTls: 'Check CHANNEL_API_URL: with https:// its server must speak TLS at this port',
  closed: 'Check the host and the port of CHANNEL_API_URL, and what is on the way to it: a firewall or a proxy',
  noHttp: 'Check the host and the port of CHANNEL_API_URL: another program answers there',
  silence: 'Check the host of CHANNEL_API_URL, and what is on the way to it: a firewall or a proxy',
}

/** @returns why the upstream gave no answer, and what to do about it: for the operator alone */
export const whyUnreached = ({ why, cause }: NoAnswer): string =>
  cause === undefined ? why : `${why}. ${cures[cause]}`
