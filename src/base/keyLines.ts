/**
 * @param key the lines that a key is limited to; null: all of its workspace
 * @param lineId of its workspace; null: what came to no line that is known
 * @returns whether it may send from the line, and see what belongs to it (docs/partner-api.md#scopes)
 */
export const lineIsAllowed = (
  { lineIds }: { readonly lineIds: readonly string[] | null },
  lineId: string | null,
): boolean => lineIds === null || (lineId !== null && lineIds.includes(lineId))
