import { field, isText, type JsonObject, list, text } from '../../base/json.ts'
import { readCreated } from '../../graph/templateCalls.ts'
import { recordCreated } from '../../operations/templates.ts'
import type { TemplateRefresher } from '../../templates/refresh.ts'
import type { PartnerCaller } from '../caller.ts'
import { type DropInCall, dropInOperations } from '../calls.ts'
import type { Endpoint, Outcome } from '../endpoint.ts'
import type { FieldsOwner } from './fields.ts'
import { accountNamed, lineNamed, linesOf } from './lines.ts'
import { type Asked, type PassingParts, pass } from './passing.ts'
import { missing } from './refusals.ts'
import type { NamedContext } from './send.ts'

export interface AccountParts extends PassingParts {
  readonly templateRefresher: Pick<TemplateRefresher, 'request'>
}

/** The calls about lines, accounts and their templates, which the platform answers (docs/drop-in.md#calls). */
export function graphAccounts(parts: AccountParts, endpoint: Endpoint) {
  const ofAccount = (call: DropInCall, handle: (asked: Asked, id: string, channelId: string) => Promise<Outcome>) =>
    endpoint<NamedContext>(call, async (caller, { request, id }) => {
      const channel = await accountNamed(parts.read, caller, id)
      return channel ? handle({ caller, request }, id, channel.id) : missing
    })
  const templates = (call: DropInCall) =>
    ofAccount(call, async (asked, id, channelId) => {
      const keep = (body: JsonObject, answer: JsonObject) => keepCreated(asked.caller, channelId, body, answer)
      const isCreation = asked.request.method === 'POST'
      const path = `${id}/message_templates`
      const outcome = await pass(parts, asked, { channelId, path, of: 'template', ...(isCreation && { keep }) })
      // What was changed can soon be sent.
      if (outcome.ok && asked.request.method !== 'GET') parts.templateRefresher.request(channelId)
      return outcome
    })
  const ofLine = (call: DropInCall, edge: string, of: FieldsOwner) =>
    endpoint<NamedContext>(call, async (caller, { request, id }) => {
      const line = await lineNamed(caller, id)
      const path = `${id}/${edge}`
      return line ? pass(parts, { caller, request }, { channelId: line.channelId, path, of }) : missing
    })
  const { readProfile, listBlocked, block, unblock } = dropInOperations
  const { listTemplates, createTemplate, deleteTemplate, listNumbers } = dropInOperations

  return {
    readProfile: ofLine(readProfile.call, 'whatsapp_business_profile', 'profile'),
    listBlocked: ofLine(listBlocked.call, 'block_users', 'blockedUser'),
    block: ofLine(block.call, 'block_users', 'blockedUser'),
    unblock: ofLine(unblock.call, 'block_users', 'blockedUser'),
    listTemplates: templates(listTemplates.call),
    createTemplate: templates(createTemplate.call),
    deleteTemplate: templates(deleteTemplate.call),

    /** An account may have lines of other workspaces, or of none. */
    listNumbers: ofAccount(listNumbers.call, async (asked, id, channelId) => {
      const own = new Set((await linesOf(asked.caller)).map(({ upstreamPhoneId }) => upstreamPhoneId))
      const isOwn = (number: unknown) => own.has(text(field(number, 'id')) ?? '')
      const narrow = (data: readonly unknown[]) => data.filter(isOwn)
      return pass(parts, asked, { channelId, path: `${id}/phone_numbers`, of: 'line', narrow })
    }),
  }
}

/** Its id names the template at once. What the client did not say, as of one of the library, comes by the listing. */
async function keepCreated(caller: PartnerCaller, channelId: string, body: JsonObject, answer: JsonObject) {
  const { name, language, parameter_format: format, components } = body
  const created = readCreated(answer)
  if (created === null || !isText(name) || !isText(language)) return
  const asked = { name, language, parameterFormat: text(format) ?? '', components: list(components) }
  const status = Array.isArray(components) ? created.status : 'PENDING'
  await recordCreated(caller.actor, channelId, asked, { ...created, status })
}
