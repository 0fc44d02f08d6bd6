import { type FunctionName, functionNames, presentIn, render, versionedName, versionsIn } from './render.ts'

/** What a new migration has to do for the functions of a send. */
export interface Successors {
  /** Its statements; empty: nothing is to do. */
  readonly sql: string
  /** What the program calls from then on. */
  readonly called: Readonly<Record<FunctionName, string>>
}

/**
 * A function that became another one is made with the next number. A version that the last released version of Waypost
 * does not call is dropped: instances of that one may still run beside those of the next, and no older ones.
 * @param migrations all texts there are
 * @param released those of the last released version
 */
export function successorsOf(migrations: readonly string[], released: readonly string[]): Successors {
  const statements: string[] = []
  const called = functionNames.map(of => {
    const version = presentIn(migrations, of) ?? (versionsIn(migrations, of).at(-1) ?? 0) + 1
    if (!versionsIn(migrations, of).includes(version)) statements.push(render(of, version))
    return [of, versionedName(of, version)] as const
  })
  for (const of of functionNames) {
    const before = versionsIn(released, of).slice(0, -1)
    const dropped = before
      .map(version => `DROP FUNCTION ${versionedName(of, version)};\n`)
      .filter(statement => !migrations.some(sql => sql.includes(statement)))
    statements.push(dropped.join(''))
  }
  return { sql: statements.join('\n').trim(), called: Object.fromEntries(called) as Successors['called'] }
}
