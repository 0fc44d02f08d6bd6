import { createChannelClient } from '../../src/graph/client.ts'
import type { Exchange, HttpRequest } from '../../src/transport/transport.ts'

export const json = (status: number, body: unknown): Exchange => ({
  kind: 'answered',
  status,
  headers: {},
  body: typeof body === 'string' ? body : JSON.stringify(body),
})

/** A client whose requests are kept in `asked`, and answered as the test says. */
export function recordedClient(answer: (request: HttpRequest) => Exchange) {
  const asked: HttpRequest[] = []
  const transport = {
    async exchange(request: HttpRequest) {
      asked.push(request)
      return answer(request)
    },
    close() {},
  }
  const settings = { apiUrl: 'https://graph.example.com', apiVersion: 'v25.0', timeoutMs: 1_234 }
  return { ...createChannelClient(transport, settings), asked }
}
