/** @returns asks for readings: at most one each `pauseMs`, and none while one runs, as each would begin it anew */
export function paced(pauseMs: number) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let reading: Promise<unknown> | undefined
  let latest: () => Promise<unknown>
  return {
    ask(read: () => Promise<unknown>): void {
      latest = read
      timer ??= setTimeout(async () => {
        await reading
        timer = undefined
        reading = latest()
      }, pauseMs)
    },
    end(): void {
      clearTimeout(timer)
      timer = undefined
    },
  }
}
