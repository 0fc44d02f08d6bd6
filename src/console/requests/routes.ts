import { Elysia } from 'elysia'
import {
  type KeptRefusal,
  type NumberedRequest,
  type RequestOutcome,
  requestOutcomes,
  requestsKeptMs,
} from '../../../db/contract/apiRequests.ts'
import { ERRORS } from '../../base/errors.ts'
import { explain, headingOf } from '../../graph/codes.ts'
import { callsOf } from '../../http/calls.ts'
import { keyLabelsOf } from '../../operations/apiKeys.ts'
import { pageDefault } from '../../reading/steps.ts'
import { findRequests } from '../../requests/found.ts'
import { guard } from '../guard.ts'
import type { ConsoleParts } from '../parts.ts'
import { found } from '../refusals.ts'
import { iso } from '../shapes.ts'
import { listAnswer, reasons, requestAnswer, requestChoicesAnswer, requestsQuery } from './schemas.ts'

type KeyLabels = ReadonlyMap<string, string | null>

/** The last calls of a workspace's API keys. They show less than the messages, so who may read those may read these. */
export function requestRoutes(parts: ConsoleParts) {
  const { clock, config, searches } = parts
  const { read } = parts.store
  return new Elysia({ name: 'console-requests', prefix: '/workspaces/:workspaceId' })
    .use(guard(parts))
    .get(
      '/requests',
      async ({ member, query: { older: cursor, limit = pageDefault, since, until, ...same } }) => {
        const { workspaceId, turn } = member
        const filter = {
          ...same,
          since: Math.max(clock.now() - requestsKeptMs, since === undefined ? 0 : Date.parse(since)),
          until: until === undefined ? undefined : Date.parse(until),
        }
        const search = { workspaceId, filter, cursor, limit }
        const [{ requests, older }, keys] = await Promise.all([
          searches.search(member, () => findRequests({ read, turn }, search)),
          read.keys(workspaceId),
        ])
        const labels = keyLabelsOf(keys)
        return { requests: requests.map(request => shown(request, labels)), older }
      },
      {
        role: 'viewer',
        query: requestsQuery,
        response: listAnswer,
        summary: 'List requests',
        description:
          'The last 10,000 calls of API keys that were answered, and the last 10,000 that were refused, of a day. A ' +
          'call appears within a second after its answer.',
      },
    )
    .get(
      '/request-filters',
      async ({ member: { workspaceId } }) => ({
        keys: [...keyLabelsOf(await read.keys(workspaceId))].map(([id, label]) => ({ id, label })),
        calls: callsOf(config),
        reasons,
      }),
      { role: 'viewer', response: requestChoicesAnswer, summary: 'List filters of requests' },
    )
    .get(
      '/requests/:id',
      async ({ member: { workspaceId }, params }) => {
        const position = positionIn(params.id)
        const since = clock.now() - requestsKeptMs
        const before = position && { outcome: position.outcome, before: position.number + 1 }
        const step = before && (await read.apiRequests({ workspaceId, ...before, since, scan: 1 }))
        // Numbers begin anew when nothing was called for a day.
        const request = found(step?.requests.find(({ at }) => at === position?.at) ?? null, 'request')
        const { messageId, refusal } = request
        const [keys, message] = await Promise.all([
          read.keys(workspaceId),
          messageId === null ? null : read.statusView(messageId),
        ])
        return {
          ...shown(request, keyLabelsOf(keys)),
          hasMessage: message?.workspaceId === workspaceId,
          refusal: refusal && explained(refusal),
        }
      },
      { role: 'viewer', response: requestAnswer, summary: 'Show a request, with the problems that were answered' },
    )
}

function shown(request: NumberedRequest, labels: KeyLabels) {
  const { at, keyId, call, status, ms: durationMs, requestId, messageId, refusal } = request
  const key = { id: keyId, label: labels.get(keyId) ?? null }
  const why = { reason: refusal?.reason ?? null, about: refusal && aboutOf(refusal) }
  return { id: idOf(request), at: iso(at), key, call, status, durationMs, requestId, messageId, ...why }
}

/** What tells refused calls of one reason apart in a list. */
function aboutOf({ code, issues: [first, ...others], issuesLeftOut }: KeptRefusal): string | null {
  if (!first?.path) return code === null ? null : (explain(code)?.short ?? String(code))
  const more = others.length + issuesLeftOut
  return more === 0 ? first.path : `${first.path} +${more}`
}

const idOf = ({ outcome, number, at }: NumberedRequest) => `${outcome}-${number}-${at}`
const idPattern = new RegExp(`^(${requestOutcomes.join('|')})-(\\d{1,15})-(\\d{1,15})$`)

function positionIn(id: string): { outcome: RequestOutcome; number: number; at: number } | null {
  const [, outcome, number, at] = idPattern.exec(id) ?? []
  return outcome === undefined ? null : { outcome: outcome as RequestOutcome, number: Number(number), at: Number(at) }
}

/** What the caller was told, with what our tables and those of the channel know about it. */
function explained({ reason, message, code, issues, issuesLeftOut }: KeptRefusal) {
  const ofCode = code === null ? null : explain(code)
  return {
    ...{ message, code, issues: issues.map(({ path, message }) => ({ path, message })), issuesLeftOut },
    // The table is written for a document.
    meaning: ofCode?.meaning ?? ERRORS[reason].meaning.replaceAll('`', ''),
    remedy: ofCode?.remedy ?? null,
    heading: (code === null ? null : headingOf(code)) ?? reason,
  }
}
