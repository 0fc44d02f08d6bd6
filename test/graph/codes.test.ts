import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { readFault } from '../../src/graph/answer.ts'
import { classify, ERROR_CLASSES, type ErrorClass } from '../../src/graph/codes.ts'
import { hungAfterMs } from '../timeLimit.ts'

setDefaultTimeout(hungAfterMs)

const error = (code: number | null, fields: { subcode?: number; isTransient?: boolean; message?: string } = {}) => ({
  code,
  subcode: null,
  isTransient: false,
  message: null,
  ...fields,
})

/** The table of docs/upstream.md#error-codes, row by row: codes, class, our HTTP status. */
const table: readonly [meaning: string, codes: readonly number[], ErrorClass, ours: 400 | 502][] = [
  ['token expired or invalid', [0, 190], 'token', 502],
  ['no token in the request', [104], 'token', 502],
  ['capability or permission missing', [3, 10, 200, 201, 250, 298, 299, 131005], 'accountStop', 502],
  ['call limit of the app or the account', [4, 613, 80007, 80008], 'throttleApp', 502],
  ['line throughput', [130429], 'throttleLine', 502],
  ['line restricted after spam reports', [131048], 'throttleLine', 502],
  ['pair limit', [131056], 'throttlePair', 502],
  ['account at its limit after misclassification', [131064], 'holdAccount', 502],
  ['explicit but vague', [1, 131000], 'vague', 502],
  ['temporarily down, overloaded or unavailable', [2, 131016, 133004], 'retry', 502],
  ['line in maintenance', [131057], 'maintenance', 502],
  ['invalid, misspelled or too long parameter', [100], 'permanent', 400],
  ['account restricted, locked, unpaid, terms open', [368, 131031, 131042, 131044, 134011], 'accountStop', 502],
  ['line deleted, unnamed or not registered', [33, 131037, 131045, 133010], 'accountStop', 502],
  ['registration and PIN errors', [133000, 133005, 133006, 133008, 133009, 133015, 133016], 'accountStop', 502],
  ['country, blocked by the user, experiment', [130497, 130403, 130472], 'permanent', 400],
  ['recipient is the sender or not allowed', [131021, 131030], 'permanent', 400],
  ['required parameter missing, value invalid', [131008, 131009], 'permanent', 400],
  ['undeliverable', [131026], 'permanent', 400],
  ['needs a template', [131047], 'permanent', 400],
  ['held back for the ecosystem', [131049], 'holdRequest', 400],
  ['user stopped marketing', [131050], 'permanent', 400],
  ['message type or media', [131051, 131052, 131053], 'permanent', 400],
  ['user id not possible for this message', [131062], 'permanent', 400],
  ['marketing templates switched off', [131063], 'accountStop', 502],
  ['template parameters', [132000, 132005, 132007, 132008, 132012, 132018], 'permanent', 400],
  ['template missing or disabled for good', [132001, 132016], 'permanent', 400],
  ['template paused, or held message dropped', [132015], 'holdRequest', 400],
  ['flow blocked', [132068], 'permanent', 400],
  ['flow throttled', [132069], 'holdRequest', 400],
  ['request parameters, identity key changed', [135000, 137000], 'permanent', 400],
  ['marketing endpoint: wrong kind or category', [131055, 134100], 'permanent', 400],
  ['marketing endpoint: template still syncing', [134101], 'holdRequest', 400],
  ['marketing endpoint: not eligible', [134102], 'accountStop', 502],
]

const rows = table.flatMap(([meaning, codes, name, ours]) => codes.map(code => [code, meaning, name, ours] as const))

describe('the code table', () => {
  test.each(rows)('%d (%s) is of the class %s and is answered %d', (code, _, name, ours) => {
    expect(classify(400, error(code))).toBe(name)
    expect(ERROR_CLASSES[name].fault).toBe(ours === 400 ? 'request' : 'upstream')
  })

  test.each(rows)('%d means the same whatever HTTP status it comes with', (code, _, name) => {
    for (const httpStatus of [200, 400, 401, 403, 404, 429, 500, 503]) {
      expect(classify(httpStatus, error(code))).toBe(name)
    }
  })

  test('803, an object of ours that does not exist, is answered 502: the caller named no such object', () => {
    const fault = readFault({ code: 803, message: '(#803) Some of the aliases you requested do not exist' }, 404, [])
    expect(fault?.fault).toBe('upstream')
  })

  test('100 with subcode 33 means our line or account, without it the request', () => {
    expect(classify(400, error(100, { subcode: 33 }))).toBe('accountStop')
    expect(classify(400, error(100, { subcode: 2494010 }))).toBe('permanent')
  })

  test('and so it does when it names no object', () => {
    expect(classify(400, error(100, { subcode: 33, message: 'Unsupported post request' }), '1065')).toBe('accountStop')
  })

  test('200 that says "Provide valid app ID" is a missing token', () => {
    const said = { code: 200, message: '(#200) Provide valid app ID', type: 'OAuthException' }
    expect(readFault(said, 400, [])?.errorClass).toBe('token')
  })

  test('200 to 299 is a range; 199 and 300 are unknown codes', () => {
    expect(classify(400, error(199))).toBe('permanent')
    expect(classify(400, error(300))).toBe('permanent')
  })

  test('every class is either the request or the upstream at fault, and only what may pass by itself is retryable', () => {
    const retryable = (Object.keys(ERROR_CLASSES) as ErrorClass[]).filter(name => ERROR_CLASSES[name].retryable)
    expect(retryable.sort()).toEqual(
      ['maintenance', 'retry', 'throttleApp', 'throttleLine', 'throttlePair', 'vague'].sort() as ErrorClass[],
    )
    for (const name of retryable) expect(ERROR_CLASSES[name].fault).toBe('upstream')
  })
})

describe('the order of classification', () => {
  const unknownCode = 999_999

  test('1: a code of the table goes before is_transient and the HTTP status', () => {
    expect(classify(500, error(132000, { isTransient: true }))).toBe('permanent')
    expect(classify(401, error(131056))).toBe('throttlePair')
  })

  test('2: is_transient goes before the HTTP status', () => {
    for (const httpStatus of [400, 401, 403, 429, 500]) {
      expect(classify(httpStatus, error(unknownCode, { isTransient: true }))).toBe('retry')
    }
    expect(classify(400, error(null, { isTransient: true }))).toBe('retry')
  })

  const byStatus: readonly [httpStatus: number, ErrorClass][] = [
    [401, 'token'],
    [403, 'accountStop'],
    [429, 'throttleLine'],
    [400, 'permanent'],
    [404, 'permanent'],
    [499, 'permanent'],
  ]
  test.each(byStatus)('3: an unknown code, or no readable error, with HTTP %d is %s', (httpStatus, name) => {
    expect(classify(httpStatus, error(unknownCode))).toBe(name)
    expect(classify(httpStatus, error(null))).toBe(name)
    expect(classify(httpStatus, null)).toBe(name)
  })

  test('4: a readable error with an unknown code and HTTP 5xx counts as 131000', () => {
    for (const httpStatus of [500, 502, 503, 599]) expect(classify(httpStatus, error(unknownCode))).toBe('vague')
  })

  test('5: a 5xx without an error, and every other status, is an unknown outcome', () => {
    for (const httpStatus of [500, 502, 503, 504]) expect(classify(httpStatus, null)).toBeNull()
    for (const httpStatus of [100, 200, 201, 204, 301, 302, 307]) {
      expect(classify(httpStatus, null)).toBeNull()
      expect(classify(httpStatus, error(unknownCode))).toBeNull()
    }
  })
})
