import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pythonTypes } from '../../packages/client/pythonTypes.ts'
import { startTestGateway } from '../gateway.ts'
import { root } from '../structure/modules.ts'

const written = (path: string) => readFileSync(join(root, path), 'utf8')

test('the types of both clients are those of the API document; else: bun run client:types', async () => {
  const gateway = await startTestGateway()
  await using stack = new AsyncDisposableStack()
  stack.defer(() => gateway.stop())
  // As packages/client/generate.ts asks: the document names the address that is asked.
  const headers = { host: '127.0.0.1:8080' }
  const document = await (await fetch(`${gateway.url}/docs/json`, { headers })).text()
  const [origin] = written('packages/client/src/api.ts').split('\n', 1)
  expect(origin).toEndWith(Bun.CryptoHasher.hash('sha256', document, 'hex'))
  expect(written('clients/python/waypost/types.py')).toBe(pythonTypes(JSON.parse(document)))
})
