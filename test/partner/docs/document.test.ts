import { beforeAll, describe, expect, test } from 'bun:test'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { hourMs } from '../../../src/base/durations.ts'
import { PARTNER_ERRORS, type PartnerReason } from '../../../src/base/errors.ts'
import { eventTypes } from '../../../src/base/eventTypes.ts'
import { loadConfig } from '../../../src/config/config.ts'
import { type OperationId, partnerOperations } from '../../../src/http/calls.ts'
import { operationErrors } from '../../../src/partner/docs/errorAnswers.ts'
import { ManualClock } from '../../clock.ts'
import { sharedFixture } from '../../fixture.ts'
import { startTestGateway } from '../../gateway.ts'
import { answerAt, examplesAt, type OpenApi, operationAt, readDocument, send, templates } from './openapi.ts'

/** Each with its place in the document: `get /api/v1/public/events`. */
const operations = Object.entries(partnerOperations).map(([id, { call }]): [OperationId, string] => {
  const [method = '', path = ''] = call.split(' ')
  return [id as OperationId, `${method.toLowerCase()} /api/v1/public${path.replaceAll(/:(\w+)/g, '{$1}')}`]
})
const reasons = Object.keys(PARTNER_ERRORS) as PartnerReason[]
const rateHeaders = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset', 'RateLimit-Policy']

// A clock that stands still: the window of the limit does not end between two requests.
const gateway = sharedFixture(() =>
  startTestGateway({ clock: new ManualClock(Date.now()), env: { PUBLIC_IP_RATE_LIMIT: '1' } }),
)
let document: OpenApi
beforeAll(async () => {
  // The viewer and the document do not count.
  document = await readDocument(gateway)
})

describe('the document', () => {
  test('satisfies an independent linter, examples included', async () => {
    const config = await createConfig({ extends: ['recommended-strict'] })
    const source = JSON.stringify(document)
    const problems = await lintFromString({ source, absoluteRef: '/openapi.json', config })
    expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([])
  })

  test('the linter would say if it were not', async () => {
    const config = await createConfig({ extends: ['recommended-strict'] })
    const source = JSON.stringify({ ...document, security: [{ nobody: [] }], info: { title: 'Waypost' } })
    const problems = await lintFromString({ source, absoluteRef: '/openapi.json', config })
    expect(problems.map(({ ruleId }) => ruleId)).toEqual(expect.arrayContaining(['struct', 'security-defined']))
  })

  test('has the operations of the partner API and no other route', () => {
    const listed = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map(method => `${method} ${path}`),
    )
    expect(listed.sort()).toEqual(operations.map(([, place]) => place).sort())
  })

  test('has every type of event, with its schema and an example', () => {
    expect(Object.keys(document.webhooks)).toEqual([...eventTypes])
    for (const [type, { post }] of Object.entries(document.webhooks)) {
      const { schema, examples } = post.requestBody?.content['application/json'] ?? { schema: {}, examples: {} }
      const types = Object.values(examples).map(({ value }) => value.type)
      expect([type, schema, types]).toEqual([type, { $ref: expect.stringContaining('#/components/schemas/') }, [type]])
    }
  })

  test('is served the same again', async () => {
    expect(await readDocument(gateway)).toEqual(document)
  })

  test('resolves every reference', () => {
    const references = [...JSON.stringify(document).matchAll(/"(#\/components\/[^"]+)"/g)].map(match => match[1] ?? '')
    expect(references.length).toBeGreaterThan(50)
    for (const reference of new Set(references)) {
      const found = reference
        .split('/')
        .slice(1)
        .reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], document)
      expect([reference, typeof found]).toEqual([reference, 'object'])
    }
  })

  test('asks for both key headers everywhere, under either name', () => {
    const named = document.security.map(scheme =>
      Object.keys(scheme).map(name => {
        const { in: place, name: header } = document.components.securitySchemes[name] ?? { in: '', name: '' }
        return [place, header]
      }),
    )
    expect(named).toEqual([
      [
        ['header', 'apiKey'],
        ['header', 'apiSecret'],
      ],
      [
        ['header', 'X-API-Key'],
        ['header', 'X-API-Secret'],
      ],
    ])
    expect(operations.filter(([, path]) => 'security' in operationAt(document, path))).toEqual([])
  })

  test('gives no header an example: viewers would send it with every sample, beside what the body says', () => {
    const listed = operations.flatMap(([, path]) => operationAt(document, path).parameters ?? [])
    const inline = [...listed, ...Object.values(document.components.parameters)].filter(
      parameter => parameter.in === 'header',
    )
    expect(inline.length).toBeGreaterThan(1)
    expect(inline.filter(parameter => 'example' in parameter)).toEqual([])
  })

  test('begins with the quick start, and names a contact', () => {
    expect(document.info.description.indexOf('## ')).toBe(document.info.description.indexOf('## Quick start'))
    expect(document.info.contact).toEqual({ name: 'The operator of this gateway' })
  })

  test('calls the default limits what they are', () => {
    const { ipRateLimit, keyRateLimit, idempotencyTtlMs } = loadConfig({})
    const { description } = document.info
    expect(description).toContain(`| Requests per IP address | ${ipRateLimit} per 15 minutes by default |`)
    expect(description).toContain(`| Requests per API key | ${keyRateLimit} per 15 minutes by default |`)
    expect(description).toContain(`kept for ${idempotencyTtlMs / hourMs} hours by default`)
  })

  test('says the rules about requests that no schema shows', () => {
    const { description } = document.info
    expect(description).toContain('An empty header counts as absent')
    expect(description).toContain('`null` and absent are alike')
    const [ofSend, ofTemplates] = [send, templates].map(path => operationAt(document, path).description)
    expect(ofSend).toContain('`null` for an optional field is the same as leaving it out')
    expect(ofSend).toContain("list's only section")
    expect(ofTemplates).toContain('Unknown query parameters are ignored')
  })
})

describe('refusals', () => {
  test.each(reasons)('%s is in the overview with its statuses', reason => {
    const row = document.info.description
      .split('\n')
      .find(line => line.startsWith(`| [\`${reason}\`](docs/errors#${reason}) |`))
    expect(row).toContain(` ${[...PARTNER_ERRORS[reason].status].sort().join(', ')} `)
    expect(row).toContain(PARTNER_ERRORS[reason].meaning)
  })

  test('every code can occur somewhere, and the Error schema lists them all', () => {
    expect(new Set(Object.values(operationErrors).flat())).toEqual(new Set(reasons))
    expect(document.components.schemas.Error?.properties?.error?.enum).toEqual(reasons)
  })

  test.each(operations)('%s: each code at each of its statuses, with an example and nothing else', (id, path) => {
    const expected = operationErrors[id].flatMap(reason =>
      PARTNER_ERRORS[reason].status.map(code => `${code} ${reason}`),
    )
    const shown = Object.keys(operationAt(document, path).responses)
      .map(Number)
      .filter(code => code >= 400)
      .flatMap(code => examplesAt(document, path, code).map(({ error }) => `${code} ${error}`))
    expect([...new Set(shown)].sort()).toEqual(expected.sort())
  })

  test.each(operations)('%s: each code is explained in the words of the table', (id, path) => {
    for (const reason of operationErrors[id])
      for (const code of PARTNER_ERRORS[reason].status)
        expect(answerAt(document, path, code).description).toContain(`\`${reason}\`: ${PARTNER_ERRORS[reason].meaning}`)
  })

  test('each shape of details has an example', () => {
    const all = operations.flatMap(([, path]) =>
      Object.keys(operationAt(document, path).responses).flatMap(code => examplesAt(document, path, Number(code))),
    )
    const shapes = all.flatMap(({ details }) => (details ? [Object.keys(details).sort().join()] : []))
    expect([...new Set(shapes)].sort()).toEqual([
      'code,details,issues,messageId,retryable,subcode,title,traceId',
      'code,details,messageId,retryable,subcode,title,traceId',
      'code,details,retryable,subcode,title,traceId',
      'issues',
      'languages',
      'limit,resetsAt,used',
      'phoneNumberIds',
      'scope',
      'since,status',
      'size',
      'state',
    ])
  })
})

describe('headers', () => {
  test.each(operations)(
    '%s: request id and rate limit on every answer, Link on refusals, Retry-After on 429 and 503',
    (id, path) => {
      for (const code of Object.keys(operationAt(document, path).responses)) {
        const file = id === 'getMedia' && Number(code) < 400 ? ['Content-Disposition', 'Accept-Ranges'] : []
        const tag = id === 'listTemplates' && Number(code) < 400 ? ['ETag'] : []
        const part = code === '206' ? ['Content-Range'] : []
        const help = Number(code) >= 400 ? ['Link'] : []
        const retry = code === '429' || code === '503' ? ['Retry-After'] : []
        const { headers } = answerAt(document, path, Number(code))
        expect([code, Object.keys(headers)]).toEqual([
          code,
          ['X-Request-Id', 'Cache-Control', ...rateHeaders, ...help, ...retry, ...file, ...tag, ...part],
        ])
      }
    },
  )

  test('are what a real answer carries', async () => {
    const admitted = await gateway.get(templates)
    const refused = await gateway.get(templates)
    for (const answer of [admitted, refused])
      for (const name of Object.keys(answerAt(document, templates, answer.status).headers))
        expect([answer.status, name, answer.headers.has(name)]).toEqual([answer.status, name, true])
    expect([admitted.status, refused.status]).toEqual([200, 429])
  })
})
