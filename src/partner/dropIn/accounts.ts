import { field, text } from '../../base/json.ts'
import type { TemplateRefresher } from '../../templates/refresh.ts'
import { type DropInCall, dropInOperations } from '../calls.ts'
import type { Endpoint, Outcome, PartnerCaller } from '../endpoint.ts'
import { accountNamed, lineNamed, linesOf } from './lines.ts'
import { type PassingParts, pass } from './passing.ts'
import { missing } from './refusals.ts'
import type { NamedContext } from './send.ts'

export interface AccountParts extends PassingParts {
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
      return channel ? handle(caller, context, channel.id) : missing
    })
  const templates = (call: DropInCall) =>
    ofAccount(call, async (caller, { request, id }, channelId) => {
      const outcome = await pass(parts, caller, request, { channelId, path: `${id}/message_templates` })
      // What was changed can soon be sent.
      if (outcome.ok && request.method !== 'GET') parts.templateRefresher.request(channelId)
      return outcome
    })
  const ofLine = (call: DropInCall, edge: string) =>
    endpoint<NamedContext>(call, async (caller, { request, id }) => {
      const line = await lineNamed(caller, id)
      return line ? pass(parts, caller, request, { channelId: line.channelId, path: `${id}/${edge}` }) : missing
    })
  const { readProfile, listBlocked, block, unblock } = dropInOperations
  const { listTemplates, createTemplate, deleteTemplate, listNumbers } = dropInOperations

  return {
    readProfile: ofLine(readProfile.call, 'whatsapp_business_profile'),
    listBlocked: ofLine(listBlocked.call, 'block_users'),
    block: ofLine(block.call, 'block_users'),
    unblock: ofLine(unblock.call, 'block_users'),
    listTemplates: templates(listTemplates.call),
    createTemplate: templates(createTemplate.call),
    deleteTemplate: templates(deleteTemplate.call),

    /** An account may have lines of other workspaces, or of none. */
    listNumbers: ofAccount(listNumbers.call, async (caller, { request, id }, channelId) => {
      const own = new Set((await linesOf(caller)).map(({ upstreamPhoneId }) => upstreamPhoneId))
      const isOwn = (number: unknown) => own.has(text(field(number, 'id')) ?? '')
      const narrow = (data: readonly unknown[]) => data.filter(isOwn)
      return pass(parts, caller, request, { channelId, path: `${id}/phone_numbers`, narrow })
    }),
  }
}
