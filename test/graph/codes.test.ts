import { describe, expect, test } from 'bun:test'
import { readFault } from '../../src/graph/answer.ts'
import { classify } from '../../src/graph/codes.ts'
import { CODES, ERROR_CLASSES, type ErrorClass } from '../../src/graph/codeTable.ts'
import { REFUSALS } from '../../src/sandbox/checks/refusals.ts'

const error = (code: number | null, fields: { subcode?: number; isTransient?: boolean; message?: string } = {}) => ({
  code,
  subcode: null,
  isTransient: false,
  message: null,
  ...fields,
})

describe('the code table', () => {
  // test/structure/tables.test.ts compares the classes with docs/upstream.md, test/partner/docs/guides/errors.test.ts our statuses.
  test('a code means the same whatever HTTP status it comes with', () => {
    for (const [code, { errorClass }] of CODES) {
      for (const httpStatus of [200, 400, 401, 403, 404, 429, 500, 503]) {
        expect([code, classify(httpStatus, error(code))]).toEqual([code, errorClass])
      }
    }
  })

  test('no code is in two classes', () => {
    const listed = Object.values(ERROR_CLASSES).flatMap(({ codes }) => Object.keys(codes))
    expect(listed).toHaveLength(CODES.size)
  })

  test('has every code that the stand-in sends with', () => {
    /** 200 and 803 are below; 2200, 2500 and 139100 are of other calls than sends. */
    const others = [200, 803, 2200, 2500, 139100]
    const listed = new Set([...CODES.keys(), ...others])
    expect(Object.keys(REFUSALS).filter(code => !listed.has(Number(code)))).toEqual([])
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
    expect(retryable.filter(name => ERROR_CLASSES[name].fault !== 'upstream')).toEqual([])
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

  test('3: an unknown code, or no readable error, is classed by the HTTP status', () => {
    const byStatus: readonly [httpStatus: number, ErrorClass][] = [
      [401, 'token'],
      [403, 'accountStop'],
      [429, 'throttleLine'],
      [400, 'permanent'],
      [404, 'permanent'],
      [499, 'permanent'],
    ]
    for (const [httpStatus, name] of byStatus) {
      for (const said of [error(unknownCode), error(null), null])
        expect([httpStatus, said, classify(httpStatus, said)]).toEqual([httpStatus, said, name])
    }
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
