import { Elysia } from 'elysia'
import type { Line, Template } from '../../../db/contract/records.ts'
import type { StoreReads } from '../../../db/contract/store.ts'
import type { EpochMs } from '../../base/clock.ts'
import { closed, Type } from '../../base/schema.ts'
import { keyWorks } from '../../operations/apiKeys.ts'
import { callbackState } from '../../operations/channels/check.ts'
import { exampleSend } from '../../templates/exampleSend.ts'
import { templateRecord } from '../../templates/record.ts'
import { guard } from '../guard.ts'
import type { ConsoleParts } from '../parts.ts'
import { conflict } from '../refusals.ts'
import { orNull, wired } from '../shapes.ts'
import { connectSandbox } from './connectSandbox.ts'

const setupAnswer = wired('Setup', {
  hasChannel: Type.Boolean(),
  hasCallbacks: Type.Boolean({ description: 'Whether a callback was accepted: the upstream platform reaches us.' }),
  hasActiveLine: Type.Boolean(),
  hasTemplate: Type.Boolean({ description: 'Whether a template is approved, so that it can be sent.' }),
  hasKey: Type.Boolean({ description: 'Whether an API key works.' }),
  hasDelivered: Type.Boolean({ description: 'Whether a message was delivered.' }),
  hasWebhook: Type.Boolean({ description: 'Whether events are delivered somewhere: a webhook is on.' }),
  firstSend: orNull(Type.Record(Type.String(), Type.Unknown()), {
    description: 'A body for the first send, without its `phone`: an approved template with its examples.',
  }),
  firstTest: orNull(
    closed({
      templateId: Type.String(),
      phoneNumberId: Type.String(),
      values: Type.Record(Type.String(), Type.Unknown()),
    }),
    { description: 'What a test message needs besides its number: the template of the first send.' },
  ),
  sandboxAvailable: Type.Boolean({ description: 'Whether the upstream platform is the stand-in.' }),
})
const connectedAnswer = wired('SandboxChannel', { channelId: Type.String() })

/** The state of the steps to the first delivered message. */
export function firstRunRoutes(parts: ConsoleParts) {
  const { store, clock, findSandbox } = parts
  return new Elysia({ name: 'console-first-run', prefix: '/workspaces/:workspaceId/setup' })
    .use(guard(parts))
    .get(
      '',
      async ({ member }) => {
        const steps = stepsOf(store.read, member.workspaceId, clock.now())
        const [done, sandbox] = await Promise.all([steps, findSandbox()])
        return { ...done, sandboxAvailable: sandbox !== null }
      },
      { role: 'viewer', response: setupAnswer, summary: 'Read the steps to the first delivered message' },
    )
    .post(
      '/sandbox',
      async ({ member }) => {
        const sandbox = await findSandbox()
        if (sandbox) return { channelId: (await connectSandbox(parts, member, sandbox)).id }
        throw conflict('The upstream platform of this gateway is not the sandbox: connect an account instead.')
      },
      {
        role: 'admin',
        response: connectedAnswer,
        summary: 'Connect the sandbox',
        description: 'Its account with a line, templates and callbacks. Only where the upstream is the sandbox.',
      },
    )
}

async function stepsOf(read: StoreReads, workspaceId: string, now: EpochMs) {
  const [channels, receipts, lines, templates, keys, hasDelivered, webhooks] = await Promise.all([
    read.channels(workspaceId),
    read.callbackReceipts(),
    read.lines(workspaceId),
    read.templates({ workspaceId, approved: true }),
    read.keys(workspaceId),
    read.hasDelivered(workspaceId),
    read.webhooks(workspaceId),
  ])
  const own = new Set(channels.map(({ id }) => id))
  return {
    hasChannel: channels.length > 0,
    hasCallbacks: receipts.some(receipt => own.has(receipt.channelId) && callbackState(receipt).state === 'accepted'),
    hasActiveLine: lines.some(({ active }) => active),
    hasTemplate: templates.length > 0,
    hasKey: keys.some(key => keyWorks(key, now)),
    hasDelivered,
    hasWebhook: webhooks.some(({ disabledAt }) => disabledAt === null),
    ...firstOf(templates, lines),
  }
}

/** A template, because a text reaches only those who wrote in the last 24 hours. One without files, if there is one. */
function firstOf(templates: readonly Template[], lines: readonly Line[]) {
  const sends = templates.flatMap(template => {
    const example = exampleSend(templateRecord(template))
    if (example === null) return []
    const { phone: _, ...body } = example
    return [{ template, body }]
  })
  const first = sends.find(({ body }) => !/https?:|carousel/.test(JSON.stringify(body))) ?? sends[0]
  if (!first) return { firstSend: null, firstTest: null }
  const { type: _, templateName: _name, templateLanguage: _language, ...values } = first.body
  const line = lines.find(({ active, channelId }) => active && channelId === first.template.channelId)
  const firstTest = line ? { templateId: first.template.id, phoneNumberId: line.id, values } : null
  return { firstSend: first.body, firstTest }
}
