import type { StoreWrites } from '../../db/store.ts'
import { type WebhookEndpoint, webhooksMax } from '../../db/webhooks.ts'
import type { Vault } from '../crypto/crypto.ts'
import type { Issue } from '../errors.ts'
import type { EventType } from '../events.ts'
import { newId } from '../ids.ts'
import type { EpochMs } from '../time/clock.ts'
import type { WebhookAddresses } from './address.ts'
import { ownHeadersProblem } from './headers.ts'
import { newSecrets, openSecrets, rotatedSecrets, sealHeaders, sealSecrets } from './secrets.ts'

/*
 * What commands and the console change at endpoints, alike.
 */

/** What a person says of an endpoint. */
export interface WebhookDraft {
  readonly url: string
  readonly description: string | null
  readonly types: readonly EventType[] | null
  readonly lineIds: readonly string[] | null
  /** The caller's own, with each request. */
  readonly headers: Readonly<Record<string, string>>
}

export interface EndpointParts {
  readonly vault: Vault
  readonly addresses: Pick<WebhookAddresses, 'hintOf'>
}

/** What was said is wrong, by the fields of the draft. Nothing was changed. */
interface Invalid {
  readonly outcome: 'invalid'
  readonly issues: readonly Issue[]
}

const unknownLine: Invalid = {
  outcome: 'invalid',
  issues: [{ path: '/lineIds', message: 'one of the lines is none of this workspace' }],
}

/** @returns what is wrong, in words for people */
async function issuesOf(
  { addresses }: Pick<EndpointParts, 'addresses'>,
  { url, headers }: { readonly url?: string; readonly headers?: WebhookDraft['headers'] | undefined },
): Promise<Issue[]> {
  const problems = [
    ['/url', url === undefined ? null : await addresses.hintOf(url)],
    ['/headers', headers === undefined ? null : ownHeadersProblem(headers)],
  ] as const
  return problems.flatMap(([path, message]) => (message === null ? [] : [{ path, message }]))
}

/** A type or a line that is named twice counts once. */
const withoutDoubles = <Draft extends Partial<Pick<WebhookDraft, 'types' | 'lineIds'>>>(draft: Draft): Draft => ({
  ...draft,
  ...(draft.types && { types: [...new Set(draft.types)] }),
  ...(draft.lineIds && { lineIds: [...new Set(draft.lineIds)] }),
})

/** Said where a workspace has all the endpoints that it may have. */
export const tooManyWebhooks = `The workspace has ${webhooksMax} endpoints already, which is as many as it may have. Remove one first.`

/** @returns the endpoint with its secret, which is not shown again */
export async function addWebhook(
  parts: EndpointParts,
  write: Pick<StoreWrites, 'addWebhook'>,
  { headers, ...draft }: WebhookDraft,
  { workspaceId, at }: { readonly workspaceId: string; readonly at: EpochMs },
): Promise<
  | { readonly outcome: 'added'; readonly webhook: WebhookEndpoint; readonly secret: string }
  | Invalid
  | { readonly outcome: 'unknownWorkspace' | 'tooMany' }
> {
  const issues = await issuesOf(parts, { ...draft, headers })
  if (issues.length > 0) return { outcome: 'invalid', issues }
  const id = newId('hook')
  const secrets = newSecrets()
  const sealedSecrets = sealSecrets(parts.vault, id, secrets)
  const sealedHeaders = sealHeaders(parts.vault, id, headers)
  const what = withoutDoubles(draft)
  const added = await write.addWebhook({ id, workspaceId, ...what, sealedSecrets, sealedHeaders, createdAt: at })
  if (added.outcome === 'added') return { ...added, secret: secrets[0].secret }
  return added.outcome === 'unknownLine' ? unknownLine : { outcome: added.outcome }
}

/** Changes only the given fields; a new address drops headers that are not given again, see the store. */
export async function changeWebhook(
  parts: EndpointParts,
  write: Pick<StoreWrites, 'changeWebhook'>,
  { headers, ...draft }: Partial<WebhookDraft> & { readonly isOn?: boolean },
  { webhookId: endpointId, at }: { readonly webhookId: string; readonly at: EpochMs },
): Promise<
  | { readonly outcome: 'changed'; readonly webhook: WebhookEndpoint; readonly hasDroppedHeaders: boolean }
  | Invalid
  | { readonly outcome: 'unknownWebhook' | 'secretLost' }
> {
  const issues = await issuesOf(parts, { ...draft, headers })
  if (issues.length > 0) return { outcome: 'invalid', issues }
  const sealed = headers && { sealedHeaders: sealHeaders(parts.vault, endpointId, headers) }
  const changed = await write.changeWebhook({ endpointId, ...withoutDoubles(draft), ...sealed, at })
  if (changed.outcome === 'changed') return changed
  return changed.outcome === 'unknownLine' ? unknownLine : { outcome: changed.outcome }
}

/**
 * Makes a new secret; the one before it signs too for a while.
 * @returns null when the secrets were changed at the same moment: nothing was changed
 */
export async function rotateWebhook(
  { vault }: Pick<EndpointParts, 'vault'>,
  write: Pick<StoreWrites, 'replaceWebhookSecrets'>,
  webhook: WebhookEndpoint,
  { graceMs, at }: { readonly graceMs: number; readonly at: EpochMs },
): Promise<{ readonly secret: string; readonly formerUntil: EpochMs | null } | null> {
  const { id: endpointId, sealedSecrets: former } = webhook
  const secrets = rotatedSecrets(openSecrets(vault, webhook), { graceMs, at })
  const sealedSecrets = sealSecrets(vault, endpointId, secrets)
  const isReplaced = await write.replaceWebhookSecrets({ endpointId, former, sealedSecrets })
  if (!isReplaced) return null
  return { secret: secrets[0].secret, formerUntil: former === null || graceMs === 0 ? null : at + graceMs }
}
