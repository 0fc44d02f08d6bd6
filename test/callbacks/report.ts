import type { TestGateway } from '../gateway.ts'
import { postCallback, statusCallback } from '../upstream.ts'

export const text = { type: 'text', phone: '+4915112345678', content: 'Hello' }
/** Where the clock of the upstream begins, after every send; each status of a test has its own second after it. */
export const second = Math.floor(Date.now() / 1000) + 3_600
export const iso = (seconds: number) => new Date(seconds * 1000).toISOString()

export type Status = Record<string, unknown>

export const callbackUrl = (gateway: TestGateway, channelId = gateway.channelId) =>
  `${gateway.url}/callbacks/channel/${channelId}`

/** One status of a message; `failed` comes with its errors. */
export const status = (id: string | null, name: string, seconds = second, fields: Status = {}): Status => ({
  id,
  status: name,
  timestamp: String(seconds),
  recipient_id: '4915112345678',
  ...(name === 'failed' && { errors: [failure] }),
  ...fields,
})

export const failure = {
  code: 131049,
  title: 'Not delivered',
  message: 'Not delivered',
  error_data: { details: 'In order to maintain a healthy ecosystem.' },
  href: 'https://developers.example/errors',
}

/** Posts statuses in one signed body. */
export const report = (gateway: TestGateway, ...statuses: readonly unknown[]) =>
  postCallback(callbackUrl(gateway), statusCallback(...(statuses as Status[])), gateway.appSecret)

export async function messageData(gateway: TestGateway, id: string) {
  return (await gateway.get(`/api/v1/public/messages/${id}`)).json.data
}

export async function timeline(gateway: TestGateway, id: string) {
  return gateway.gateway.store.read.timeline(id)
}
