/** @returns the path below which a proxy serves the gateway, `/waypost`; empty when it is the root. */
export const publicPath = (publicUrl: string | null): string =>
  publicUrl === null ? '' : new URL(publicUrl).pathname.replace(/\/+$/, '')
