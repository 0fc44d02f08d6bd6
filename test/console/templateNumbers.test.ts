import { afterAll, beforeAll, expect, test } from 'bun:test'
import { dayMs } from '../../src/base/durations.ts'
import { dayOf } from '../../src/message/counts.ts'
import { ManualClock } from '../clock.ts'
import { startTestGateway, type TestGateway } from '../gateway.ts'
import { accept, graphError } from '../upstream.ts'
import { addPerson, type Person } from './people.ts'

const today = Math.floor(Date.now() / dayMs) * dayMs + dayMs / 2
const clock = new ManualClock(today - 10 * dayMs)
let gateway: TestGateway
let person: Person
beforeAll(async () => {
  gateway = await startTestGateway({ clock })
  person = await addPerson(gateway, 'viewer')
  const components = JSON.stringify([{ type: 'BODY', text: 'Hello' }])
  await gateway.addTemplates(...['de', 'en_US'].map(language => ({ name: 'order', language, components })), {
    name: 'unused',
    language: 'de',
    components,
  })
})
afterAll(() => gateway.stop())

async function send(templateLanguage: string, refusal?: number) {
  gateway.upstream.answer = refusal === undefined ? accept : () => graphError(400, { code: refusal, message: 'No' })
  const template = { type: 'template', templateName: 'order', templateLanguage, templateVariables: {} }
  await gateway.send({ ...template, phone: '+4915112345678' })
}
const read = async (path: string) => (await person.call(`/api/v1/workspaces/${gateway.workspaceId}/${path}`)).json

test('each language of a template has its messages of 7 and 30 days, its failures, and why most failed', async () => {
  expect(await read('template-numbers')).toEqual({ templates: [], countedUntil: null, failuresSince: null })
  await send('de')
  await send('de', 132001)
  await gateway.gateway.store.write.countUsage({ before: clock.now() + 1, limit: 100 })
  clock.set(10 * dayMs)
  // The sign-in of before has ended.
  person = await addPerson(gateway, 'viewer')
  await send('en_US')
  for (const code of [131026, 132001, 132001]) await send('de', code)

  const { templates } = await read('template-numbers')
  const [week, month] = [dayOf(today - 6 * dayMs), dayOf(today - 29 * dayMs)]
  const mostly = (count: number) => ({ cause: '132001', words: expect.stringContaining('(132001)'), count })
  expect(
    templates.toSorted((a: { language: string }, b: { language: string }) => (a.language < b.language ? -1 : 1)),
  ).toEqual([
    {
      ...{ name: 'order', language: 'de' },
      week: { since: week, sent: 3, failed: 3, cause: mostly(2) },
      month: { since: month, sent: 5, failed: 4, cause: mostly(3) },
    },
    {
      ...{ name: 'order', language: 'en_US' },
      week: { since: week, sent: 1, failed: 0, cause: null },
      month: { since: month, sent: 1, failed: 0, cause: null },
    },
  ])

  // The list of messages has the same ones.
  const found = await read(`messages?template=order&language=de&status=FAILED&since=${week}T00:00:00.000Z`)
  expect(found.messages).toHaveLength(3)
  expect((await read('message-filters')).languages).toEqual(['de', 'en_US'])

  const listed = async (order: string): Promise<string[]> =>
    (await read(`templates?phoneNumberId=${gateway.line.id}&search=order${order}`)).templates
      .filter(({ name }: { name: string }) => name === 'order')
      .map(({ language }: { language: string }) => language)
  for (let more = 0; more < 5; more += 1) await send('en_US', 131026)
  expect([await listed(''), await listed('&order=failures'), await listed('&order=use')]).toEqual([
    ...[
      ['de', 'en_US'],
      ['en_US', 'de'],
      ['en_US', 'de'],
    ],
  ])
})
