import { Elysia, NotFoundError } from 'elysia'
import { type Issue, messageOf } from '../../errors.ts'
import { parseJson } from '../../json.ts'
import { type Check, check } from '../../schema.ts'
import { inboundInput } from '../callbacks/inbound.ts'
import { outcomes } from '../callbacks/reviews.ts'
import type { Control } from '../control.ts'
import { faultInput, issuesOf } from '../faults/faults.ts'
import { MAGIC_GUIDE } from '../faults/magic.ts'
import { SANDBOX } from '../state/defaults.ts'
import { exampleFiles } from '../state/exampleFiles.ts'
import type { SandboxState } from '../state/sandboxState.ts'
import { settingsPatch } from '../state/settings.ts'
import {
  batchInput,
  callbackUrlInput,
  outageInput,
  rawInput,
  requestsQuery,
  statusInput,
  templateInput,
  templateStatusInput,
  templateUpdateInput,
  tokenInput,
} from './inputs.ts'

/** The control routes in one place: what is mounted below is listed here, and a test compares the two. */
export const CONTROL_ROUTES: readonly { route: string; what: string }[] = [
  { route: 'GET /sandbox', what: 'this description' },
  {
    route: 'POST /sandbox/reset',
    what: 'back to the start: settings, templates, journal, faults, callbacks, media; where callbacks go stays',
  },
  { route: 'GET /sandbox/settings', what: 'throttles, 24-hour window, callback habits' },
  { route: 'PATCH /sandbox/settings', what: 'change any part of them' },
  { route: 'GET /sandbox/requests', what: 'journal of sends; ?line= waId= opaque= outcome= afterSeq= limit=' },
  { route: 'GET /sandbox/doubles', what: 'opaque data that went out more than once' },
  { route: 'GET /sandbox/faults', what: 'the faults that are on' },
  { route: 'POST /sandbox/faults', what: 'switch a fault on: next n, every nth, all; per line, recipient, route' },
  { route: 'DELETE /sandbox/faults', what: 'switch all faults off' },
  { route: 'DELETE /sandbox/faults/:id', what: 'switch one fault off' },
  { route: 'PUT /sandbox/token', what: 'make the access token valid, expired or invalidated' },
  { route: 'POST /sandbox/outage', what: 'refuse connections for a while' },
  { route: 'GET /sandbox/templates', what: 'all templates' },
  { route: 'PUT /sandbox/templates', what: 'add or replace a template' },
  { route: 'DELETE /sandbox/templates/:name/:language', what: 'delete a template' },
  { route: 'PUT /sandbox/templates/:name/:language/status', what: 'change its status, with a callback or silently' },
  { route: 'GET /sandbox/files/:kind/:name', what: "an image, video or document: the examples of templates' headers" },
  { route: 'POST /sandbox/media/:id/expire', what: 'let an uploaded file expire' },
  { route: 'GET /sandbox/callbacks', what: 'callback POSTs so far, and what is still to come' },
  { route: 'PUT /sandbox/callbacks/url', what: "set or clear the app's own callback address" },
  { route: 'POST /sandbox/callbacks/inbound', what: 'a user writes: text, taps, flow replies, media ...' },
  { route: 'POST /sandbox/callbacks/status', what: 'one status callback, also of an unknown message' },
  { route: 'POST /sandbox/callbacks/batch', what: 'up to 1000 statuses in one POST, padded to a size of up to 3 MB' },
  { route: 'POST /sandbox/callbacks/template', what: 'template update' },
  { route: 'POST /sandbox/callbacks/raw', what: 'any payload, signed well, wrongly, cut or not at all' },
]

const json = (status: number, value: unknown) => Response.json(value, { status })
const malformed = (issues: readonly Issue[]) => json(400, { error: 'VALIDATION_ERROR', issues })
const missing = (what: string) => json(404, { error: 'NOT_FOUND', message: `${what} is unknown` })

/** The answer says what went wrong, because the sandbox has no log. */
const failed = (path: string, error: unknown) => {
  const reason = messageOf(error)
  return json(500, { error: 'INTERNAL_ERROR', message: `The sandbox failed at ${path}: ${reason}` })
}

/** Reads and checks a JSON body, then runs the handler; a bad body is answered 400 with all its issues. */
async function withBody<T>(
  request: Request,
  checked: Check<T>,
  run: (value: T) => Response | Promise<Response>,
): Promise<Response> {
  const text = await request.text()
  const parsed = parseJson(text === '' ? '{}' : text)
  if (parsed === undefined) return malformed([{ path: '', message: 'is not valid JSON' }])
  const result = checked(parsed)
  return result.ok ? run(result.value) : malformed(result.issues)
}

const checks = {
  settings: check(settingsPatch),
  fault: check(faultInput),
  token: check(tokenInput),
  outage: check(outageInput),
  template: check(templateInput),
  templateStatus: check(templateStatusInput),
  callbackUrl: check(callbackUrlInput),
  inbound: check(inboundInput),
  status: check(statusInput),
  batch: check(batchInput),
  templateUpdate: check(templateUpdateInput),
  raw: check(rawInput),
  requests: check(requestsQuery, 'text'),
} as const

/** The control routes. They ask for no credentials: the stand-in listens on the loopback address by default. */
export function controlApp(state: SandboxState, control: Control, onReset: () => Promise<void>) {
  const delivered = (result: object | undefined) => (result ? json(200, result) : missing('the line'))
  return new Elysia({ name: 'sandbox-control', prefix: '/sandbox' })
    .onError(({ error, path }) => (error instanceof NotFoundError ? missing(path) : failed(path, error)))
    .get('/', () => json(200, describe(state)))
    .post(
      '/reset',
      async () => {
        control.reset()
        await onReset()
        return json(200, { ok: true })
      },
      { parse: 'none' },
    )
    .get('/settings', () => json(200, control.settings()))
    .patch(
      '/settings',
      ({ request }) => withBody(request, checks.settings, patch => json(200, control.configure(patch))),
      { parse: 'none' },
    )
    .get('/requests', ({ request }) => {
      const result = checks.requests(Object.fromEntries(new URL(request.url).searchParams))
      if (!result.ok) return malformed(result.issues)
      return json(200, { totals: control.totals(), requests: control.requests(result.value) })
    })
    .get('/doubles', () => json(200, { doubles: control.doubles() }))
    .get('/faults', () => json(200, { faults: control.faults() }))
    .post(
      '/faults',
      ({ request }) =>
        withBody(request, checks.fault, input => {
          const issues = issuesOf(input)
          if (issues.length > 0) return malformed(issues)
          const id = control.addFault(input)
          return id === undefined ? json(409, { error: 'TOO_MANY_FAULTS' }) : json(201, { id })
        }),
      { parse: 'none' },
    )
    .delete(
      '/faults',
      () => {
        control.clearFaults()
        return json(200, { ok: true })
      },
      { parse: 'none' },
    )
    .delete(
      '/faults/:id',
      ({ params }) => (control.removeFault(params.id) ? json(200, { ok: true }) : missing('the fault')),
      { parse: 'none' },
    )
    .put(
      '/token',
      ({ request }) =>
        withBody(request, checks.token, ({ state }) => {
          control.setToken(state)
          return json(200, { state })
        }),
      { parse: 'none' },
    )
    .post(
      '/outage',
      ({ request }) =>
        withBody(request, checks.outage, ({ forMs }) => {
          // The answer must be sent before the port closes.
          state.clock.setTimer(0, () => void control.outage(forMs))
          return json(202, { forMs })
        }),
      { parse: 'none' },
    )
    .use(templateRoutes(control))
    .get('/files/:kind/:name', ({ params }) => {
      const file = Object.hasOwn(exampleFiles, params.kind) ? exampleFiles[params.kind] : undefined
      return file
        ? new Response(new Uint8Array(file.bytes), { headers: { 'content-type': file.mimeType } })
        : missing('the file')
    })
    .post(
      '/media/:id/expire',
      ({ params }) => (control.expireMedia(params.id) ? json(200, { ok: true }) : missing('the media id')),
      { parse: 'none' },
    )
    .get('/callbacks', () => json(200, { pending: control.pending(), deliveries: control.deliveries() }))
    .put(
      '/callbacks/url',
      ({ request }) =>
        withBody(request, checks.callbackUrl, ({ url }) => {
          control.setCallbackUrl(url ?? undefined)
          return json(200, { url })
        }),
      { parse: 'none' },
    )
    .post(
      '/callbacks/inbound',
      ({ request }) => withBody(request, checks.inbound, async input => delivered(await control.inbound(input))),
      { parse: 'none' },
    )
    .post(
      '/callbacks/status',
      ({ request }) => withBody(request, checks.status, async input => delivered(await control.status(input))),
      { parse: 'none' },
    )
    .post(
      '/callbacks/batch',
      ({ request }) => withBody(request, checks.batch, async input => delivered(await control.batch(input))),
      { parse: 'none' },
    )
    .post(
      '/callbacks/template',
      ({ request }) =>
        withBody(request, checks.templateUpdate, async input => delivered(await control.templateUpdate(input))),
      { parse: 'none' },
    )
    .post(
      '/callbacks/raw',
      ({ request }) =>
        withBody(request, checks.raw, async ({ payload, ...options }) =>
          delivered(await control.raw(payload, options)),
        ),
      { parse: 'none' },
    )
}

function templateRoutes(control: Control) {
  return new Elysia({ name: 'sandbox-control-templates' })
    .get('/templates', () => json(200, { templates: control.templates() }))
    .put(
      '/templates',
      ({ request }) =>
        withBody(request, checks.template, input => {
          const template = control.putTemplate(input)
          return template ? json(200, template) : json(409, { error: 'TOO_MANY_TEMPLATES' })
        }),
      { parse: 'none' },
    )
    .delete(
      '/templates/:name/:language',
      ({ params }) =>
        control.deleteTemplate(params.name, params.language) ? json(200, { ok: true }) : missing('the template'),
      { parse: 'none' },
    )
    .put(
      '/templates/:name/:language/status',
      ({ params, request }) =>
        withBody(request, checks.templateStatus, async ({ status, ...rest }) => {
          const { name, language } = params
          const template = await control.setTemplateStatus({ name, language, event: status, ...rest })
          return template ? json(200, template) : missing('the template')
        }),
      { parse: 'none' },
    )
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
    routes: CONTROL_ROUTES,
    magicRecipients: MAGIC_GUIDE,
    magicTemplateNames: outcomes.map(({ prefix, what }) => ({ begins: prefix, what })),
  }
}
