import { isText, type JsonObject, parseAnswer, text } from '../base/json.ts'
import type { RequestBody } from '../transport/request.ts'
import type { Exchange } from '../transport/transport.ts'
import type { Call, CallRequest } from './call.ts'
import { readTemplateRefusal, type TemplateRefusal } from './templateRefusals.ts'
import { whyUnreached } from './unreached.ts'
import type { NewTemplateBody } from './wire.ts'

/** How a change of a template ended. */
export type TemplateChange<Done> =
  | ({ readonly kind: 'done' } & Done)
  /** Nothing was changed. */
  | { readonly kind: 'refused'; readonly refusal: TemplateRefusal }
  /** `mayHaveHappened`: the answer was lost, and only the listing says whether it was changed. */
  | { readonly kind: 'unreachable'; readonly why: string; readonly mayHaveHappened: boolean }

export interface CreatedTemplate {
  readonly id: string
  readonly status: string
  /** The upstream may choose another one than was asked for. */
  readonly category: string
}

interface Account {
  readonly accountId: string
  readonly accessToken: string
}

/** Creating, changing and deleting templates (docs/upstream.md#template-creation). */
export interface TemplateCalls {
  /** `POST /<account>/message_templates` */
  createTemplate(call: Account & { template: NewTemplateBody }): Promise<TemplateChange<CreatedTemplate>>
  /** `POST /<template>`: replaces all components. */
  editTemplate(call: {
    upstreamId: string
    accessToken: string
    /** Without a category, it stays. */
    change: Pick<NewTemplateBody, 'components' | 'message_send_ttl_seconds'> & { readonly category?: string }
  }): Promise<TemplateChange<object>>
  /** `DELETE /<account>/message_templates`: all languages of the name, or the one with the id. */
  deleteTemplate(call: Account & { name: string; upstreamId: string | null }): Promise<TemplateChange<object>>
  /** The resumable upload of a header's example, in one piece. @returns the handle that a creation names */
  uploadExample(call: {
    appId: string
    accessToken: string
    fileName: string
    mime: string
    bytes: Uint8Array
  }): Promise<TemplateChange<{ handle: string }>>
}

export function createTemplateCalls(call: Call): TemplateCalls {
  async function change<Done>(
    request: CallRequest,
    read: (json: JsonObject) => Done | null,
  ): Promise<TemplateChange<Done>> {
    return readChange(await call(request), request.accessToken, read)
  }

  return {
    createTemplate: ({ accountId, accessToken, template }) =>
      change({ accessToken, path: `${accountId}/message_templates`, body: JSON.stringify(template) }, readCreated),

    editTemplate: ({ upstreamId, accessToken, change: edit }) =>
      change({ accessToken, path: encodeURIComponent(upstreamId), body: JSON.stringify(edit) }, readSuccess),

    deleteTemplate({ accountId, accessToken, name, upstreamId }) {
      // The name goes along with the id, or the upstream refuses it.
      const query = new URLSearchParams({ ...(upstreamId !== null && { hsm_id: upstreamId }), name })
      return change({ method: 'DELETE', accessToken, path: `${accountId}/message_templates?${query}` }, readSuccess)
    },

    async uploadExample({ appId, accessToken, fileName, mime, bytes }) {
      const file = { name: fileName, length: bytes.length, type: mime }
      const opened = await change({ accessToken, ...uploadStart(appId, file) }, readSession)
      if (opened.kind !== 'done') return opened
      return change({ accessToken, ...uploadWrite(opened.session, '0', bytes) }, ({ h }) =>
        isText(h) && h !== '' ? { handle: h } : null,
      )
    },
  }
}

function readChange<Done>(
  exchange: Exchange,
  accessToken: string,
  read: (json: JsonObject) => Done | null,
): TemplateChange<Done> {
  if (exchange.kind !== 'answered')
    return { kind: 'unreachable', why: whyUnreached(exchange), mayHaveHappened: exchange.kind === 'lost' }
  const { status } = exchange
  const json = parseAnswer(exchange.body)
  const done = status === 200 && json ? read(json) : null
  if (done !== null) return { kind: 'done', ...done }
  const refusal = json && readTemplateRefusal(json.error, status, accessToken)
  if (refusal) return { kind: 'refused', refusal }
  const mayHaveHappened = status === 200 || status >= 500
  return { kind: 'unreachable', why: `the upstream platform answered HTTP ${status}`, mayHaveHappened }
}

const readSuccess = ({ success }: JsonObject) => (success === true ? {} : null)

/** @returns null: it is no answer to a creation */
export function readCreated({ id, status, category }: JsonObject): CreatedTemplate | null {
  const known = typeof id === 'number' ? String(id) : text(id)
  return known !== null && isText(status) && isText(category) ? { id: known, status, category } : null
}

/** Begins the resumable upload of a file (docs/upstream.md#template-creation). @param file.name null: it has none */
export function uploadStart(
  appId: string,
  { name, length, type }: { readonly name: string | null; readonly length: number; readonly type: string },
) {
  const described = { ...(name !== null && { file_name: name }), file_length: String(length), file_type: type }
  return { method: 'POST', path: `${appId}/uploads?${new URLSearchParams(described)}` } as const
}

/** What the id of an upload looks like. It becomes part of an address, so nothing else is taken. */
const sessionForm = /^upload:[\w.:~%+=-]+(\?[\w.~%+=&/-]+)?$/

/** @returns the session that was begun; null: none was */
export const readSession = ({ id }: JsonObject) => (isText(id) && sessionForm.test(id) ? { session: id } : null)

/** Asks how much has come. The id is used unchanged as a path, because it has its own query. */
export const uploadRead = (session: string) => ({ path: session, scheme: 'OAuth' }) as const

/** Writes the bytes of the file from an offset on. */
export const uploadWrite = (session: string, offset: string, body: RequestBody) => ({
  ...uploadRead(session),
  ...{ body, contentType: 'application/octet-stream', headers: { file_offset: offset } },
})
