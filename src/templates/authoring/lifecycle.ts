/** Ours: templates of a page of the list; a preview has some kilobytes. */
export const listedMax = 50

/** What can be done with a template in its status (docs/upstream.md#template-creation). */

const editableStatuses = ['APPROVED', 'REJECTED', 'PAUSED']

/** @returns why it cannot be edited; undefined when it can */
export function editProblem(status: string): string | undefined {
  if (editableStatuses.includes(status)) return undefined
  return status === 'PENDING'
    ? 'A template in review cannot be edited: wait until it is approved or rejected'
    : `A template that is ${status} cannot be edited`
}

/** The category of an approved template stays. */
export const isCategoryFixed = (status: string): boolean => status === 'APPROVED'

/** @returns why it cannot be deleted; undefined when it can */
export const deleteProblem = (status: string): string | undefined =>
  status === 'DISABLED' ? 'A disabled template cannot be deleted' : undefined

/** Whether the name stays blocked after the deletion. */
export const isNameBlocked = (statuses: readonly string[]): boolean => statuses.includes('APPROVED')

/** A review is still to come. */
export const isUnderReview = (status: string): boolean => status === 'PENDING' || status === 'IN_APPEAL'
