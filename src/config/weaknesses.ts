import { isOwnMachine } from '../base/network.ts'
import type { Config } from './config.ts'
import type { DatabaseUrl } from './databaseUrl.ts'

/** `openssl rand -hex 16`, or 24 bytes of base64: 128 bits and more, when they are random. */
const strongKeyLengthMin = 32
/** 32 random hex digits nearly always have more; a repeated word or digit has fewer. */
const strongKeyLettersMin = 10

/** @returns why what is stored and read is not safe on its way to a server; null when it is */
export function weakConnection({ isRemote, host, sslMode }: DatabaseUrl): string | null {
  if (!isRemote) return null
  if (sslMode === 'disable') {
    // A name without a dot is one of the network that containers share on a machine (compose.postgres.yaml).
    if (!/[.:]/.test(host)) return null
    return (
      'DATABASE_URL leads to another machine without TLS: messages and sign-ins cross the network unencrypted. ' +
      'Add ?sslmode=verify-full.'
    )
  }
  if (sslMode === 'require') {
    return (
      'DATABASE_URL has sslmode=require: nobody checks that the server is the right one, so that another machine can ' +
      'take its place. Use verify-full.'
    )
  }
  return null
}

/** Whether what is sent to an address leaves this machine as plain text. */
function isPlainHttp(address: string | null): boolean {
  if (address === null) return false
  const { protocol, hostname } = new URL(address)
  return protocol === 'http:' && !isOwnMachine(hostname.replace(/^\[|\]$/g, ''))
}

export type JudgedConfig = Pick<Config, 'channelApiUrl' | 'databaseUrl' | 'publicUrl' | 'host' | 'trustProxy'>

/**
 * What a start warns of, and the doctor finds. No value of a setting is in it: members of a workspace may see it.
 * @param secretKey null: it is not known
 * @returns settings that work but endanger secrets
 */
export function weaknessesOf(config: JudgedConfig, secretKey: string | null): string[] {
  const { channelApiUrl, databaseUrl, publicUrl, host, trustProxy } = config
  const weaknesses: string[] = []
  if (isPlainHttp(publicUrl)) {
    weaknesses.push(
      'PUBLIC_URL begins with http://: passwords, API keys and messages cross the network unencrypted. Let a proxy ' +
        'speak https:// in front of the gateway.',
    )
  }
  if (!isOwnMachine(host) && trustProxy.length === 0) {
    weaknesses.push(
      'HOST lets other machines send requests, unencrypted, and TRUST_PROXY names no proxy: behind one, all callers ' +
        'count as one. Name the proxy, or set HOST=127.0.0.1.',
    )
  }
  if (isPlainHttp(channelApiUrl)) {
    weaknesses.push(
      'CHANNEL_API_URL begins with http:// and leads to another machine: access tokens and messages cross the ' +
        'network unencrypted. Use https://.',
    )
  }
  const onTheWay = databaseUrl && weakConnection(databaseUrl)
  if (onTheWay !== null) weaknesses.push(onTheWay)
  if (secretKey !== null && isWeak(secretKey)) {
    weaknesses.push(
      `The secret key is weak: it has fewer than ${strongKeyLengthMin} characters, or fewer than ` +
        `${strongKeyLettersMin} different ones. It seals the access tokens in the database and its backups. ` +
        'Replace it, with the gateway stopped: waypost secrets rotate',
    )
  }
  return weaknesses
}

const isWeak = (key: string) => key.length < strongKeyLengthMin || new Set(key).size < strongKeyLettersMin
