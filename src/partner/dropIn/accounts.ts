import type { Clock } from '../../base/clock.ts'
import { GatewayError, invalid } from '../../base/errors.ts'
import { field, isObject, text } from '../../base/json.ts'
import { readJson } from '../../http/body.ts'
import type { TemplateRefresher } from '../../templates/refresh.ts'
import { type DropInCall, dropInOperations } from '../calls.ts'
import type { Endpoint, Outcome, PartnerCaller } from '../endpoint.ts'
import { accountNamed, lineNamed, linesOf } from './lines.ts'
import { type PassingParts, pass } from './passing.ts'
import { missing } from './refusals.ts'
import type { NamedContext } from './send.ts'

export interface AccountParts extends PassingParts {
  readonly clock: Clock
  readonly templateRefresher: Pick<TemplateRefresher, 'request'>
}

/** The calls about lines, accounts and their templates, which the platform answers (docs/drop-in.md#calls). */
export function graphAccounts(parts: AccountParts, endpoint: Endpoint) {
  const ofAccount = (
    call: DropInCall,
    handle: (caller: PartnerCaller, context: NamedContext, channelId: string) => Promise<Outcome>,
  ) =>
    endpoint<NamedContext>(call, async (caller, context) => {
      const channel = await accountNamed(parts.read, caller, context.id)
      return channel ? handle(caller, context, channel.id) : missing(context.id)
    })

  /** Reads the account's templates soon after: what was changed can then be sent. */
  async function changed(channelId: string, change: Promise<Outcome>): Promise<Outcome> {
    const outcome = await change
    if (outcome.ok) parts.templateRefresher.request(channelId)
    return outcome
  }

  /** @throws GatewayError as `readJson` does; VALIDATION_ERROR for anything but an object */
  async function bodyOf(request: Request): Promise<string> {
    const body = await readJson(request, parts.clock)
    if (!isObject(body)) throw new GatewayError(invalid([{ path: '', message: 'must be an object' }]))
    return JSON.stringify(body)
  }

  return {
    readLine: endpoint<NamedContext>(dropInOperations.readLine.call, async (caller, { request, id }) => {
      const line = await lineNamed(caller, id)
      return line ? pass(parts, caller, request, { channelId: line.channelId, path: id }) : missing(id)
    }),

    listTemplates: ofAccount(dropInOperations.listTemplates.call, (caller, { request, id }, channelId) =>
      pass(parts, caller, request, { channelId, path: `${id}/message_templates` }),
    ),

    createTemplate: ofAccount(dropInOperations.createTemplate.call, async (caller, { request, id }, channelId) => {
      const body = await bodyOf(request)
      const path = `${id}/message_templates`
      return changed(channelId, pass(parts, caller, request, { channelId, path, method: 'POST', body }))
    }),

    deleteTemplate: ofAccount(dropInOperations.deleteTemplate.call, (caller, { request, id }, channelId) =>
      changed(
        channelId,
        pass(parts, caller, request, { channelId, path: `${id}/message_templates`, method: 'DELETE' }),
      ),
    ),

    editTemplate: endpoint<NamedContext>(dropInOperations.editTemplate.call, async (caller, { request, id }) => {
      const templates = await caller.read.templates({ workspaceId: caller.workspaceId, approved: false })
      const template = templates.find(({ upstreamId }) => upstreamId === id)
      if (!template) return missing(id)
      const { channelId } = template
      const body = await bodyOf(request)
      return changed(channelId, pass(parts, caller, request, { channelId, path: id, method: 'POST', body }))
    }),

    /** An account may have lines of other workspaces, or of none. */
    listNumbers: ofAccount(dropInOperations.listNumbers.call, async (caller, { request, id }, channelId) => {
      const own = new Set((await linesOf(caller)).map(({ upstreamPhoneId }) => upstreamPhoneId))
      const isOwn = (number: unknown) => own.has(text(field(number, 'id')) ?? '')
      const narrow = (data: readonly unknown[]) => data.filter(isOwn)
      return pass(parts, caller, request, { channelId, path: `${id}/phone_numbers`, narrow })
    }),
  }
}
