import { isObject, parseJson } from '../../base/json.ts'
import { jsonReply, type Refusal, refusalBody, refusalReply, type SandboxAnswer } from '../checks/refusals.ts'
import type { Behaviour } from '../faults/faults.ts'
import type { Random } from '../state/random.ts'

/**
 * What happens on the connection once the request is read. answer a complete answer cut the answer's head and half of
 * its body, then a reset trickle the answer byte by byte reset nothing, and the connection is gone hang nothing, and
 * the connection stays
 */
export type Reply =
  | { readonly kind: 'answer' | 'cut' | 'trickle'; readonly answer: SandboxAnswer; readonly afterMs: number }
  | { readonly kind: 'reset' | 'hang'; readonly afterMs: number }

export const answered = (answer: SandboxAnswer): Reply => ({ kind: 'answer', answer, afterMs: 0 })

type AnswerKind = NonNullable<Behaviour['answer']>

/** Whether the work is done, and whether the answer clearly reports success, clearly reports a refusal, or neither. */
const kinds: Readonly<Record<AnswerKind, { done: boolean; says: 'success' | 'refusal' | 'nothing' }>> = {
  accept: { done: true, says: 'success' },
  held: { done: true, says: 'success' },
  trickle: { done: true, says: 'success' },
  error: { done: false, says: 'refusal' },
  error_in_200: { done: false, says: 'refusal' },
  without_messages: { done: true, says: 'nothing' },
  malformed: { done: true, says: 'nothing' },
  truncated: { done: true, says: 'nothing' },
  reset_mid_body: { done: true, says: 'nothing' },
  html: { done: false, says: 'nothing' },
  empty: { done: false, says: 'nothing' },
  reset_on_arrival: { done: false, says: 'nothing' },
  reset: { done: false, says: 'nothing' },
  hang: { done: false, says: 'nothing' },
}

/** Whether the work is done although the answer may not say so; a behaviour can name it, else it follows the answer. */
export const isDone = ({ sent, answer = 'accept' }: Behaviour) => sent ?? kinds[answer].done

export const answerKindOf = ({ answer = 'accept' }: Behaviour) => kinds[answer].says

/** @returns the refusal that a behaviour of kind `error` stands for. */
export function faultRefusal(behaviour: Behaviour): Refusal {
  const { code, subcode, title, details, status, transient, errorDataAsText, retryAfterS } = behaviour
  return {
    code: code ?? 131000,
    ...(subcode !== undefined && { subcode }),
    ...(title !== undefined && { title }),
    ...(details !== undefined && { details }),
    ...(status !== undefined && { status }),
    ...(transient !== undefined && { transient }),
    ...(errorDataAsText !== undefined && { errorDataAsText }),
    ...(retryAfterS !== undefined && { headers: { 'retry-after': String(retryAfterS) } }),
  }
}

/** @returns the answer to the caller instead of the plain success. */
export function replyOf(behaviour: Behaviour, success: SandboxAnswer, random: Random): Reply {
  const afterMs = behaviour.afterMs ?? 0
  const answer = (given: SandboxAnswer): Reply => ({ kind: 'answer', answer: given, afterMs })
  switch (behaviour.answer ?? 'accept') {
    case 'accept':
    case 'held':
      return answer(success)
    case 'error':
      return answer(refusalReply(faultRefusal(behaviour), random))
    case 'error_in_200':
      return answer(jsonReply(200, refusalBody(faultRefusal(behaviour), random)))
    case 'html':
      return answer({
        status: behaviour.status ?? 502,
        headers: { 'content-type': 'text/html; charset=utf-8' },
        body: '<!DOCTYPE html><html><head><title>Error</title></head><body>Sorry, something went wrong.</body></html>',
      })
    case 'empty':
      return answer({ status: behaviour.status ?? 503, headers: {}, body: '' })
    case 'without_messages':
      return answer(withoutMessages(success))
    case 'malformed':
      return answer({ ...success, body: `${textOf(success)}}}<` })
    case 'truncated':
      return answer({ ...success, body: half(success) })
    case 'reset_mid_body':
      return { kind: 'cut', answer: success, afterMs }
    case 'trickle':
      return { kind: 'trickle', answer: success, afterMs }
    case 'reset':
    case 'reset_on_arrival':
      return { kind: 'reset', afterMs }
    case 'hang':
      return { kind: 'hang', afterMs }
  }
}

const textOf = ({ body }: SandboxAnswer): string => (typeof body === 'string' ? body : Buffer.from(body).toString())

/** @returns the first half of an answer's body: never readable JSON. */
export function half(answer: SandboxAnswer): string {
  const text = textOf(answer)
  return text.slice(0, Math.ceil(text.length / 2))
}

function withoutMessages(success: SandboxAnswer): SandboxAnswer {
  const value = parseJson(textOf(success))
  if (!isObject(value)) return { ...success, body: '{}' }
  const { messages: _, ...rest } = value
  return { ...success, body: JSON.stringify(rest) }
}
