import { describe, expect, test } from 'bun:test'
import { dayMs, hourMs, minuteMs } from '../../src/base/durations.ts'
import { failureReason, readFault, readSendAnswer } from '../../src/graph/answer.ts'

const answered = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  readSendAnswer({
    kind: 'answered',
    status,
    headers,
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

const acceptance = (fields: Record<string, unknown> = {}) => ({
  messaging_product: 'whatsapp',
  contacts: [{ input: '+16505551234', wa_id: '16505551234' }],
  messages: [{ id: 'wamid.1' }],
  ...fields,
})

const refusal = (fields: Record<string, unknown>) => ({ error: { type: 'OAuthException', ...fields } })

describe('accepted', () => {
  test('a 200 with a message id: the id and the number as the upstream knows it', () => {
    expect(answered(200, acceptance())).toEqual({
      kind: 'accepted',
      channelMessageId: 'wamid.1',
      waId: '16505551234',
      messageStatus: null,
    })
  })

  test('a template that is held or paused says so', () => {
    const messages = [{ id: 'wamid.1', message_status: 'held_for_quality_assessment' }]
    expect(answered(200, acceptance({ messages }))).toMatchObject({ messageStatus: 'held_for_quality_assessment' })
  })

  test('a user who is known by an id alone has no number', () => {
    const contacts = [{ input: 'DE.13491208655302741918', user_id: 'DE.13491208655302741918' }]
    expect(answered(200, acceptance({ contacts }))).toMatchObject({ kind: 'accepted', waId: null })
  })

  test('contacts may be missing: the message id is what makes it accepted', () => {
    for (const contacts of [undefined, [], null, 'x', [null]]) {
      expect(answered(200, acceptance({ contacts }))).toMatchObject({ channelMessageId: 'wamid.1', waId: null })
    }
  })

  test('what support asks for is kept of the headers, whatever the end', () => {
    const headers = { 'x-fb-trace-id': 'T1', 'x-fb-request-id': 'R1' }
    const trace = { traceId: 'T1', requestId: 'R1' }
    expect(answered(200, acceptance(), headers)).toMatchObject({ kind: 'accepted', trace })
    expect(answered(200, 'x', headers)).toMatchObject({ kind: 'lost', trace })
    expect(answered(400, refusal({ code: 131026, fbtrace_id: 'A1' }), headers)).toMatchObject({
      fault: { traceId: 'A1', requestId: 'R1' },
    })
    expect(answered(400, { error: { code: 131026 } }, { 'x-fb-trace-id': 'T1' })).toMatchObject({
      fault: { traceId: 'T1' },
    })
  })

  test('unknown fields are let through', () => {
    expect(answered(200, acceptance({ extra: { a: [1] } }))).toMatchObject({ kind: 'accepted' })
  })
})

describe('lost: the message may be on its way', () => {
  const rows: readonly [name: string, status: number, body: unknown][] = [
    ['200 without messages', 200, { messaging_product: 'whatsapp' }],
    ['200 with no message', 200, acceptance({ messages: [] })],
    ['200 with a message without id', 200, acceptance({ messages: [{}] })],
    ['200 with an empty id', 200, acceptance({ messages: [{ id: '' }] })],
    ['200 with an id that is no text', 200, acceptance({ messages: [{ id: 5 }] })],
    ['200 that is not JSON', 200, '<html>ok</html>'],
    ['200 that is empty', 200, ''],
    ['200 that is a list', 200, []],
    ['200 that is null', 200, 'null'],
    ['200 with an error of unknown code and nothing else', 200, refusal({ code: 999_999, message: 'odd' })],
    ['201 with a message id', 201, acceptance()],
    ['204', 204, ''],
    ['302', 302, ''],
    ['500 that is not JSON', 500, '<html>Bad gateway</html>'],
    ['500 without an error', 500, {}],
    ['502 with an error that is a text', 502, { error: 'upstream connect error' }],
    ['503 with an error that is a list', 503, { error: [] }],
    ["504 with a proxy's error", 504, { error: { code: 504, message: 'timeout', status: 'DEADLINE_EXCEEDED' } }],
    ["503 with a proxy's error whose number is a code of the upstream", 503, { error: { code: 2, message: 'busy' } }],
    ["500 with a proxy's error that names a type", 500, { error: { code: 4, type: 'timeout' } }],
    ["200 with a proxy's error", 200, { error: { code: 2, message: 'busy' } }],
  ]
  test.each(rows)('%s', (_, status, body) => {
    expect(answered(status, body)).toMatchObject({ kind: 'lost' })
  })

  test('an exchange whose answer was lost stays lost', () => {
    expect(readSendAnswer({ kind: 'lost', why: 'socket hang up' })).toEqual({ kind: 'lost', why: 'socket hang up' })
  })

  test('why says nothing of what the body held', () => {
    const answer = answered(500, 'token EAAG-secret for +4930123')
    expect(JSON.stringify(answer)).not.toContain('EAAG')
    expect(JSON.stringify(answer)).not.toContain('4930123')
  })
})

describe('not sent: no byte has left', () => {
  test('is a "not now" of the message, and when given up the upstream is at fault', () => {
    expect(readSendAnswer({ kind: 'notSent', why: 'connect ECONNREFUSED' })).toMatchObject({
      kind: 'notNow',
      scope: 'message',
      retryAfterMs: null,
      fault: { errorClass: 'unreachable', fault: 'upstream', retryable: true },
    })
  })

  test('why is kept for the operator, and not told to the caller: it names addresses of our own side', () => {
    const attempt = readSendAnswer({ kind: 'notSent', why: 'connect ECONNREFUSED 10.1.2.3:443' })
    if (attempt.kind !== 'notNow') throw new Error('nothing was sent')
    expect(attempt.fault).toMatchObject({ details: null, diagnosis: 'connect ECONNREFUSED 10.1.2.3:443' })
    expect(failureReason(attempt.fault)).toBe('The upstream platform could not be reached')
  })

  test('what an operator can look at is said behind why', () => {
    const attempt = readSendAnswer({ kind: 'notSent', why: 'its server refused the connection', cause: 'refused' })
    const diagnosis = 'its server refused the connection. Check the host and the port of CHANNEL_API_URL'
    expect(attempt).toMatchObject({ fault: { diagnosis } })
  })
})

describe('refused', () => {
  const full = refusal({
    message: '(#132000) Number of parameters does not match the expected number of params',
    code: 132000,
    error_data: { messaging_product: 'whatsapp', details: 'body: 1 instead of 3' },
    error_subcode: 2494010,
    fbtrace_id: 'AOnodi98JaYHcSTvVvrOtJs',
  })

  test('carries every field that a caller gets and support asks for', () => {
    expect(answered(400, full)).toEqual({
      kind: 'refused',
      fault: {
        errorClass: 'permanent',
        fault: 'request',
        retryable: false,
        code: 132000,
        subcode: 2494010,
        title: '(#132000) Number of parameters does not match the expected number of params',
        details: 'body: 1 instead of 3',
        traceId: 'AOnodi98JaYHcSTvVvrOtJs',
      },
    })
  })

  test('an error in a 200 is an error', () => {
    expect(answered(200, full)).toMatchObject({ kind: 'refused', fault: { code: 132000 } })
    expect(answered(200, { ...acceptance(), ...full })).toMatchObject({ kind: 'refused' })
  })

  test('error_data may be a text', () => {
    const body = refusal({ code: 131009, message: 'm', error_data: 'Parameter value is not valid' })
    expect(answered(400, body)).toMatchObject({ fault: { details: 'Parameter value is not valid' } })
  })

  test('error_data may be absent, empty or of another kind', () => {
    for (const error_data of [undefined, '', null, 5, [], {}]) {
      expect(answered(400, refusal({ code: 100, message: 'm', error_data }))).toMatchObject({
        fault: { details: null },
      })
    }
  })

  test("without error_data the user's words are taken", () => {
    const body = refusal({ code: 100, error_user_title: 'Cannot send', error_user_msg: 'The line is gone' })
    expect(answered(400, body)).toMatchObject({ fault: { title: 'Cannot send', details: 'The line is gone' } })
  })

  test('code and subcode may be texts of digits', () => {
    const body = refusal({ code: '131056', error_subcode: '33', message: 'm' })
    expect(answered(400, body)).toMatchObject({ kind: 'notNow', scope: 'pair', fault: { code: 131056, subcode: 33 } })
  })

  test('a code that is no number is no code: the HTTP status decides', () => {
    for (const code of ['abc', 1.5, null, {}, '9'.repeat(30)]) {
      expect(answered(400, refusal({ code, message: 'm' }))).toMatchObject({
        kind: 'refused',
        fault: { errorClass: 'permanent', code: null },
      })
    }
  })

  test('an error without any field is titled by its HTTP status', () => {
    expect(answered(400, { error: {} })).toMatchObject({ fault: { title: 'HTTP 400', code: null } })
    expect(answered(404, 'Not Found')).toMatchObject({ fault: { title: 'HTTP 404', errorClass: 'permanent' } })
  })

  test('the trace id comes from the body, else from the header', () => {
    const headers = { 'x-fb-trace-id': 'from-header' }
    expect(answered(400, full, headers)).toMatchObject({ fault: { traceId: 'AOnodi98JaYHcSTvVvrOtJs' } })
    expect(answered(400, refusal({ code: 100 }), headers)).toMatchObject({ fault: { traceId: 'from-header' } })
  })

  test('the vague codes are refusals, never repeated, and may be tried again by the caller', () => {
    for (const code of [1, 131000]) {
      expect(answered(500, refusal({ code }))).toMatchObject({
        kind: 'refused',
        fault: { errorClass: 'vague', fault: 'upstream', retryable: true },
      })
    }
  })
})

describe('not now', () => {
  const scopes: readonly [code: number, scope: string][] = [
    [4, 'app'],
    [80007, 'app'],
    [130429, 'line'],
    [131048, 'line'],
    [131057, 'line'],
    [131056, 'pair'],
    [2, 'message'],
    [131016, 'message'],
  ]
  test.each(scopes)('%d holds back the %s and nothing wider', (code, scope) => {
    expect(answered(400, refusal({ code }))).toMatchObject({ kind: 'notNow', scope, fault: { code } })
  })

  test('is_transient makes a retry of a code that nobody knows; only the boolean does', () => {
    const odd = { code: 999_999, message: 'm' }
    expect(answered(500, refusal({ ...odd, is_transient: true }))).toMatchObject({ kind: 'notNow', scope: 'message' })
    expect(answered(500, refusal({ ...odd, is_transient: 'true' }))).toMatchObject({ kind: 'refused' })
    expect(answered(500, refusal({ ...odd, is_transient: false }))).toMatchObject({ kind: 'refused' })
  })

  test('Retry-After says how many seconds', () => {
    expect(answered(429, refusal({ code: 130429 }), { 'retry-after': '7' })).toMatchObject({ retryAfterMs: 7_000 })
    expect(answered(429, refusal({ code: 130429 }), { 'retry-after': 'soon' })).toMatchObject({ retryAfterMs: null })
    expect(answered(429, refusal({ code: 130429 }))).toMatchObject({ retryAfterMs: null })
  })

  const usage = (...minutes: readonly unknown[]) =>
    JSON.stringify({
      '100001': minutes.map(time => ({ type: 'whatsapp', call_count: 100, estimated_time_to_regain_access: time })),
    })

  test('else the account says in how many minutes; the longest counts', () => {
    const headers = { 'x-business-use-case-usage': usage(3, 0, 12) }
    expect(answered(400, refusal({ code: 80007 }), headers)).toMatchObject({ retryAfterMs: 12 * minuteMs })
  })

  test('Retry-After goes before the account', () => {
    const headers = { 'retry-after': '5', 'x-business-use-case-usage': usage(12) }
    expect(answered(400, refusal({ code: 80007 }), headers)).toMatchObject({ retryAfterMs: 5_000 })
  })

  test('the account says so of its limits alone, not of a recipient or of a platform that is down', () => {
    const headers = { 'x-business-use-case-usage': usage(12) }
    for (const code of [131056, 2, 131016]) {
      expect(answered(400, refusal({ code }), headers)).toMatchObject({ kind: 'notNow', retryAfterMs: null })
    }
    expect(answered(400, refusal({ code: 130429 }), headers)).toMatchObject({ retryAfterMs: 12 * minuteMs })
  })

  test('no more than a day is believed', () => {
    const headers = [{ 'retry-after': '999999999' }, { 'x-business-use-case-usage': usage(99_999_999) }]
    for (const header of headers) {
      expect(answered(429, refusal({ code: 130429 }), header)).toMatchObject({ retryAfterMs: dayMs })
    }
  })

  test('an account header that says nothing of use is passed over', () => {
    for (const header of [usage(0), usage('soon'), '{}', '[]', 'x', '{"1":5}', '{"1":[null]}']) {
      expect(answered(400, refusal({ code: 4 }), { 'x-business-use-case-usage': header })).toMatchObject({
        kind: 'notNow',
        retryAfterMs: null,
      })
    }
  })

  test('a line in maintenance waits a minute at least', () => {
    expect(answered(500, refusal({ code: 131057 }))).toMatchObject({ retryAfterMs: 60_000 })
    const longer = answered(500, refusal({ code: 131057 }), { 'retry-after': '90' })
    expect(longer).toMatchObject({ retryAfterMs: 90_000 })
    const shorter = answered(500, refusal({ code: 131057 }), { 'retry-after': '5' })
    expect(shorter).toMatchObject({ retryAfterMs: 60_000 })
  })

  test('a line restricted for spam waits for an hour at least, whatever Retry-After says', () => {
    const answer = answered(429, refusal({ code: 131048 }), { 'retry-after': '1' })
    expect(answer).toMatchObject({ scope: 'line', retryAfterMs: hourMs })
  })
})

describe('hostile bodies', () => {
  const bodies = [
    '{"error":{"__proto__":{"code":190}}}',
    '{"error":{"code":190,"code":100}}',
    '{"messages":{"0":{"id":"wamid.1"}}}',
    `{"error":${'['.repeat(10_000)}${']'.repeat(10_000)}}`,
    '\u0000',
    '{"error":{"message":5,"error_data":{"details":[]}}}',
  ]
  test('never throw, and never count as accepted', () => {
    for (const body of bodies) {
      for (const status of [200, 400, 500]) expect(answered(status, body).kind).not.toBe('accepted')
    }
  })
})

describe('the reason that a caller reads', () => {
  test('is the code and the most exact words', () => {
    const fault = readFault(
      { code: 131026, message: 'Message undeliverable', error_data: { details: 'Not there' } },
      400,
      [],
    )
    if (!fault) throw new Error('a 400 always has a class')
    expect(failureReason(fault)).toBe('131026: Not there')
    expect(failureReason({ ...fault, details: null })).toBe('131026: Message undeliverable')
    expect(failureReason({ ...fault, code: null })).toBe('Not there')
  })
})

describe('an error that came as a callback, without an HTTP status', () => {
  test('is classed by its code', () => {
    expect(readFault({ code: 131049, title: 'Not delivered' }, null, [])).toMatchObject({ errorClass: 'holdRequest' })
    expect(readFault({ code: '131042', title: 'Payment' }, null, [])).toMatchObject({ errorClass: 'accountStop' })
  })

  test('with a code that nobody knows, or none, is over all the same, and keeps its words', () => {
    const unknown = readFault({ code: 999_999, title: 'Odd', error_data: { details: 'Very odd' } }, null, [])
    expect(unknown).toMatchObject({ errorClass: 'permanent', code: 999_999, title: 'Odd', details: 'Very odd' })
    expect(readFault({}, null, [])).toMatchObject({
      errorClass: 'permanent',
      title: 'The upstream platform gave no reason',
    })
  })
})
