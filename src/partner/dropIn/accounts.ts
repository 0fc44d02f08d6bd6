import type { Line } from '../../../db/contract/records.ts'
import { field, isText, type JsonObject, list, text } from '../../base/json.ts'
import { readCreated } from '../../graph/templateCalls.ts'
import { dropInOperations, type FieldsOwner } from '../../http/dropInCalls.ts'
import { recordCreated } from '../../operations/templates.ts'
import type { TemplateRefresher } from '../../templates/refresh.ts'
import type { PartnerCaller } from '../caller.ts'
import type { Outcome } from '../endpoint.ts'
import { accountNamed, lineNamed, linesOf } from './lines.ts'
import { type Asked, type Passed, type PassingParts, pass } from './passing.ts'
import { missing } from './refusals.ts'
import type { Work } from './work.ts'

export interface AccountParts extends PassingParts {
  readonly templateRefresher: Pick<TemplateRefresher, 'request'>
}

/** The calls about lines, accounts and their templates, which the platform answers (docs/drop-in.md#calls). */
export function graphAccounts(parts: AccountParts) {
  const ofLine =
    (of: FieldsOwner, keepOf?: (caller: PartnerCaller, line: Line) => NonNullable<Passed['keep']>): Work =>
    async (caller, { request, id, rest }) => {
      const line = await lineNamed(caller, id)
      const path = [id, ...rest].join('/')
      if (!line) return missing
      const keep = keepOf && { keep: keepOf(caller, line) }
      return pass(parts, { caller, request }, { channelId: line.channelId, path, of, ...keep })
    }
  const ofAccount =
    (handle: (asked: Asked, passed: Pick<Passed, 'channelId' | 'path'>) => Promise<Outcome>): Work =>
    async (caller, { request, id, rest }) => {
      const channel = await accountNamed(parts.read, caller, id)
      return channel ? handle({ caller, request }, { channelId: channel.id, path: [id, ...rest].join('/') }) : missing
    }
  const templates = ofAccount(async (asked, { channelId, path }) => {
    const { method } = asked.request
    const keep = (body: JsonObject, answer: JsonObject) => keepCreated(asked.caller, channelId, body, answer)
    const outcome = await pass(parts, asked, { channelId, path, of: 'template', ...(method === 'POST' && { keep }) })
    // What was changed can soon be sent.
    if (outcome.ok && method !== 'GET') parts.templateRefresher.request(channelId)
    return outcome
  })
  const { readProfile, listBlocked, block, unblock, listNumbers } = dropInOperations

  return {
    readProfile: ofLine(readProfile.passes),
    listBlocked: ofLine(listBlocked.passes),
    block: ofLine(block.passes, keepingBlocked(true)),
    unblock: ofLine(unblock.passes, keepingBlocked(false)),
    listTemplates: templates,
    createTemplate: templates,
    deleteTemplate: templates,

    /** An account may have lines of other workspaces, or of none. */
    listNumbers: ofAccount(async (asked, at) => {
      const own = new Set((await linesOf(asked.caller)).map(({ upstreamPhoneId }) => upstreamPhoneId))
      const isOwn = (number: unknown) => own.has(text(field(number, 'id')) ?? '')
      return pass(parts, asked, { ...at, of: listNumbers.passes, narrow: data => data.filter(isOwn) })
    }),
  }
}

/** Its id names the template at once. What the client did not say, as of one of the library, comes by the listing. */
async function keepCreated(caller: PartnerCaller, channelId: string, body: JsonObject, answer: JsonObject) {
  const { name, language, parameter_format: format, components } = body
  const created = readCreated(answer)
  if (created === null || answer.error !== undefined || !isText(name) || !isText(language)) return
  const asked = { name, language, parameterFormat: text(format) ?? '', components: list(components) }
  const status = Array.isArray(components) ? created.status : 'PENDING'
  await recordCreated(caller.actor, channelId, asked, { ...created, status })
}

/** @returns what notes whom the platform has blocked on the line, or unblocked, as the console does */
const keepingBlocked =
  (isBlocked: boolean) =>
  ({ workspaceId, read, actor }: PartnerCaller, line: Line) =>
  async (_: JsonObject, answer: JsonObject) => {
    const users = list(field(answer.block_users, isBlocked ? 'added_users' : 'removed_users'))
    const addresses = users.flatMap(user => {
      const waId = text(field(user, 'wa_id'))
      return [waId && `+${waId}`, text(field(user, 'user_id')), text(field(user, 'input'))].filter(isText)
    })
    const found = await read.contactsAt({ workspaceId, addresses })
    for (const contactId of new Set([...found.values()].map(({ id }) => id)))
      await actor.write.keepBlocked({ workspaceId, contactId, lineIds: [line.id], isBlocked })
  }
