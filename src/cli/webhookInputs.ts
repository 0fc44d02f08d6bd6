import type { WebhookEndpoint } from '../../db/contract/webhooks.ts'
import type { Vault } from '../base/crypto.ts'
import type { Actor } from '../operations/act.ts'
import { type WebhookParts, webhookOf } from '../operations/webhooks.ts'
import { createWebhookAddresses } from '../webhooks/address.ts'
import { type Attempts, createAttempts } from '../webhooks/attempt.ts'
import { done, UsageError } from './failure.ts'
import type { Reader } from './inputs.ts'
import { commandLine } from './output.ts'
import { readFrom } from './secretInput.ts'
import type { Session } from './session.ts'
import { version } from './version.ts'

/** A header as people write it. Its value may be a secret, which no error repeats. */
export const header: Reader<readonly string[]> = {
  placeholder: 'Name: value',
  isList: true,
  read: text => [text],
}

/**
 * @returns the headers of the options or of the file; null when neither was given
 * @throws UsageError for both, or a line without a colon
 */
export async function givenHeaders(sources: {
  readonly header: readonly string[] | undefined
  readonly headersFile: string | undefined
}): Promise<Record<string, string> | null> {
  const { header, headersFile } = sources
  if (header !== undefined && headersFile !== undefined) {
    throw new UsageError('Give either --header or --headers-file, not both')
  }
  const text = headersFile === undefined ? header?.join('\n') : await readFrom(headersFile, 'headers')
  if (text === undefined) return null
  const headers: Record<string, string> = {}
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue
    const at = line.indexOf(':')
    if (at === -1) throw new UsageError("A header is a name, a colon and a value, as in 'Authorization: Bearer …'")
    headers[line.slice(0, at).trim()] = line.slice(at + 1).trim()
  }
  return headers
}

export const webhookParts = ({ config }: Pick<Session, 'config'>, vault: Vault): WebhookParts => ({
  vault,
  addresses: createWebhookAddresses(config.webhookAllowedNetworks),
  attempts: { verify: challenge => closing(config, attempts => attempts.verify(challenge)) },
  verifications: { run: (_workspaceId, work) => work() },
})

/** @returns what the work does with attempts that are closed afterwards: an open connection would keep the command */
export async function closing<Result>(
  { webhookAllowedNetworks: networks }: Pick<Session['config'], 'webhookAllowedNetworks'>,
  work: (attempts: Attempts) => Promise<Result>,
): Promise<Result> {
  const attempts = createAttempts({ networks, version })
  return work(attempts).finally(() => attempts.close())
}

/** @throws CommandError when there is none */
export const endpointOf = async (actor: Actor, webhookId: string): Promise<WebhookEndpoint> =>
  done(await webhookOf(actor, webhookId))

/**
 * @param cleared what an option says that takes it away
 * @returns the new value; undefined: it stays
 * @throws UsageError for both
 */
export function replaced<Value>(given: Value | undefined, cleared: Value | undefined, options: string) {
  if (given !== undefined && cleared !== undefined) throw new UsageError(`Give one of ${options}, not both`)
  return given === undefined ? cleared : given
}

/** What to type when the secret is lost. */
export const rotateFirst = (webhookId: string) => `First: ${commandLine(`webhook rotate ${webhookId}`)}`
