import { closed, orNull, Type } from '../base/schema.ts'
import { pageMax } from '../reading/steps.ts'
import { graceMsMax } from '../webhooks/secrets.ts'
import { graceFields, idField } from './fields.ts'
import { eventTypeField, formatField, webhookFields as given } from './webhooks.ts'

/*
 * The fields of an endpoint, its deliveries and their attempts, and of the requests that change it. The API and the
 * console have the same ones.
 */

const moment = Type.String({ format: 'date-time' })

export const deliveryState = Type.Enum(['pending', 'delivered', 'failed'], {
  type: 'string',
  description: '`pending`: an attempt is to come. `failed`: none is made by itself.',
})

export const endpointFields = {
  id: Type.String({ description: '`hook_…`' }),
  url: Type.String({ description: 'Where events are posted.' }),
  format: formatField,
  events: given.events,
  description: orNull(Type.String(), { description: 'What it is for; null: nobody said.' }),
  workspaceId: Type.String({ description: 'The workspace whose events it gets.' }),
  lineIds: given.lineIds,
  hasHeaders: Type.Boolean({ description: 'Whether headers of its own are sent with each request.' }),
  state: Type.Enum(['works', 'failing', 'off', 'untried'], {
    type: 'string',
    description: 'Whether it works: by its last attempt. `untried`: there was none, or none since it was switched on.',
  }),
  disabledAt: orNull(moment, { description: 'Since when it is off; null: it is on.' }),
  disabledReason: orNull(Type.Enum(['switchedOff', 'gone', 'failing', 'secretLost'], { type: 'string' }), {
    description: 'Somebody did it; it answered 410; it failed for five days; its secrets are lost.',
  }),
  failingSince: orNull(moment, { description: 'Of the first failure since the last success.' }),
  deliveredAt: orNull(moment, { description: 'Of the last success.' }),
  failedAt: orNull(moment, { description: 'Of the last failure.' }),
  createdAt: { ...moment, description: 'When it was made.' },
}
export const secret = Type.String({ description: '`whsec_…`, which signs each request. Shown this once.' })
export const formerUntil = orNull(moment, { description: 'Until then the former secret signs too; null: no longer.' })
export const hasDroppedHeaders = Type.Boolean({
  description: 'The address is new, and the headers of the one before were dropped: they were meant for that one.',
})

export const attemptFields = {
  at: { ...moment, description: 'When it was made.' },
  durationMs: Type.Integer({ description: 'How long it took.' }),
  status: orNull(Type.Integer(), { description: 'HTTP; null: there was no answer.' }),
  error: orNull(Type.String(), { description: 'Why there was no whole answer; null: there was one.' }),
  answer: orNull(Type.String(), {
    description: 'The first characters of the answer; null also where a first attempt worked.',
  }),
}
export const deliveryFields = {
  eventId: Type.String({ description: 'The event, `evt_…`.' }),
  type: Type.String({ description: 'Its type.' }),
  state: deliveryState,
  attemptCount: Type.Integer({ description: 'All that were ever made.' }),
  attempts: Type.Array(closed(attemptFields, { title: 'WebhookAttempt' }), {
    description: 'The last ones, oldest first.',
  }),
  nextAt: orNull(moment, { description: 'Of the next attempt; null: none is to come.' }),
}
export const dueFields = { due: Type.Integer({ description: 'How many events are delivered again.' }) }
export const testedFields = {
  eventId: Type.String({ description: '`evt_test…`: it is no event of the workspace.' }),
  type: Type.String({ description: 'The type of the example.' }),
  ...attemptFields,
}

export const givenFields = {
  url: given.url,
  description: Type.Optional(given.description),
  events: Type.Optional(given.events),
  lineIds: Type.Optional(given.lineIds),
  headers: Type.Optional(given.headers),
  verifyToken: Type.Optional(given.verifyToken),
}
export const newEndpointFields = { ...givenFields, format: Type.Optional(formatField) }
export const whetherOn = 'Off, nothing is delivered. On again, it goes on where it stopped.'
export const isOn = Type.Boolean({
  description: whetherOn,
})
export const rotationFields = graceFields(graceMsMax)
export const testFields = { type: Type.Optional(eventTypeField) }
/** `failedSince`: what failed, or waits for another try, of events since then. */
export const replayFields = {
  eventId: Type.Optional(idField),
  failedSince: Type.Optional(moment),
  since: Type.Optional(moment),
}
export const deliveriesFields = {
  state: Type.Optional(deliveryState),
  before: Type.Optional(Type.String({ description: 'The `next` of the page before.' })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: pageMax })),
}
export const next = orNull(Type.String(), { description: '`before` of the next page; null at the end.' })

/** What each operation is, in the document of callers and in that of the console. */
export const operations = {
  add: {
    summary: 'Add a webhook',
    description: 'The only answer with its secret. Its first event is the next one of the workspace.',
  },
  remove: {
    summary: 'Remove a webhook',
    description: 'For good, with its secret and the record of its deliveries.',
  },
  test: {
    summary: 'Send a test event',
    description: 'An example, at once and only once, to an endpoint that is on or off. It is stored nowhere.',
  },
  deliveries: {
    summary: "List a webhook's deliveries",
    description: 'The newest event first. An event that was not tried yet has none.',
  },
  replay: {
    summary: 'Deliver events again',
    description:
      'One event, what failed since a time, or all since a time: exactly one of the three. A long history takes ' +
      'its time, so that sends go on, and goes on when the caller is gone; a workspace has one such replay at a ' +
      'time (409).',
  },
}
