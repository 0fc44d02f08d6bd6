import type { BenchGateway } from './gateway.ts'
import { fixedNumber, keyed, mark, type Seeded, sendBody, sendPath } from './traffic.ts'

/** Callbacks concern these; replays repeat them. */
const messagesSeeded = 10_000
const connections = 64

/** Sends messages, the first numbers of all, and keeps their ids. */
export async function seed({ url, key }: BenchGateway): Promise<Seeded[]> {
  const seeded: Seeded[] = []
  const headers = { ...key, 'content-type': 'application/json' }
  let next = 0
  async function sendSome() {
    while (next < messagesSeeded) {
      const number = next++
      const body = sendBody(keyed).replaceAll(mark, fixedNumber(number))
      const answer = await fetch(url + sendPath, { method: 'POST', headers, body })
      if (answer.status !== 201) throw new Error(`a send was answered ${answer.status}: ${await answer.text()}`)
      const { data } = (await answer.json()) as { data: Seeded }
      seeded[number] = data
    }
  }
  await Promise.all(Array.from({ length: connections }, sendSome))
  return seeded
}
