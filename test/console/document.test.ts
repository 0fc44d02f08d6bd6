import { beforeAll, expect, test } from 'bun:test'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { sharedFixture } from '../fixture.ts'
import { type Answer, startTestGateway } from '../gateway.ts'
import { accessTable } from './access.ts'

interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly security: readonly object[]
  readonly responses: Readonly<Record<string, unknown>>
}

let answer: Answer
let operations: (readonly [route: string, operation: Operation])[]
const gateway = sharedFixture(startTestGateway)
beforeAll(async () => {
  answer = await gateway.get('/docs/internal/json')
  const paths = answer.json.paths as Record<string, Record<string, Operation>>
  operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const pattern = path.replaceAll(/\{(\w+)\}/g, ':$1')
      return [`${method.toUpperCase()} ${pattern}`, operation] as const
    }),
  )
})

test('has every internal route with what it demands, and no other route', () => {
  expect(operations.map(([route]) => route).sort()).toEqual(Object.keys(accessTable).sort())
  for (const [route, { security, responses }] of operations) {
    const isOpen = accessTable[route] === 'open'
    expect([route, security]).toEqual([route, isOpen ? [] : [{ accessToken: [] }]])
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(['200', '401', '403']))
  }
})

test('names each operation once, and says what it does', () => {
  const ids = operations.map(([, { operationId }]) => operationId)
  expect(new Set(ids).size).toBe(ids.length)
  for (const [route, { summary }] of operations)
    expect([route, summary]).not.toEqual([route, expect.stringMatching(/^\//)])
})

test('satisfies an independent linter', async () => {
  const config = await createConfig({ extends: ['spec'] })
  const problems = await lintFromString({ source: answer.text, config })
  expect(problems.map(({ message, location }) => `${message} ${location[0]?.pointer}`)).toEqual([])
})

test('is a section of its own in the viewer, and no part of the document for partners', async () => {
  expect((await gateway.get('/docs')).text).toContain('docs/internal/json')
  expect((await gateway.get('/docs/json')).text).not.toContain('/workspaces/')
})
