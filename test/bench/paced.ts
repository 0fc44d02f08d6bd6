import type { BenchGateway } from './gateway.ts'
import { atMost, median, type Row, spread } from './report.ts'
import { fixedNumber, mark, sendBody, sendPath } from './traffic.ts'

/** A send at a time, as many a second as a busy caller makes. */
export const usualPerSecond = 100

/** Of a round, in milliseconds: without what is measured, and with it. */
export interface Medians {
  readonly alone: number
  readonly beside: number
}

export function comparedMedians(what: string, rounds: readonly Medians[], ratioMax: number): Row {
  const [alone, beside] = [median(rounds.map(each => each.alone)), median(rounds.map(each => each.beside))]
  const ms = (value: number) => `${value.toFixed(2)} ms`
  const figure = `${(beside / alone).toFixed(2)}${spread(rounds.map(each => each.beside / each.alone))}`
  const judged = atMost(beside / alone, ratioMax)
  return { what, connections: null, baseline: ms(alone), gateway: ms(beside), figure, ...judged }
}

let lastNumber = 0

/** @returns the median time of a send, in milliseconds. @throws Error when one is refused */
export async function paced(
  { url, key }: Pick<BenchGateway, 'url' | 'key'>,
  perSecond: number,
  seconds: number,
): Promise<number> {
  const times: number[] = []
  const headers = { ...key, 'content-type': 'application/json' }
  const send = async () => {
    lastNumber += 1
    const body = sendBody('text').replaceAll(mark, fixedNumber(lastNumber))
    const begin = performance.now()
    const answer = await fetch(url + sendPath, { method: 'POST', headers, body })
    await answer.text()
    times.push(performance.now() - begin)
    if (answer.status !== 201) throw new Error(`a send was answered ${answer.status}`)
  }
  const sent: Promise<void>[] = []
  const begin = performance.now()
  for (let n = 0; n < perSecond * seconds; n += 1) {
    await Bun.sleep(Math.max(0, begin + (n * 1_000) / perSecond - performance.now()))
    sent.push(send())
  }
  await Promise.all(sent)
  return median(times)
}
