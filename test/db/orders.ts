/** Something that comes in any order with others. */
export type Step = () => Promise<unknown>

/** Every order of so many. */
export const ordersOf = (count: number): number[][] =>
  count === 0
    ? [[]]
    : ordersOf(count - 1).flatMap(order =>
        Array.from({ length: count }, (_, at) => [...order.slice(0, at), count - 1, ...order.slice(at)]),
      )

export async function inOrder(steps: readonly Step[], order: readonly number[]): Promise<void> {
  for (const at of order) await steps[at]?.()
}
