import { translated } from '../texts/said.ts'

/** One problem of a request, with a JSON Pointer to the field. */
export interface FieldIssue {
  readonly path: string
  readonly message: string
}

type Told = Partial<Pick<ApiFailure, 'status' | 'reason' | 'details' | 'requestId'>>

/** The gateway could not be reached, or it refused. The message is for people. */
export class ApiFailure extends Error {
  override readonly name = 'ApiFailure'
  /** Null: there was no answer. */
  readonly status: number | null = null
  /** The error code of the answer (`NOT_FOUND`), or `PAGE_ERROR`; null when there is no answer, or none with a code. */
  readonly reason: string | null = null
  readonly details: Readonly<Record<string, unknown>> = {}
  readonly requestId: string | null = null

  constructor(message: string, { cause, ...told }: Told & ErrorOptions = {}) {
    super(message, { cause })
    Object.assign(this, told)
  }

  /** The problems of a refused form. */
  get issues(): readonly FieldIssue[] {
    const { issues } = this.details
    return Array.isArray(issues)
      ? issues.filter(isIssue).map(({ path, message }) => ({ path, message: translated(message) }))
      : []
  }

  /** Whether no answer came. */
  get isUnreachable(): boolean {
    return this.status === null && this.reason === null
  }

  /** Whether the same request may succeed later. */
  get isTemporary(): boolean {
    return this.isUnreachable || this.status === 429 || (this.status ?? 0) >= 500
  }
}

const isIssue = (value: unknown): value is FieldIssue =>
  typeof value === 'object' && value !== null && 'path' in value && 'message' in value

/** @returns the refusal in the answer, in the language of the page; `unreadable` when a proxy answered in its place */
export async function apiFailureOf(response: Response, unreadable: string): Promise<ApiFailure> {
  const { status } = response
  const requestId = response.headers.get('x-request-id')
  const body: unknown = await response.json().catch(() => null)
  if (typeof body !== 'object' || body === null || !('message' in body) || !('error' in body))
    return new ApiFailure(unreadable, { status, requestId })
  const { message, error } = body
  const details = 'details' in body ? (body.details as Readonly<Record<string, unknown>>) : {}
  return new ApiFailure(translated(String(message)), { status, reason: String(error), details, requestId })
}

/** A mistake in the page itself, not in an answer. */
const pageError = 'PAGE_ERROR'

/** @returns anything thrown, as a failure that can be shown. */
export function toFailure(thrown: unknown): ApiFailure {
  if (thrown instanceof ApiFailure) return thrown
  return new ApiFailure(thrown instanceof Error ? thrown.message : String(thrown), {
    reason: pageError,
    cause: thrown,
  })
}
