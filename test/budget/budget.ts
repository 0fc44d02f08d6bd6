import { expect } from 'bun:test'

/** One number of a budget, and what is spent there. */
export interface Item {
  readonly is: number
  readonly on: string
}

/** What a send may use: counted, not timed. */
export type Budget<Name extends string> = Readonly<Record<Name, Item>>

/**
 * Fails when a number is another one, lower ones as well: an improvement is kept.
 */
export function expectSpent<Name extends string>(budget: Budget<Name>, spent: Readonly<Record<Name, number>>): void {
  const names = Object.keys(budget) as Name[]
  const allowed = Object.fromEntries(names.map(name => [name, budget[name].is]))
  expect<Record<string, number>>(spent).toEqual(allowed)
}
