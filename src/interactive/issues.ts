import { isLongerThan } from '../base/chars.ts'
import type { Issue } from '../base/errors.ts'
import { pointer } from '../base/issues.ts'
import { isObject, isText } from '../base/json.ts'
import type { Mismatch } from '../forms/mismatches.ts'
import { linkCharsMax } from '../templates/limits.ts'
import { isWebAddress, mediaIdProblem } from '../templates/values.ts'

/** The root of every pointer: the payload stands in the send body's `content`. */
export const root = '/content'

const namesIn = ({ path }: Mismatch) => `${path.filter(isText).join('.')}.`
const ofSeveral: readonly Mismatch['rule'][] = ['differs', 'few', 'many']

/** What differs from the other cards is told where each of them is right by itself. */
export const isTold = (mismatch: Mismatch, _: number, all: readonly Mismatch[]): boolean =>
  mismatch.rule !== 'differs' ||
  !all.some(other => !ofSeveral.includes(other.rule) && namesIn(mismatch).startsWith(namesIn(other)))

/** @returns what a caller reads of a mismatch, without the value; nothing of what the upstream may take */
export function issuesOf(mismatch: Mismatch): Issue[] {
  const path = root + pointer(...mismatch.path)
  if (mismatch.rule === 'file') return fileIssues(mismatch.value, path)
  const message = mismatch.rule === 'address' ? addressProblem(mismatch.value) : messageOf(mismatch)
  return message === undefined ? [] : [{ path, message }]
}

function messageOf(mismatch: Exclude<Mismatch, { rule: 'address' | 'file' }>): string | undefined {
  switch (mismatch.rule) {
    case 'missing':
      return 'is required'
    case 'noObject':
      return 'must be an object'
    case 'noList':
      return 'must be an array'
    case 'noText':
      return 'must be a string'
    case 'empty':
      return 'must not be empty'
    case 'long':
      return `must be at most ${mismatch.max} characters long`
    case 'breaks':
      return `must have at most ${mismatch.max} line breaks`
    case 'emoji':
      return 'must not contain emoji'
    case 'word':
      // Of an open one the upstream may know more by now.
      return mismatch.open ? textProblem(mismatch.value) : `must be ${mismatch.of.join(' or ')}`
    case 'whole':
      return `must be a whole number from ${mismatch.min} to ${mismatch.max}`
    case 'few':
    case 'many':
      return `must have ${mismatch.min} to ${mismatch.max} elements`
    case 'inAll':
      return `must have at most ${mismatch.max} ${mismatch.what} in all`
    case 'firstMax':
      return `must have at most ${mismatch.max} buttons with an address`
    case 'misplaced':
      return 'must stand before the reply buttons'
    case 'twice':
      return `must be unique; ${root}${pointer(...mismatch.earlier)} is the same`
    case 'differs':
      return 'must be the same for all cards'
    case 'either':
      return `must have either ${mismatch.names.join(' or ')}`
    case 'data':
      return 'must be an object that is not empty'
    case 'none':
      return 'does not belong to this kind'
    case 'unsure':
      return undefined
  }
}

/** A longer one is not parsed: a host of 40,000 labels takes tens of milliseconds. */
function addressProblem(value: unknown): string | undefined {
  const url = String(value)
  if (isLongerThan(url, linkCharsMax)) return `must be at most ${linkCharsMax} characters long`
  return isWebAddress(url) ? undefined : 'must be an http or https URL'
}

function fileIssues(value: unknown, path: string): Issue[] {
  if (value === undefined) return [{ path, message: 'is required' }]
  if (!isObject(value)) return [{ path, message: 'must be an object' }]
  const { id, link } = value
  const issues: Issue[] = []
  const note = (below: string, message: string | undefined) => {
    if (message !== undefined) issues.push({ path: path + below, message })
  }
  if ((id === undefined) === (link === undefined)) note('', 'must have either id or link')
  if (id !== undefined) note('/id', textProblem(id) ?? mediaIdProblem(String(id)))
  if (link !== undefined) note('/link', textProblem(link) ?? addressProblem(link))
  return issues
}

function textProblem(value: unknown): string | undefined {
  if (!isText(value)) return 'must be a string'
  return value.trim() === '' ? 'must not be empty' : undefined
}
