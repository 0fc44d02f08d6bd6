import { beforeAll, expect, test } from 'bun:test'
import { dropInOperations } from '../../src/http/dropInCalls.ts'
import { sharedFixture } from '../fixture.ts'
import { startTestGateway, type TestGateway } from '../gateway.ts'
import { addPerson, type Person } from './people.ts'

/** Whoever may see the lines. */
let viewer: Person
let viewerOfOff: Person
const gateway = sharedFixture(() => startTestGateway({ env: { GRAPH_API: 'on' } }))
const off = sharedFixture(() => startTestGateway())
beforeAll(async () => {
  viewer = await addPerson(gateway, 'viewer')
  viewerOfOff = await addPerson(off, 'viewer')
})

const read = async (person: Person, { workspaceId }: TestGateway, what: string) =>
  (await person.call(`/api/v1/workspaces/${workspaceId}/${what}`)).json
const byClients = Object.values(dropInOperations).map(({ call }) => call)

test('on: the settings name the address, and requests may be filtered by the calls of clients', async () => {
  expect(await read(viewer, gateway, 'settings')).toMatchObject({ graphUrl: '/graph' })
  expect((await read(viewer, gateway, 'request-filters')).calls).toEqual(expect.arrayContaining(byClients))
})

test('off: neither', async () => {
  expect(await read(viewerOfOff, off, 'settings')).toMatchObject({ graphUrl: null })
  const { calls } = await read(viewerOfOff, off, 'request-filters')
  expect(calls.filter((call: string) => call.includes('graph'))).toEqual([])
})

test('the address is that of PUBLIC_URL where it is set', async () => {
  const named = await startTestGateway({ env: { GRAPH_API: 'on', PUBLIC_URL: 'https://gateway.example' } })
  try {
    const person = await addPerson(named, 'viewer')
    expect((await read(person, named, 'settings')).graphUrl).toBe('https://gateway.example/graph')
  } finally {
    await named.stop()
  }
})
