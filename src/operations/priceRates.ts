import { Type } from '../base/schema.ts'
import { type Actor, type Refused, unknown, wrongField } from './act.ts'
import { readRates } from './ratesFile.ts'

/** A table of rates: every category in every country has some 3,000 lines of 30 characters. */
export const ratesFileField = Type.String({ minLength: 1, maxLength: 100_000 })

/**
 * Keeps a table of rates for estimates, in place of that of before.
 * @param file as `waypost costs --rates` reads it (docs/commands.md#costs); null: there are none from now on
 */
export async function setPriceRates(
  { write, clock }: Pick<Actor, 'write' | 'clock'>,
  workspaceId: string,
  file: string | null,
): Promise<{ readonly count: number } | Refused> {
  const read = file === null ? null : readRates(file)
  if (read?.problem) return wrongField('/file', read.problem)
  const rates = read?.rates ?? null
  const isThere = await write.setPriceRates({ workspaceId, rates, at: clock.now() })
  return isThere ? { count: rates?.length ?? 0 } : unknown('workspace', workspaceId)
}
