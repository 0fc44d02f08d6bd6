/**
 * Goes on with a value as soon as it is there. A read of SQLite is there when it is asked for, and waiting for its promise
 * all the same, at every step of a request, takes a twentieth of a status read.
 * @returns what `next` makes of it: as a promise where there was something to wait for; as that of a value or a promise
 *   which `await` would give, too
 */
export function inTurn<Value, Result>(
  value: Value | Promise<Value>,
  next: (value: Value) => Result | Promise<Result>,
): Result | Promise<Result> {
  if (!(value instanceof Promise)) return next(value)
  // A rejected promise has no value to go on with: `then` hands its reason on.
  return Bun.peek.status(value) === 'fulfilled' ? next(Bun.peek(value) as Value) : value.then(next)
}
