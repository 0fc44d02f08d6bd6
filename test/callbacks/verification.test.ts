import { describe, expect, test } from 'bun:test'
import { newId } from '../../src/base/ids.ts'
import { sharedFixture } from '../fixture.ts'
import { codeOf, startTestGateway } from '../gateway.ts'
import { callbackUrl } from './report.ts'

const gateway = sharedFixture(startTestGateway)

const verify = (query: Record<string, string>, channelId = gateway.channelId) =>
  fetch(`${callbackUrl(gateway, channelId)}?${new URLSearchParams(query)}`)
const right = { 'hub.mode': 'subscribe', 'hub.challenge': '1158201444', 'hub.verify_token': 'verify-token' }

describe('the verification request', () => {
  test('200: the challenge comes back as plain body', async () => {
    const response = await verify(right)
    expect([response.status, await response.text()]).toEqual([200, '1158201444'])
    expect(response.headers.get('content-type')).toStartWith('text/plain')
  })

  test('200: a challenge of any letters comes back unchanged and is never a page', async () => {
    for (const challenge of ['0', '00123', '9007199254740993', 'a b+c%', '<script>alert(1)</script>', '{"a":1}']) {
      const response = await verify({ ...right, 'hub.challenge': challenge })
      expect([response.status, await response.text()]).toEqual([200, challenge])
      expect(response.headers.get('content-type')).toStartWith('text/plain')
    }
  })

  const { 'hub.mode': _mode, ...noMode } = right
  const { 'hub.verify_token': _token, ...noToken } = right
  const { 'hub.challenge': _challenge, ...noChallenge } = right
  test.each<[string, Record<string, string>]>([
    ['a wrong token', { ...right, 'hub.verify_token': 'verify-tokem' }],
    ['a token in another case', { ...right, 'hub.verify_token': 'VERIFY-TOKEN' }],
    ['a longer token', { ...right, 'hub.verify_token': 'verify-token ' }],
    ['an empty token', { ...right, 'hub.verify_token': '' }],
    ['no token', noToken],
    ['the app secret as token', { ...right, 'hub.verify_token': 'app-secret' }],
    ['another mode', { ...right, 'hub.mode': 'unsubscribe' }],
    ['no mode', noMode],
    ['no challenge', noChallenge],
    ['nothing', {}],
  ])('403: %s, and the challenge does not come back', async (_, query) => {
    const response = await verify(query)
    expect(response.status).toBe(403)
    expect(await response.text()).not.toContain('1158201444')
  })

  test.each([newId('chan'), 'chan_1', '%00', '%zz', "' OR 1=1 --"])('404 NOT_FOUND: channel %p', async channelId => {
    const response = await verify(right, encodeURI(channelId).replaceAll('%25', '%'))
    expect(await codeOf(response)).toBe('404 NOT_FOUND')
  })
})
