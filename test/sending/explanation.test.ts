import { beforeEach, expect, test } from 'bun:test'
import type { Template } from '../../db/contract/records.ts'
import { hourMs, minuteMs } from '../../src/base/durations.ts'
import type { UpstreamFault } from '../../src/graph/answer.ts'
import { Explainer } from '../../src/sending/explanation.ts'
import { ManualClock } from '../clock.ts'

const fault: UpstreamFault = {
  errorClass: 'permanent',
  fault: 'request',
  retryable: false,
  code: 132000,
  subcode: null,
  title: 'Number of parameters does not match',
  details: null,
  traceId: null,
}
const payload = (components: readonly object[]) =>
  JSON.stringify({ type: 'template', template: { name: 'order', language: { code: 'en' }, components } })
const listed = (text: string) =>
  ({
    name: 'order',
    language: 'en',
    status: 'APPROVED',
    updatedAt: 0,
    components: JSON.stringify([{ type: 'BODY', text }]),
  }) as Template

let clock: ManualClock
let renewals: string[]
/** What the listing has once it is read again. */
let newer: string
/** Whether it takes longer than a caller waits. */
let isLong: boolean
let records: Template[]
let explainer: Explainer

beforeEach(() => {
  clock = new ManualClock()
  renewals = []
  newer = 'Hi {{1}}'
  isLong = false
  records = [listed('Hi {{1}}')]
  const lastRead = new Map<string, number>()
  explainer = new Explainer({
    store: { read: { templatesNamed: async () => records } },
    templateRefresher: {
      renew: async channelId => {
        if (clock.steady() - (lastRead.get(channelId) ?? Number.NEGATIVE_INFINITY) < minuteMs) return 'new'
        lastRead.set(channelId, clock.steady())
        renewals.push(channelId)
        records = [listed(newer)]
        return isLong ? 'late' : 'read'
      },
    },
    clock,
  })
})

test('the listing is read before: it is what the upstream compared with', async () => {
  newer = 'Hi {{1}}, your order {{2}}'
  const { issues } = await explainer.explain(
    'chan_1',
    payload([{ type: 'body', parameters: [{ type: 'text', text: 'Ada' }] }]),
    fault,
  )
  expect(issues).toEqual([
    { path: '/templateComponents/0/parameters', message: expect.stringContaining('must have 2') },
  ])
})

test.each([false, true])('however many sends are refused, an account is asked for few listings: %p', async long => {
  isLong = long
  for (let second = 0; second < 7_200; second += 5) {
    const { issues } = await explainer.explain('chan_1', payload([]), fault)
    expect(issues).toHaveLength(1)
    clock.advance(5_000)
  }
  expect(renewals).toHaveLength(20)
  await explainer.explain('chan_2', payload([]), fault)
  expect(renewals.at(-1)).toBe('chan_2')
})

test('an hour later the listing is read again', async () => {
  for (let minute = 0; minute < 30; minute += 1) {
    await explainer.explain('chan_1', payload([]), fault)
    clock.advance(minuteMs)
  }
  expect(renewals).toHaveLength(10)
  clock.advance(hourMs)
  await explainer.explain('chan_1', payload([]), fault)
  expect(renewals).toHaveLength(11)
})

test('the timeline keeps a bounded number of problems', async () => {
  const many = Array.from({ length: 250 }, () => ({ type: 'text', text: '' }))
  const { issues } = await explainer.explain('chan_1', payload([{ type: 'body', parameters: many }]), fault)
  expect(issues).toHaveLength(20)
})

test('a template that is gone, or not approved any more, is said', async () => {
  records = []
  newer = 'Hi'
  const { issues } = await explainer.explain('chan_1', payload([]), { ...fault, code: 132001 })
  expect(issues).toBeUndefined()
  records = [{ ...listed('Hi'), status: 'PAUSED' }]
  const paused = await explainer.explain('chan_1', payload([]), { ...fault, code: 132001 })
  expect(paused.issues).toEqual([{ path: '/templateName', message: expect.stringContaining('PAUSED') }])
})
