import { NoAnswer, WaypostClient } from '@waypost/client'

/*
 * Sends once for each fault of the proxy, as somebody who gives up at once and goes on with the key of the error.
 * Prints for each fault how the first call ended, and the id of the message.
 */
const { url, apiKey, apiSecret, caller, faults, timeoutMs } = JSON.parse(process.env.SENDS ?? '{}')
const surroundings = { sleep: async () => {} }
const hasty = new WaypostClient({ url, apiKey, apiSecret, timeoutMs, attemptsMax: 1, surroundings })
const patient = new WaypostClient({ url, apiKey, apiSecret, timeoutMs, attemptsMax: 6, surroundings })
// Node 20 forgets the time limit of a body that is being read when memory is collected: here that happens all the time.
setInterval(() => globalThis.gc?.(), 50).unref()

async function send(fault: string): Promise<[string, [string, string]]> {
  const text = { type: 'text' as const, phone: '+15550150100', content: `${caller}: ${fault}` }
  try {
    return [fault, ['answered', (await hasty.send(text)).id]]
  } catch (error) {
    if (!(error instanceof NoAnswer) || error.idempotencyKey === null) return [fault, [String(error), '']]
    const sent = patient.send({ ...text, idempotencyKey: error.idempotencyKey })
    return [fault, ['NoAnswer', await sent.then(({ id }) => id, String)]]
  }
}
process.stdout.write(JSON.stringify(Object.fromEntries(await Promise.all(faults.map(send)))))
