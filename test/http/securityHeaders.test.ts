import { afterEach, describe, expect, test } from 'bun:test'
import { startTestGateway, type TestGateway } from '../gateway.ts'

const running: TestGateway[] = []
afterEach(async () => {
  for (const gateway of running.splice(0)) await gateway.stop()
})

async function start(env: Record<string, string> = {}) {
  const gateway = await startTestGateway({ env })
  running.push(gateway)
  const paths = [
    '/api/v1/public/templates',
    '/api/v1/public/nowhere',
    '/nowhere',
    '/livez',
    '/readyz',
    '/docs',
    '/docs/json',
    '/docs/scalar.js',
    '/console',
    '/console/w/ws_1/lines',
    '/console/assets/nowhere.js',
    `/callbacks/channel/${gateway.channelId}`,
  ]
  /** @returns a header of the answer to each path. */
  const headers = async (name: string, given: Record<string, string> = {}) => {
    const answers = paths.map(path => fetch(gateway.url + path, { headers: { ...gateway.key, ...given } }))
    return (await Promise.all(answers)).map(answer => answer.headers.get(name))
  }
  const all = (value: string | null) => paths.map(() => value)
  return { headers, all }
}

describe('every answer', () => {
  test('is not sniffed and sends no referrer', async () => {
    const { headers, all } = await start()
    expect(await headers('x-content-type-options')).toEqual(all('nosniff'))
    expect(await headers('referrer-policy')).toEqual(all('no-referrer'))
  })

  test('keeps browsers to https when PUBLIC_URL has it', async () => {
    const { headers, all } = await start({ PUBLIC_URL: 'https://gateway.example' })
    expect(await headers('strict-transport-security')).toEqual(all('max-age=31536000'))
  })

  test('keeps browsers to https when a trusted proxy says so, and no other', async () => {
    const byTls = { 'x-forwarded-proto': 'https' }
    const trusting = await start({ TRUST_PROXY: '127.0.0.1' })
    expect(await trusting.headers('strict-transport-security', byTls)).toEqual(trusting.all('max-age=31536000'))
    expect(await trusting.headers('strict-transport-security')).toEqual(trusting.all(null))
    const alone = await start()
    expect(await alone.headers('strict-transport-security', byTls)).toEqual(alone.all(null))
  })
})
