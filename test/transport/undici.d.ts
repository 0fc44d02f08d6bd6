declare module 'undici/lib/util/timers.js' {
  export function tick(delayMs: number): void
}
