import { Elysia, NotFoundError } from 'elysia'
import { isObject, type JsonObject, parseJson } from '../../base/json.ts'
import { PROBLEMS } from '../checks/problems.ts'
import { jsonReply, type Refusal, refusalBody, refusalReply, type SandboxAnswer } from '../checks/refusals.ts'
import { SANDBOX } from '../state/defaults.ts'
import type { SandboxState } from '../state/sandboxState.ts'
import { lineEdges, type Outcome } from './lineEdges.ts'
import { listLines, listTemplates, showLine, showTemplate } from './listings.ts'
import { readMultipart } from './multipart.ts'
import { createTemplate, deleteTemplates, editTemplate } from './templates.ts'

const done = { value: { success: true } } as const

function toResponse({ status, headers, body }: SandboxAnswer): Response {
  return new Response(body, { status, headers })
}

/**
 * The upstream's addresses apart from sends: media, listings, lines, subscriptions. The token is checked before a
 * request comes here. Bodies are read by the handlers themselves, for the upstream takes JSON and forms alike.
 */
export function graphApp(state: SandboxState) {
  const ok = (value: unknown) => toResponse(jsonReply(200, value))
  const no = (refusal: Refusal) => toResponse(refusalReply(refusal, state.random))
  const unknown = (id: string) => no(PROBLEMS.unknownObject(id))
  const isAccount = (id: string) => id === state.accountId
  const outcome = ({ value, refusal }: Outcome) => {
    if (!refusal) return ok(value)
    return value ? toResponse(jsonReply(400, { ...value, ...refusalBody(refusal, state.random) })) : no(refusal)
  }
  /** The sandbox's address as the caller sees it: inside a container it may listen on another one. */
  const originOf = (request: Request) => {
    const host = request.headers.get('host')
    return host === null ? state.origin : `http://${host}`
  }
  /** Counts a management call, and refuses it where there were too many, or where the account is another's. */
  const managing =
    (run: (request: Request, url: URL) => Outcome | Promise<Outcome>) =>
    async ({ params, request }: { params: { id: string }; request: Request }) => {
      const refusal = isAccount(params.id) ? state.throttles.admitCall() : PROBLEMS.unknownObject(params.id)
      return refusal ? no(refusal) : outcome(await run(request, new URL(request.url)))
    }

  async function answerEdge({ params, request }: { params: Record<string, string>; request: Request }) {
    const { id = '', edge = '', code = '' } = params
    const answer = lineEdges[`${request.method} ${edge}`]
    if (!answer) return no({ code: 2500, details: edge })
    if (!state.lines.has(id)) return unknown(id)
    const { searchParams: query } = new URL(request.url)
    return outcome(answer(state, { lineId: id, code, body: await bodyOf(request), query }))
  }

  return new Elysia({ name: 'sandbox-graph' })
    .guard({ parse: ['none'] })
    .onError(({ error, path }) => {
      return error instanceof NotFoundError ? no({ code: 2500, details: path }) : no({ code: 1, status: 500 })
    })
    .get(
      '/:version/:id/message_templates',
      managing((request, { pathname, searchParams }) => {
        const { emptyLastPage } = state.settings
        const place = { address: pathname, origin: originOf(request), emptyLastPage }
        return listTemplates(state.templates.list(), searchParams, place)
      }),
    )
    .post(
      '/:version/:id/message_templates',
      managing(async request => createTemplate(state, await bodyOf(request))),
    )
    .delete(
      '/:version/:id/message_templates',
      managing((_, { searchParams }) => deleteTemplates(state, searchParams)),
    )
    .get(
      '/:version/:id/phone_numbers',
      managing((_, { pathname, searchParams }) =>
        listLines(state.lines.values(), state.subscriptions, SANDBOX.accountName, searchParams, pathname),
      ),
    )
    .get(
      '/:version/:id/subscribed_apps',
      managing(() => {
        const app = { id: SANDBOX.appId, name: SANDBOX.appName, link: 'https://sandbox.example/app' }
        const address = state.subscriptions.accountAddress
        const record = {
          whatsapp_business_api_data: app,
          ...(address !== undefined && { override_callback_uri: address }),
        }
        return { value: { data: state.subscriptions.isSubscribed ? [record] : [] } }
      }),
    )
    .post(
      '/:version/:id/subscribed_apps',
      managing(async request => {
        const refusal = await state.subscriptions.subscribe(await bodyOf(request), state.settings)
        return refusal ? { refusal } : done
      }),
    )
    .delete(
      '/:version/:id/subscribed_apps',
      managing(() => {
        state.subscriptions.unsubscribe()
        return done
      }),
    )
    .post('/:version/:id/media', async ({ params, request }) =>
      state.lines.has(params.id) ? outcome(await upload(state, params.id, request)) : unknown(params.id),
    )
    .all('/:version/:id/:edge', answerEdge)
    .all('/:version/:id/:edge/:code', answerEdge)
    .post('/:version/:id/uploads', ({ params, request }) => {
      // The app of the token may be named without its id.
      if (params.id !== SANDBOX.appId && params.id !== 'app') return unknown(params.id)
      const opened = state.uploads.open(new URL(request.url).searchParams)
      return 'id' in opened ? ok(opened) : no(opened.refusal)
    })
    .get('/:version/:id', ({ params, request }) => {
      const { search, searchParams } = new URL(request.url)
      const offset = state.uploads.offsetOf(params.id + search)
      if (offset !== undefined) return ok({ id: params.id + search, file_offset: offset })
      const line = state.lines.get(params.id)
      if (line) return ok(showLine(line, state.subscriptions, SANDBOX.accountName, searchParams))
      const template = state.templates.find(params.id)
      if (template) return ok(showTemplate(template, searchParams, originOf(request)))
      if (isAccount(params.id)) return ok({ id: state.accountId, name: SANDBOX.accountName })
      const now = state.clock.now()
      const file = state.media.find(params.id, now)
      const owner = searchParams.get('phone_number_id')
      if (!file || (owner !== null && owner !== file.lineId)) return unknown(params.id)
      return ok(state.media.describe(file, originOf(request), now))
    })
    .post('/:version/:id', async ({ params, request }) => {
      if (params.id.startsWith('upload:')) {
        const { search } = new URL(request.url)
        const bytes = new Uint8Array(await request.arrayBuffer())
        const step = state.uploads.write(params.id + search, request.headers.get('file_offset'), bytes)
        if ('refusal' in step) return no(step.refusal)
        return ok('handle' in step ? { h: step.handle } : { id: params.id + search, file_offset: step.offset })
      }
      const template = state.templates.find(params.id)
      if (template) return outcome(editTemplate(state, template, await bodyOf(request)))
      if (!state.lines.has(params.id)) return unknown(params.id)
      const { webhook_configuration: configuration } = await bodyOf(request)
      if (configuration === undefined) return no(PROBLEMS.required('webhook_configuration'))
      const refusal = await state.subscriptions.configureLine(params.id, configuration)
      return refusal ? no(refusal) : outcome(done)
    })
    .delete('/:version/:id', ({ params, request }) => {
      const file = state.media.find(params.id, state.clock.now())
      const owner = new URL(request.url).searchParams.get('phone_number_id')
      if (!file || (owner !== null && owner !== file.lineId)) return unknown(params.id)
      state.media.delete(file.id)
      return outcome(done)
    })
    .get('/download/:id', ({ params, request }) => {
      const now = state.clock.now()
      const file = state.media.find(params.id, now)
      const expiresAt = Number(new URL(request.url).searchParams.get('ext'))
      if (!file || !(expiresAt > now)) return new Response('URL signature expired', { status: 404 })
      return new Response(new Uint8Array(file.bytes), { headers: { 'content-type': file.mimeType } })
    })
}

/** A JSON or form body as an object; anything else counts as none, as the upstream has it. */
async function bodyOf(request: Request): Promise<JsonObject> {
  const text = await request.text()
  const value = parseJson(text)
  if (isObject(value)) return value
  return text.includes('=') ? Object.fromEntries(new URLSearchParams(text)) : {}
}

async function upload(state: SandboxState, lineId: string, request: Request): Promise<Outcome> {
  const parts = readMultipart(request.headers.get('content-type') ?? '', Buffer.from(await request.arrayBuffer()))
  const part = (name: string) => parts?.find(found => found.name === name)
  // Some clients write it into the address.
  const inAddress = new URL(request.url).searchParams.get('messaging_product')
  if ((part('messaging_product')?.bytes.toString() ?? inAddress) !== 'whatsapp')
    return { refusal: PROBLEMS.required('messaging_product') }
  const file = part('file')
  if (!file || file.fileName === null) return { refusal: PROBLEMS.required('file') }
  // `type` is listed as required, yet a sample of the upstream omits it; when given it must be the file's own type.
  const type = part('type')?.bytes.toString().split(';')[0]?.trim().toLowerCase() ?? ''
  if (type !== '' && file.type !== '' && type !== file.type)
    return { refusal: { code: 131053, details: `Declared type ${type} differs from the file's type ${file.type}.` } }
  const mimeType = typeByEnding(file.fileName) ?? (file.type || type)
  const result = state.media.upload({ lineId, mimeType, bytes: file.bytes, now: state.clock.now() })
  return 'file' in result ? { value: { id: result.file.id } } : result
}

/** The upstream judges sounds by the ending of the name, whatever the form declares. */
const soundTypes: Readonly<Record<string, string>> = { opus: 'audio/opus', mp3: 'audio/mpeg', webm: 'audio/webm' }
const typeByEnding = (fileName: string) => soundTypes[fileName.split('.').at(-1)?.toLowerCase() ?? '']
