import { beforeAll, expect, test } from 'bun:test'
import { sharedFixture } from '../fixture.ts'
import { orderTemplate, startTestGateway } from '../gateway.ts'

const drifted = [
  '[null]',
  '[{}]',
  '[{"type":5}]',
  '[{"type":"BODY","text":null}]',
  '[{"type":"HEADER","format":7}]',
  '[{"type":"BUTTONS","buttons":[{}]}]',
  '[{"type":"BUTTONS","buttons":{}}]',
  '[{"type":"CAROUSEL","cards":[null]}]',
].map((components, index) => ({ ...orderTemplate, name: `drifted_${index}`, components }))

const gateway = sharedFixture(startTestGateway)
beforeAll(() => gateway.addTemplates(orderTemplate, ...drifted))

test('records that drifted do not cost the list', async () => {
  const { status, json } = await gateway.get('/api/v1/public/templates')
  expect(status).toBe(200)
  const names = json.data.templates.map(({ name }: { name: string }) => name)
  expect(names.sort()).toEqual([orderTemplate, ...drifted].map(({ name }) => name).sort())
})

test.each(drifted.map(({ name, components }) => [components, name]))('one with %s is sent', async (_, name) => {
  const body = { type: 'template', phone: '+4915112345678', templateName: name, templateVariables: {} }
  expect((await gateway.send(body)).status).toBe(201)
})
