import { expect, test } from 'bun:test'
import { afterTries, outcomeOf, triesMax } from '../../src/batches/outcome.ts'

const upload = (status: number, details: object) =>
  outcomeOf(
    {
      kind: 'refused',
      refusal: { reason: 'CHANNEL_GRAPH_ERROR', message: 'The file was not taken.', status, details: { ...details } },
    },
    {},
  )
const failed = {
  kind: 'settled',
  state: 'failed',
  reason: { code: 'CHANNEL_GRAPH_ERROR', message: 'The file was not taken.' },
} as const

test('a file that the platform never takes ends its item, and is tried again before', () => {
  const outcome = upload(502, { code: 2, retryable: true })
  for (let tries = 1; tries < triesMax; tries += 1) expect(afterTries(outcome, tries).kind).toBe('again')
  expect(afterTries(outcome, triesMax)).toEqual(failed)
  expect(upload(400, { code: 100, retryable: false })).toEqual(failed)
})

test('what is not the fault of an item is tried for as long as it lasts', () => {
  const away = outcomeOf(
    { kind: 'refused', refusal: { reason: 'SERVICE_UNAVAILABLE', message: 'Later.', status: 503 } },
    {},
  )
  expect(afterTries(away, 1_000 * triesMax).kind).toBe('again')
})
