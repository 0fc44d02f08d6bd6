import { Agent, request } from 'undici'

/** The platform that messages are sent to, over connections that are kept. */

const timeoutMs = 30_000

export function openPlatform(url) {
  const dispatcher = new Agent({ keepAliveTimeout: timeoutMs, headersTimeout: timeoutMs, bodyTimeout: timeoutMs })
  const headers = { authorization: 'Bearer access-token', 'content-type': 'application/json' }

  /** @returns what became of the message. A lost answer is a failure: a day has no room for more. */
  return async function attempt({ payload }) {
    try {
      const { statusCode, body } = await request(url, { method: 'POST', headers, body: payload, dispatcher })
      const answer = await body.json()
      if (statusCode !== 200) return { status: 'FAILED', platformId: null, error: JSON.stringify(answer) }
      return { status: 'SENT', platformId: answer.messages[0].id, error: null }
    } catch (error) {
      return { status: 'FAILED', platformId: null, error: String(error) }
    }
  }
}
