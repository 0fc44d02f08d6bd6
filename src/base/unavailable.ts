/** A thread or the database server could not do it now. Nothing was done, so the call may be repeated. */
export class Unavailable extends Error {
  override readonly name: string = 'Unavailable'
}

/** A thread or the database server has not answered: what it was asked to do may or may not be done. */
export class OutcomeUnknown extends Error {
  override readonly name = 'OutcomeUnknown'
}
