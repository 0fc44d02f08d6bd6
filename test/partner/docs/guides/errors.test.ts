import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ERRORS, type Reason } from '../../../../src/base/errors.ts'
import { classify, headingOf } from '../../../../src/graph/codes.ts'
import { ERROR_CLASSES } from '../../../../src/graph/codeTable.ts'
import { createRefusalAnswer } from '../../../../src/http/answers.ts'
import { startTestGateway, type TestGateway } from '../../../gateway.ts'
import { graphError, postCallback, startUpstream, type Upstream } from '../../../upstream.ts'

const text = readFileSync(join(import.meta.dir, '../../../../docs/errors.md'), 'utf8')
/** What stands below each heading of a code. */
const sections = new Map(
  text
    .split(/^### /m)
    .slice(1)
    .map(part => [part.slice(0, part.indexOf('\n')), part.split(/^## /m)[0] ?? ''] as const),
)
const reasons = Object.keys(ERRORS) as Reason[]
/** Larger than any code that the upstream has. */
const codesEnd = 1_000_000
const upstreamCodes = Array.from({ length: codesEnd }, (_, code) => code).filter(
  // One heading stands for 200 to 299.
  code => headingOf(code) === String(code),
)

describe('docs/errors.md', () => {
  test('has a heading for every code of ours and for every code of the upstream that we know, and no other', () => {
    expect(upstreamCodes.length).toBeGreaterThan(60)
    expect([...sections.keys()].sort()).toEqual([...reasons, ...upstreamCodes.map(String)].sort())
  })

  test('says of each code of ours its statuses and the remedy', () => {
    for (const reason of reasons) {
      const section = sections.get(reason) ?? ''
      const statuses = ERRORS[reason].status.toSorted().join(' or ')
      expect(section).toStartWith(`${reason}\n\n**${statuses}.** `)
      expect(section).toContain('**Remedy.** ')
    }
  })

  test('says of each code of the upstream how it is answered, and the remedy', () => {
    const wrong = upstreamCodes.filter(code => {
      const errorClass = classify(400, { code, subcode: null, isTransient: false, message: null })
      if (errorClass === null) return true
      const { fault, retryable } = ERROR_CLASSES[errorClass]
      const section = sections.get(String(code)) ?? ''
      const answer = `**${fault === 'request' ? 400 : 502}**, \`retryable: ${retryable}\`. `
      return !section.startsWith(`${code}\n\n${answer}`) || !section.includes('**Remedy.** ')
    })
    expect(wrong).toEqual([])
  })
})

describe('the link of an error answer', () => {
  let gateway: TestGateway
  let page: string
  let upstream: Upstream
  beforeAll(async () => {
    upstream = startUpstream(() => graphError(400, { code: 131026, message: 'undeliverable' }))
    gateway = await startTestGateway({ upstream, env: { PUBLIC_URL: 'https://gateway.example/waypost/' } })
    page = await (await fetch(`${gateway.url}/docs/errors`)).text()
  })
  afterAll(async () => {
    await gateway.stop()
    await upstream.stop()
  })
  const linksOf = (header: string | null) =>
    (header ?? '').split(', ').map(each => /^<([^>]*)>; rel="help"$/.exec(each)?.[1] ?? `not a link: ${each}`)
  const isAnchor = (link: string) => page.includes(` id="${link.slice(link.indexOf('#') + 1)}"`)

  test('of each code of ours leads to its heading in the executable', () => {
    for (const reason of reasons) {
      const answer = createRefusalAnswer(null)({ reason, message: 'x' }, {})
      const links = linksOf(answer.headers.get('link'))
      expect(links).toEqual([`/docs/errors#${reason}`])
      expect([reason, links.every(isAnchor)]).toEqual([reason, true])
    }
  })

  test('of each upstream code leads to the heading of that code too', () => {
    const refusal = (code: number | null) =>
      ({ reason: 'CHANNEL_GRAPH_ERROR', message: 'x', details: { code } }) as const
    const links = (code: number | null) =>
      linksOf(createRefusalAnswer(null)(refusal(code), {}).headers.get('link')).map(link => link.split('#')[1])
    const missing = upstreamCodes.filter(code => {
      const [ours, theirs] = links(code)
      return ours !== 'CHANNEL_GRAPH_ERROR' || theirs !== String(code) || !isAnchor(`#${theirs}`)
    })
    expect(missing).toEqual([])
    expect([links(299), links(999_999), links(null)]).toEqual([
      ['CHANNEL_GRAPH_ERROR', '200'],
      ['CHANNEL_GRAPH_ERROR'],
      ['CHANNEL_GRAPH_ERROR'],
    ])
  })

  test('is on the answers of every kind of route, below the path of PUBLIC_URL, and on no success', async () => {
    const help = '/waypost/docs/errors#'
    const text = { type: 'text', phone: '+15550100200', content: 'Hello.' }
    const answers = [
      [await gateway.get('/api/v1/public/templates', { apiKey: 'pk_x', apiSecret: 'sk_x' }), ['UNAUTHORIZED']],
      [await gateway.get('/api/v1/public/messages/msg_x'), ['NOT_FOUND']],
      [await gateway.get('/nowhere'), ['NOT_FOUND']],
      [await gateway.send({}), ['VALIDATION_ERROR']],
      [await gateway.send(text), ['CHANNEL_GRAPH_ERROR', '131026']],
    ] as const
    for (const [{ status, headers, json }, codes] of answers) {
      expect(status).toBeGreaterThanOrEqual(400)
      expect(json.error).toBe(codes[0])
      expect(linksOf(headers.get('link'))).toEqual(codes.map(code => help + code))
    }
    const unsigned = await postCallback(`${gateway.url}/callbacks/channel/${gateway.channelId}`, {}, 'another secret')
    expect([unsigned.status, linksOf(unsigned.headers.get('link'))]).toEqual([401, [`${help}UNAUTHORIZED`]])
    expect((await gateway.get('/api/v1/public/templates')).headers.has('link')).toBe(false)
  })
})
