import { Pieces } from './pieces.ts'

/**
 * Reads the answer of a stranger up to a limit: one without an end is left where the limit is. How long it may take is
 * the signal of its request.
 * @returns null: it is longer, or comes in pieces that are too small
 * @throws what its request is ended by
 */
export async function answerText({ body }: Response, bytesMax: number): Promise<string | null> {
  const pieces = new Pieces()
  // Leaving the loop closes the connection.
  for await (const piece of body ?? []) {
    pieces.add(piece)
    if (pieces.bytes > bytesMax || pieces.areTooSmall) return null
  }
  return new TextDecoder().decode(pieces.joined())
}
