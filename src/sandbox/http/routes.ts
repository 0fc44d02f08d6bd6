import { Elysia, NotFoundError } from 'elysia'
import { type Issue, messageOf } from '../../base/errors.ts'
import { parseJson } from '../../base/json.ts'
import { check, type Static, type TSchema } from '../../base/schema.ts'
import { inboundInput } from '../callbacks/inboundInput.ts'
import { outcomes } from '../callbacks/reviews.ts'
import type { Control } from '../control.ts'
import { faultInput, issuesOf } from '../faults/faults.ts'
import { MAGIC_GUIDE } from '../faults/magic.ts'
import { writtenOnPhone } from '../phone/answer.ts'
import { phonePage, phoneThread } from '../phone/page.ts'
import { SANDBOX } from '../state/defaults.ts'
import { exampleFiles } from '../state/exampleFiles.ts'
import type { SandboxState } from '../state/sandboxState.ts'
import { settingsPatch } from '../state/settings.ts'
import {
  batchInput,
  callbackUrlInput,
  outageInput,
  paymentInput,
  rawInput,
  requestsQuery,
  statusInput,
  templateInput,
  templateStatusInput,
  templateUpdateInput,
  tokenInput,
} from './inputs.ts'

const json = (status: number, value: unknown) => Response.json(value, { status })
const malformed = (issues: readonly Issue[]) => json(400, { error: 'VALIDATION_ERROR', issues })
const missing = (what: string) => json(404, { error: 'NOT_FOUND', message: `${what} is unknown` })
const done = { ok: true } as const

/** The answer says what went wrong, because the sandbox has no log. */
const failed = (path: string, error: unknown) => {
  const reason = messageOf(error)
  return json(500, { error: 'INTERNAL_ERROR', message: `The sandbox failed at ${path}: ${reason}` })
}

/** The parts that the control routes act on. */
interface Parts {
  readonly state: SandboxState
  readonly control: Control
  readonly onReset: () => Promise<void>
}

interface Call {
  readonly params: Readonly<Record<string, string>>
  readonly request: Request
}

/** A response, or the JSON of a 200. */
type Answer = Response | object
type Handler = (parts: Parts, call: Call) => Answer | Promise<Answer>

/** Reads and checks a JSON body, then runs the handler; a bad body is answered 400 with all its issues. */
function withBody<Schema extends TSchema>(
  schema: Schema,
  run: (parts: Parts, body: Static<Schema>, params: Call['params']) => Answer | Promise<Answer>,
): Handler {
  const checked = check(schema)
  return async (parts, { params, request }) => {
    const text = await request.text()
    const parsed = parseJson(text === '' ? '{}' : text)
    if (parsed === undefined) return malformed([{ path: '', message: 'is not valid JSON' }])
    const result = checked(parsed)
    return result.ok ? run(parts, result.value, params) : malformed(result.issues)
  }
}

const checkQuery = check(requestsQuery, 'text')
const checkInbound = check(inboundInput)
const queryOf = ({ url }: Request) => new URL(url).searchParams

/** The control routes: what each is for, as the sandbox's description lists it, and what answers it. */
const routes: Readonly<Record<`${string} /sandbox${string}`, readonly [what: string, handler: Handler]>> = {
  'GET /sandbox': [
    'this description; in a browser, the phone of a user',
    ({ state }, { request }) =>
      request.headers.get('accept')?.includes('text/html') ? phonePage(state, queryOf(request)) : describe(state),
  ],
  'GET /sandbox/phone': [
    'the phone of a user, for people; ?user=',
    ({ state }, { request }) => phonePage(state, queryOf(request)),
  ],
  'GET /sandbox/phone/thread': [
    'the messages on it; ?user=',
    ({ state }, { request }) => phoneThread(state, queryOf(request)),
  ],
  'POST /sandbox/phone': [
    'what its form sends: a text, a file or a reaction of a user',
    async ({ control, state }, { request }) => {
      const { user, input } = await writtenOnPhone(state, request)
      const result = checkInbound(input ?? { kind: 'text', from: user })
      if (!result.ok) return malformed(result.issues)
      const written = input === null ? undefined : await control.inbound(result.value)
      if (written?.problem !== undefined) return new Response(written.problem.message, { status: 400 })
      return new Response(null, { status: 303, headers: { location: `/sandbox/phone?user=${result.value.from}` } })
    },
  ],
  'GET /sandbox/media/:id': [
    'an uploaded file, as the phone shows it',
    ({ state }, { params: { id = '' } }) => {
      const file = state.media.find(id, state.clock.now())
      if (!file) return missing('the media id')
      const headers = { 'content-type': file.mimeType, 'x-content-type-options': 'nosniff' }
      return new Response(new Uint8Array(file.bytes), { headers })
    },
  ],
  'POST /sandbox/reset': [
    'resets settings, templates, journal, faults, callbacks and media; callback addresses stay',
    async ({ control, onReset }) => {
      control.reset()
      await onReset()
      return done
    },
  ],
  'GET /sandbox/settings': ['throttles, 24-hour window, callback habits', ({ control }) => control.settings()],
  'PATCH /sandbox/settings': [
    'change any part of them',
    withBody(settingsPatch, ({ control }, patch) => control.configure(patch)),
  ],
  'GET /sandbox/requests': [
    'journal of sends; ?line= waId= opaque= outcome= afterSeq= limit=',
    ({ control }, { request }) => {
      const result = checkQuery(Object.fromEntries(new URL(request.url).searchParams))
      if (!result.ok) return malformed(result.issues)
      return { totals: control.totals(), requests: control.requests(result.value) }
    },
  ],
  'GET /sandbox/doubles': [
    'opaque data that went out more than once',
    ({ control }) => ({ doubles: control.doubles() }),
  ],
  'GET /sandbox/faults': ['the faults that are on', ({ control }) => ({ faults: control.faults() })],
  'POST /sandbox/faults': [
    'switch a fault on: next n, every nth, all; per line, recipient, route',
    withBody(faultInput, ({ control }, input) => {
      const issues = issuesOf(input)
      if (issues.length > 0) return malformed(issues)
      const id = control.addFault(input)
      return id === undefined ? json(409, { error: 'TOO_MANY_FAULTS' }) : json(201, { id })
    }),
  ],
  'DELETE /sandbox/faults': [
    'switch all faults off',
    ({ control }) => {
      control.clearFaults()
      return done
    },
  ],
  'DELETE /sandbox/faults/:id': [
    'switch one fault off',
    ({ control }, { params: { id = '' } }) => (control.removeFault(id) ? done : missing('the fault')),
  ],
  'PUT /sandbox/token': [
    'make the access token valid, expired or invalidated',
    withBody(tokenInput, ({ control }, { state }) => {
      control.setToken(state)
      return { state }
    }),
  ],
  'POST /sandbox/outage': [
    'refuse connections for a while',
    withBody(outageInput, ({ control, state }, { forMs }) => {
      // The answer must be sent before the port closes.
      state.clock.setTimer(0, () => void control.outage(forMs))
      return json(202, { forMs })
    }),
  ],
  'GET /sandbox/templates': ['all templates', ({ control }) => ({ templates: control.templates() })],
  'PUT /sandbox/templates': [
    'add or replace a template',
    withBody(
      templateInput,
      ({ control }, input) => control.putTemplate(input) ?? json(409, { error: 'TOO_MANY_TEMPLATES' }),
    ),
  ],
  'DELETE /sandbox/templates/:name/:language': [
    'delete a template',
    ({ control }, { params: { name = '', language = '' } }) =>
      control.deleteTemplate(name, language) ? done : missing('the template'),
  ],
  'PUT /sandbox/templates/:name/:language/status': [
    'change its status, with a callback or silently',
    withBody(
      templateStatusInput,
      async ({ control }, { status, ...rest }, { name = '', language = '' }) =>
        (await control.setTemplateStatus({ name, language, event: status, ...rest })) ?? missing('the template'),
    ),
  ],
  'GET /sandbox/files/:kind/:name': [
    "an image, video or document: the examples of templates' headers",
    (_, { params: { kind = '' } }) => {
      const file = Object.hasOwn(exampleFiles, kind) ? exampleFiles[kind] : undefined
      return file
        ? new Response(new Uint8Array(file.bytes), { headers: { 'content-type': file.mimeType } })
        : missing('the file')
    },
  ],
  'POST /sandbox/media/:id/expire': [
    'let an uploaded file expire',
    ({ control }, { params: { id = '' } }) => (control.expireMedia(id) ? done : missing('the media id')),
  ],
  'GET /sandbox/callbacks': [
    'callback POSTs so far, and those pending',
    ({ control }) => ({ pending: control.pending(), deliveries: control.deliveries() }),
  ],
  'PUT /sandbox/callbacks/url': [
    "set or clear the app's own callback address",
    withBody(callbackUrlInput, ({ control }, { url }) => {
      control.setCallbackUrl(url ?? undefined)
      return { url }
    }),
  ],
  'POST /sandbox/callbacks/inbound': [
    'a user writes: text, taps, flow replies, files, places ...',
    withBody(inboundInput, async ({ control }, input) => {
      const written = await control.inbound(input)
      if (!written) return missing('the line')
      return written.problem === undefined ? written : malformed([written.problem])
    }),
  ],
  'POST /sandbox/callbacks/status': [
    'one status callback, also of an unknown message',
    withBody(statusInput, async ({ control }, input) => (await control.status(input)) ?? missing('the line')),
  ],
  'POST /sandbox/callbacks/payment': [
    'what becomes of a payment that a message asked for',
    withBody(paymentInput, async ({ control }, input) => (await control.payment(input)) ?? missing('the line')),
  ],
  'POST /sandbox/callbacks/batch': [
    'up to 1000 statuses in one POST, padded to a size of up to 3 MB',
    withBody(batchInput, async ({ control }, input) => (await control.batch(input)) ?? missing('the line')),
  ],
  'POST /sandbox/callbacks/template': [
    'template update',
    withBody(templateUpdateInput, ({ control }, input) => control.templateUpdate(input)),
  ],
  'POST /sandbox/callbacks/raw': [
    'any payload, signed correctly, wrongly, truncated or not at all',
    withBody(rawInput, ({ control }, { payload, ...options }) => control.raw(payload, options)),
  ],
}

/** The control routes. They ask for no credentials: the stand-in listens on the loopback address by default. */
export function controlApp(parts: Parts) {
  const app = new Elysia({ name: 'sandbox-control' }).onError(({ error, path }) =>
    error instanceof NotFoundError ? missing(path) : failed(path, error),
  )
  for (const [route, [, handler]] of Object.entries(routes)) {
    const [method = '', path = ''] = route.split(' ')
    const respond = async (call: Call) => {
      const answer = await handler(parts, call)
      return answer instanceof Response ? answer : json(200, answer)
    }
    app.route(method, path, ({ params, request }) => respond({ params, request }), { parse: 'none' })
  }
  return app
}

function describe(state: SandboxState) {
  return {
    name: 'Waypost sandbox',
    what: 'A stand-in for the upstream messaging platform. Nothing leaves this machine but callbacks.',
    accountId: state.accountId,
    accountName: SANDBOX.accountName,
    // For a gateway that connects itself. They are the stand-in's, so they are no secrets.
    accessToken: state.accessToken,
    appSecret: state.appSecret,
    appId: SANDBOX.appId,
    lines: Array.from(state.lines.values(), ({ id, number }) => ({ upstreamPhoneId: id, number })),
    callbackUrl: state.subscriptions.appAddress ?? null,
    overrideCallbackUrl: state.subscriptions.accountAddress ?? null,
    totals: state.journal.totals(),
    routes: Object.entries(routes).map(([route, [what]]) => ({ route, what })),
    magicRecipients: MAGIC_GUIDE,
    magicTemplateNames: outcomes.map(({ prefix, what }) => ({ begins: prefix, what })),
  }
}
