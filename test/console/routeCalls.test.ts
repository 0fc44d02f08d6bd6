import { expect, test } from 'bun:test'
import { resolve } from 'node:path'

// Not by a static import: browser code is type-checked by itself.
const { callsBy } = await import(resolve(import.meta.dir, '../../src/console/web/api/routeCalls.ts'))

type Path = 'workspaces' | 'phone-numbers' | 'webhooks' | 'deliveries' | 'contacts' | 'block' | 'forget'
type Answer = { readonly data: unknown; readonly error: { readonly value: unknown } | null }
type Routes = { readonly [name in Path]: Routes } & {
  readonly [method in 'get' | 'post']: (...given: readonly object[]) => Promise<Answer>
} & ((value: Readonly<Record<string, string>>) => Routes)

/** @returns the routes, and what was asked by them */
function watched(answer: () => Response | Promise<Response> = () => Response.json({ is: 'answered' })) {
  const asked: [path: string, init: RequestInit][] = []
  const api: Routes = callsBy(async (path: string, init: RequestInit) => {
    asked.push([path, init])
    return answer()
  })
  return { asked, workspace: api.workspaces({ workspaceId: 'ws_1' }) }
}

test('a call has the path of its names and values, and what is asked by name', async () => {
  const { asked, workspace } = watched()
  await workspace['phone-numbers'].get()
  await workspace.webhooks({ webhookId: 'we_1' }).deliveries({ eventId: 'evt_1' }).get()
  await workspace.contacts.get({ query: { q: 'Ada & Söhne', cursor: undefined } })
  expect(asked.map(([path]) => path)).toEqual([
    '/api/v1/workspaces/ws_1/phone-numbers',
    '/api/v1/workspaces/ws_1/webhooks/we_1/deliveries/evt_1',
    '/api/v1/workspaces/ws_1/contacts?q=Ada+%26+S%C3%B6hne',
  ])
  expect(asked.map(([, { method, body }]) => [method, body])).toEqual(Array(3).fill(['GET', undefined]))
})

test('a body is JSON, and a call without one has no type', async () => {
  const { asked, workspace } = watched()
  await workspace.contacts({ contactId: 'con_1' }).block.post({ isBlocked: true })
  await workspace.contacts({ contactId: 'con_1' }).forget.post()
  const headers = { 'content-type': 'application/json' }
  expect(asked.map(([, init]) => init)).toEqual([
    { method: 'POST', headers, body: '{"isBlocked":true}' },
    { method: 'POST' },
  ])
})

test('who asks can break a call off', async () => {
  const { asked, workspace } = watched()
  const { signal } = new AbortController()
  await workspace.contacts.get({ query: {}, fetch: { signal } })
  expect(asked).toEqual([['/api/v1/workspaces/ws_1/contacts', { method: 'GET', signal }]])
})

test('what is answered is the data, and what is thrown the error', async () => {
  expect(await watched().workspace.contacts.get({ query: {} })).toEqual({
    data: { is: 'answered' },
    error: null,
  })
  const failure = new Error('unreachable')
  const { workspace } = watched(() => Promise.reject(failure))
  const { data, error } = await workspace.contacts.get({ query: {} })
  expect([data, error?.value]).toEqual([null, failure])
})
