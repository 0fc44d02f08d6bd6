import { expect, test } from 'bun:test'
import { ownHeadersMax, ownHeadersProblem } from '../../src/webhooks/headers.ts'

test.each([
  [{}],
  [{ Authorization: 'Bearer abc', 'X-Tenant': 'Acme, Inc.' }],
  [Object.fromEntries(Array.from({ length: ownHeadersMax }, (_, n) => [`x-${n}`, 'v'.repeat(1_000)]))],
])('%j can be added', headers => expect(ownHeadersProblem(headers)).toBeNull())

test.each<[object, string]>([
  [Object.fromEntries(Array.from({ length: ownHeadersMax + 1 }, (_, n) => [`x-${n}`, ''])), 'at most 10'],
  [{ 'x tenant': 'a' }, 'is no name of a header'],
  [{ '': 'a' }, 'is no name of a header'],
  [{ 'x-tenant:': 'a' }, 'is no name of a header'],
  [{ ['x'.repeat(101)]: 'a' }, 'more than 100 characters'],
  [{ 'x-tenant': 'a'.repeat(1_001) }, 'more than 1000 characters'],
  [{ 'x-tenant': 'Ä' }, 'printable ASCII'],
  [{ 'x-tenant': 'a\r\nhost: b' }, 'printable ASCII'],
  [{ 'Webhook-Signature': 'v1,x' }, 'is set by Waypost'],
  [{ Host: 'x' }, 'is set by Waypost'],
  [{ 'Content-Length': '1' }, 'is set by Waypost'],
  [{ 'transfer-encoding': 'chunked' }, 'is set by Waypost'],
  [{ 'user-agent': 'x' }, 'is set by Waypost'],
  [{ 'X-Tenant': 'a', 'x-tenant': 'b' }, 'is there twice'],
])('%j cannot', (headers, why) => expect(ownHeadersProblem({ ...headers })).toContain(why))
