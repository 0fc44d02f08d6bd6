import type { Store } from '../../../db/contract/store.ts'
import type { WebhookEndpoint } from '../../../db/contract/webhooks.ts'
import { GatewayError, type Issue, invalid } from '../../base/errors.ts'
import { platformMessageTypes } from '../../base/eventTypes.ts'
import type { JsonObject } from '../../base/json.ts'
import { check, closed, type Static, type TObject, Type, withoutNulls } from '../../base/schema.ts'
import { readJsonIfAny } from '../../http/body.ts'
import { Refused } from '../../operations/act.ts'
import { addWebhook, removeWebhook, type WebhookParts, webhookFields } from '../../operations/webhooks.ts'
import { addressCharsMax } from '../../webhooks/address.ts'
import type { PartnerCaller } from '../caller.ts'
import type { Outcome } from '../endpoint.ts'
import { refuseQuery } from './address.ts'
import { inTheirNames } from './fieldNames.ts'
import { accountNamed } from './lines.ts'
import { missing, no } from './refusals.ts'
import type { PathContext } from './work.ts'

export type GraphSubscriptions = ReturnType<typeof graphSubscriptions>

export interface SubscriptionParts {
  readonly store: Pick<Store, 'clock'>
  readonly webhooks: WebhookParts
}

const addressFields = {
  override_callback_uri: webhookFields.url,
  verify_token: Type.Optional(webhookFields.verifyToken),
}
type Pointed = Static<ReturnType<typeof closed<typeof addressFields>>>

/** @returns a reader, which throws GatewayError VALIDATION_ERROR: what is not done is not answered with success */
function reader<Schema extends TObject>(schema: Schema): (body: unknown) => Static<Schema> {
  const checkBody = check(schema)
  return body => {
    const checked = checkBody(withoutNulls(schema, body))
    if (!checked.ok) throw new GatewayError(invalid(checked.issues))
    return checked.value
  }
}

/** More than the platform has. They are those of its app, which is the gateway's own: here they choose nothing. */
const fieldNamesMax = 100
const readSubscription = reader(
  closed({
    ...addressFields,
    override_callback_uri: Type.Optional(webhookFields.url),
    subscribed_fields: Type.Optional(
      Type.Array(Type.String({ pattern: '^[a-z_]{1,60}$' }), { maxItems: fieldNamesMax }),
    ),
  }),
)
/** An empty address takes the line's own one away. */
const readConfiguration = reader(
  closed({
    messaging_product: Type.Optional(Type.Enum(['whatsapp'])),
    webhook_configuration: closed({
      ...addressFields,
      override_callback_uri: Type.String({ maxLength: addressCharsMax }),
    }),
  }),
)
const readNothing = reader(closed({}))
const withoutAddress: Issue = { path: '/override_callback_uri', message: 'is required with verify_token' }

const done: Outcome = { ok: true, status: 200, body: { success: true } }

/**
 * `/{account}/subscribed_apps` (docs/drop-in.md#callbacks): to whom callbacks go. With an address of its own, a client
 * makes an endpoint of the workspace in the platform's format, as `waypost webhook add` does.
 */
export function graphSubscriptions({ store, webhooks }: SubscriptionParts) {
  const additions = new Map<string, { readonly verifyToken: string | undefined; readonly ending: Promise<Outcome> }>()
  const endpointsOf = async ({ actor, workspaceId }: PartnerCaller) =>
    (await actor.read.webhooks(workspaceId)).filter(({ format }) => format === 'platform')

  async function added(caller: PartnerCaller, draft: Parameters<typeof addWebhook>[3]): Promise<Outcome> {
    const { url, lineIds = null } = draft
    const isTold = (known: WebhookEndpoint) =>
      known.url === url &&
      known.disabledAt === null &&
      platformMessageTypes.every(type => known.types?.includes(type) ?? true) &&
      (known.lineIds === null || (lineIds?.every(id => known.lineIds?.includes(id)) ?? false))
    if ((await endpointsOf(caller)).some(isTold)) return done
    const webhook = await addWebhook(caller.actor, webhooks, caller.workspaceId, draft)
    return webhook instanceof Refused ? no(inTheirNames(webhook, null)) : done
  }

  /**
   * Repeating it makes no second endpoint, also while the first is being verified, unless the first is off.
   * @param lineIds null: callbacks of all lines
   */
  async function point(caller: PartnerCaller, given: Pointed, lineIds: readonly string[] | null): Promise<Outcome> {
    const { override_callback_uri: url, verify_token: verifyToken } = given
    const key = JSON.stringify([caller.workspaceId, url, lineIds])
    const underWay = additions.get(key)
    if (underWay) {
      const ended = await underWay.ending
      // What was refused for another token may be taken with this one.
      return ended.ok || underWay.verifyToken === verifyToken ? ended : point(caller, given, lineIds)
    }
    const draft = { format: 'platform', url, verifyToken, ...(lineIds && { lineIds: [...lineIds] }) } as const
    const ending = added(caller, draft).finally(() => additions.delete(key))
    additions.set(key, { verifyToken, ending })
    return ending
  }

  return {
    async listSubscriptions(caller: PartnerCaller, { id }: PathContext): Promise<Outcome> {
      if (!(await accountNamed(caller.actor.read, caller, id))) return missing
      const app = { id, name: 'Waypost' }
      const addresses = (await endpointsOf(caller)).map(({ url }) => ({ override_callback_uri: url }))
      const data = (addresses.length === 0 ? [{}] : addresses).map(address => ({
        whatsapp_business_api_data: app,
        ...address,
      }))
      return { ok: true, status: 200, body: { data } }
    },

    async addSubscription(caller: PartnerCaller, { request, id }: PathContext): Promise<Outcome> {
      if (!(await accountNamed(caller.actor.read, caller, id))) return missing
      refuseQuery(request)
      const body = await caller.body(whole => readJsonIfAny(whole, store.clock))
      const { override_callback_uri: url, ...given } = readSubscription(body)
      if (url !== undefined) return point(caller, { ...given, override_callback_uri: url }, null)
      if (given.verify_token !== undefined) throw new GatewayError(invalid([withoutAddress]))
      // What the platform asks of an app that is to get callbacks: here they come anyway.
      return done
    },

    /** The same for one line, by its `webhook_configuration`; with an empty address, its own endpoints are removed. */
    async configure(caller: PartnerCaller, lineId: string, body: JsonObject): Promise<Outcome> {
      const { webhook_configuration: given } = readConfiguration(body)
      if (given.override_callback_uri !== '') return point(caller, given, [lineId])
      const { actor } = caller
      for (const { id, lineIds } of await endpointsOf(caller))
        if (lineIds?.length === 1 && lineIds[0] === lineId) await removeWebhook(actor, id)
      return done
    },

    /** All that are listed: an endpoint says not of which account it is. The gateway itself stays subscribed. */
    async removeSubscription(caller: PartnerCaller, { request, id }: PathContext): Promise<Outcome> {
      if (!(await accountNamed(caller.actor.read, caller, id))) return missing
      refuseQuery(request)
      readNothing(await caller.body(whole => readJsonIfAny(whole, store.clock)))
      const { actor } = caller
      for (const { id: webhookId } of await endpointsOf(caller)) await removeWebhook(actor, webhookId)
      return done
    },
  }
}
