import type { Details } from '../../base/errors.ts'
import type { OperationId } from '../../http/calls.ts'

/** A refusal as it is answered. */
export interface ErrorExample {
  readonly summary: string
  readonly message: string
  readonly details?: Details
  /** Only where the code has several statuses and this is not the usual one. */
  readonly status?: number
  /** Left out: all operations that can refuse with the code. */
  readonly operation?: OperationId | readonly OperationId[]
}
