import { type DeliveryState, type WebhookEndpoint, webhooksMax } from '../../db/contract/webhooks.ts'
import type { EpochMs } from '../base/clock.ts'
import type { Vault } from '../base/crypto.ts'
import type { Refusal } from '../base/errors.ts'
import {
  askedTypes,
  type EventType,
  eventTypes,
  isPlatformType,
  platformTypes,
  webhookFormats,
} from '../base/eventTypes.ts'
import { newId, numberedId, numberIn } from '../base/ids.ts'
import { nameOf, nameRule } from '../base/names.ts'
import { orNull, type Static, Type } from '../base/schema.ts'
import { pageDefault } from '../reading/steps.ts'
import { addressCharsMax, type WebhookAddresses } from '../webhooks/address.ts'
import type { Attempts } from '../webhooks/attempt.ts'
import { type ExampleParts, sendExample } from '../webhooks/example.ts'
import { ownHeadersMax, ownHeadersProblem } from '../webhooks/headers.ts'
import type { Replays } from '../webhooks/replays.ts'
import {
  graceMsDefault,
  newSecrets,
  openSecrets,
  rotatedSecrets,
  sealHeaders,
  sealSecrets,
} from '../webhooks/secrets.ts'
import { verificationProblem } from '../webhooks/verification.ts'
import { deliveryView } from '../webhooks/view.ts'
import { type Actor, conflict, existing, notFound, ownOf, Refused, unknown, wrong, wrongField } from './act.ts'
import { lineIdsField, lineIdsProblem, nameField, unknownLine, withoutDoubles } from './fields.ts'

export interface WebhookParts {
  readonly vault: Vault
  readonly addresses: Pick<WebhookAddresses, 'hintOf'>
  readonly attempts: Pick<Attempts, 'verify'>
  readonly verifications: Verifications
}

/** Bounds the receivers that are asked at once (`UnderWay`): each may take 15 seconds. */
interface Verifications {
  run<Done>(workspaceId: string, work: () => Promise<Done>): Promise<Done | Refusal>
}

export const eventTypeField = Type.Enum([...eventTypes])

/** Far longer than anybody writes one. */
const verifyTokenCharsMax = 512

/** What a person says of an endpoint. */
export const webhookFields = {
  url: Type.String({ minLength: 1, maxLength: addressCharsMax, description: 'https, or http in an allowed network.' }),
  description: orNull(nameField),
  events: orNull(Type.Array(eventTypeField, { minItems: 1, maxItems: eventTypes.length }), {
    description:
      `The types of events that it gets; null: all but ${askedTypes.join(' and ')}, or in the format \`platform\` ` +
      'those of messages and payments.',
  }),
  lineIds: orNull(lineIdsField, {
    description: 'Only messages of these lines, and what is about no line; null: of all lines.',
  }),
  headers: Type.Record(Type.String(), Type.String(), {
    maxProperties: ownHeadersMax,
    description: 'Sent with each request, as `Authorization`. They are sealed, and never read back.',
  }),
  verifyToken: Type.String({
    minLength: 1,
    maxLength: verifyTokenCharsMax,
    description:
      'Of the format `platform`: what the receiver expects as `hub.verify_token` when it is asked for ' +
      '`hub.challenge`, once, before the address is stored. It is not kept. Left out, one is made that nobody knows.',
  }),
}

/** Chosen when an endpoint is made, and kept. */
export const formatField = Type.Enum([...webhookFormats], {
  type: 'string',
  description:
    '`events`: the events of this API. `platform`: callbacks in the form of the upstream platform, of the types that ' +
    'it has.',
})

type Draft = { readonly [Name in keyof typeof webhookFields]?: Static<(typeof webhookFields)[Name]> | undefined }
type Format = Pick<WebhookEndpoint, 'format'>

/** @returns what is wrong, in words for people; null: nothing is */
async function problemOf(
  { addresses }: WebhookParts,
  { format, url, headers, lineIds, description, events, verifyToken }: Draft & Format,
): Promise<Refused | null> {
  const problems = [
    ['/url', url === undefined ? null : await addresses.hintOf(url)],
    ['/headers', headers === undefined ? null : ownHeadersProblem(headers)],
    ['/description', description && nameOf(description) === null ? nameRule : null],
    ['/lineIds', lineIdsProblem(lineIds)],
    ['/events', format === 'platform' && !(events ?? []).every(isPlatformType) ? ofPlatform : null],
    ['/verifyToken', format === 'events' && verifyToken !== undefined ? noChallenge : null],
  ] as const
  const issues = problems.flatMap(([path, message]) => (message === null ? [] : [{ path, message }]))
  return issues.length > 0 ? wrong(issues) : null
}

const ofPlatform = `an endpoint of the format platform gets of these: ${platformTypes.join(', ')}`
const noChallenge = 'a verify token is for an endpoint of the format platform: no other receiver is asked for it'

/** Asks a receiver once, when all else is right. @returns why its address is not taken */
async function unverified(
  { attempts, verifications }: WebhookParts,
  workspaceId: string,
  { format, url, headers = {}, verifyToken }: Draft & Format & { readonly url: string },
): Promise<Refused | null> {
  if (format !== 'platform') return null
  const asked = { url, headers, verifyToken }
  const problem = await verifications.run(workspaceId, () => verificationProblem(attempts, asked))
  if (problem === null) return null
  return typeof problem === 'string' ? wrongField('/url', problem) : new Refused(problem)
}

const secretLost = () => conflict('The secret of the webhook is lost: nothing can be signed until it is rotated.')

/** The endpoint, which the actor may see. */
export const webhookOf = async (actor: Actor, webhookId: string): Promise<WebhookEndpoint | Refused> =>
  ownOf(actor, await actor.read.webhook(webhookId), 'webhook', webhookId)

/** @returns the endpoint with its secret, which is not shown again */
export async function addWebhook(
  { write, clock }: Pick<Actor, 'write' | 'clock'>,
  parts: WebhookParts,
  workspaceId: string,
  draft: Draft & { readonly url: string; readonly format?: WebhookEndpoint['format'] | undefined },
): Promise<{ readonly webhook: WebhookEndpoint; readonly secret: string } | Refused> {
  const { format = 'events', url, description = null, events = null, lineIds = null, headers = {} } = draft
  const asked = { ...draft, format, headers }
  const problem = (await problemOf(parts, asked)) ?? (await unverified(parts, workspaceId, asked))
  if (problem) return problem
  const id = newId('hook')
  const secrets = newSecrets()
  const added = await write.addWebhook({
    ...{ id, workspaceId, url, description: description && nameOf(description), createdAt: clock.now() },
    ...{ format, lineIds: withoutDoubles(lineIds) },
    types: withoutDoubles(events),
    sealedSecrets: sealSecrets(parts.vault, id, secrets),
    sealedHeaders: sealHeaders(parts.vault, id, headers),
  })
  switch (added.outcome) {
    case 'added':
      return { webhook: added.webhook, secret: secrets[0].secret }
    case 'unknownLine':
      return unknownLine()
    case 'unknownWorkspace':
      return unknown('workspace', workspaceId)
    case 'tooMany':
      return conflict(
        `The workspace has ${webhooksMax} endpoints already, which is as many as it may have. Remove one first.`,
      )
  }
}

export interface ChangedWebhook {
  readonly webhook: WebhookEndpoint
  readonly hasDroppedHeaders: boolean
}

/** Changes only the given fields; a new address drops headers that are not given again, see the store. */
export async function changeWebhook(
  actor: Actor,
  parts: WebhookParts,
  webhookId: string,
  change: Draft & { readonly isOn?: boolean | undefined },
): Promise<ChangedWebhook | Refused> {
  const known = await webhookOf(actor, webhookId)
  if (known instanceof Refused) return known
  const { format } = known
  const { url, description, events, lineIds, headers, isOn, verifyToken } = change
  const isMoved = url !== undefined && url !== known.url
  const problem =
    (await problemOf(parts, { ...change, format })) ??
    (isMoved ? await unverified(parts, known.workspaceId, { format, url, headers, verifyToken }) : null)
  if (problem) return problem
  const changed = await actor.write.changeWebhook({
    endpointId: webhookId,
    ...(url !== undefined && { url }),
    ...(description !== undefined && { description: description && nameOf(description) }),
    ...(events !== undefined && { types: withoutDoubles(events) }),
    ...(lineIds !== undefined && { lineIds: withoutDoubles(lineIds) }),
    ...(headers !== undefined && { sealedHeaders: sealHeaders(parts.vault, webhookId, headers) }),
    ...(isOn !== undefined && { isOn }),
    at: actor.clock.now(),
  })
  switch (changed.outcome) {
    case 'changed':
      return changed
    case 'unknownLine':
      return unknownLine()
    case 'unknownWebhook':
      return unknown('webhook', webhookId)
    case 'secretLost':
      return secretLost()
  }
}

/**
 * Makes a new secret; the one before it signs too until the grace has passed. In the platform's format, which has one
 * signature, it signs no longer.
 */
export async function rotateWebhook(
  actor: Actor,
  { vault }: Pick<WebhookParts, 'vault'>,
  webhookId: string,
  grace: { readonly graceMs?: number | undefined },
): Promise<
  { readonly webhook: WebhookEndpoint; readonly secret: string; readonly formerUntil: EpochMs | null } | Refused
> {
  const webhook = await webhookOf(actor, webhookId)
  if (webhook instanceof Refused) return webhook
  const at = actor.clock.now()
  const graceMs = webhook.format === 'platform' ? 0 : (grace.graceMs ?? graceMsDefault)
  const { sealedSecrets: former } = webhook
  const secrets = rotatedSecrets(openSecrets(vault, webhook), { graceMs, at })
  const sealedSecrets = sealSecrets(vault, webhookId, secrets)
  const isReplaced = await actor.write.replaceWebhookSecrets({ endpointId: webhookId, former, sealedSecrets })
  if (!isReplaced) return conflict('Its secrets were changed at the same moment. Try again.')
  const formerUntil = former === null || graceMs === 0 ? null : at + graceMs
  return { webhook, secret: secrets[0].secret, formerUntil }
}

/** For good, with its secret and the record of its deliveries. */
export async function removeWebhook(actor: Actor, webhookId: string): Promise<WebhookEndpoint | Refused> {
  const known = await webhookOf(actor, webhookId)
  if (known instanceof Refused) return known
  const removed = await actor.write.removeWebhook({ endpointId: webhookId, at: actor.clock.now() })
  return existing(removed, 'webhook', webhookId)
}

/** What an endpoint is tried with. */
export const testedTypeDefault: EventType = 'message.delivered'

/** Sends an example once and at once, to an endpoint that is on or off. Nothing is stored. */
export async function testWebhook(
  actor: Actor,
  parts: ExampleParts,
  webhookId: string,
  example: { readonly type: EventType },
) {
  const webhook = await webhookOf(actor, webhookId)
  if (webhook instanceof Refused) return webhook
  if (webhook.format === 'platform' && !isPlatformType(example.type)) return wrongField('/type', ofPlatform)
  return (await sendExample(parts, webhook, example, actor.clock.now())) ?? secretLost()
}

/**
 * @param page.before the event before which it begins
 * @returns the newest deliveries first, and where the next page begins
 */
export async function deliveriesOf(
  actor: Actor,
  webhookId: string,
  {
    state,
    before,
    limit = pageDefault,
  }: {
    readonly state?: DeliveryState | undefined
    readonly before?: string | undefined
    readonly limit?: number | undefined
  },
) {
  const webhook = await webhookOf(actor, webhookId)
  if (webhook instanceof Refused) return webhook
  const { id: endpointId, workspaceId } = webhook
  const number = before === undefined ? undefined : eventNumberOf(workspaceId, before, '/before')
  if (number instanceof Refused) return number
  // One more than is shown says whether there is a next page.
  const all = await actor.read.deliveries({ endpointId, state, before: number, limit: limit + 1 })
  const shown = all.slice(0, limit)
  const last = shown.at(-1)
  return {
    deliveries: shown.map(delivery => deliveryView(workspaceId, delivery)),
    next: all.length > limit && last ? numberedId('evt', workspaceId, last.seq) : null,
  }
}

/** Which events are delivered again: one, what failed since a time, or all since a time. */
export type Replayed = { readonly eventId: string } | { readonly failedSince: EpochMs } | { readonly since: EpochMs }

/** @returns the one of the three that is named, moments as numbers */
export function replayedOf(given: {
  readonly eventId?: string
  readonly failedSince?: string
  readonly since?: string
}): Replayed | Refused {
  const { eventId = '', failedSince, since } = given
  if (Object.keys(given).length !== 1) return wrongField('', 'must have one of eventId, failedSince and since')
  if (failedSince !== undefined) return { failedSince: Date.parse(failedSince) }
  return since === undefined ? { eventId } : { since: Date.parse(since) }
}

/** @returns the endpoint, and how many events are due now. A workspace has one replay of many events at a time */
export async function replayEvents(
  actor: Actor,
  { replays }: { readonly replays: Replays },
  webhookId: string,
  replayed: Replayed,
): Promise<{ readonly webhook: WebhookEndpoint; readonly due: number } | Refused> {
  const webhook = await webhookOf(actor, webhookId)
  if (webhook instanceof Refused) return webhook
  const what = whatOf(webhook, replayed)
  if (what instanceof Refused) return what
  const due = await replays.run(actor.write, webhook, what, actor.clock.now())
  if (due === null) return conflict('A replay of this workspace is under way. Try again when it has ended.')
  return due === 0 && what.kind === 'event'
    ? notFound('This event is not kept any more, or has nothing to tell in the format of the endpoint.')
    : { webhook, due }
}

function whatOf({ workspaceId }: Pick<WebhookEndpoint, 'workspaceId'>, replayed: Replayed) {
  if ('failedSince' in replayed) return { kind: 'failed', since: replayed.failedSince } as const
  if ('since' in replayed) return { kind: 'all', since: replayed.since } as const
  const seq = eventNumberOf(workspaceId, replayed.eventId, '/eventId')
  return seq instanceof Refused ? seq : ({ kind: 'event', seq } as const)
}

/** @param path of the field that names the event */
export const eventNumberOf = (workspaceId: string, eventId: string, path: string): number | Refused =>
  numberIn('evt', workspaceId, eventId) ?? wrongField(path, 'there is no event of this workspace with this id')
