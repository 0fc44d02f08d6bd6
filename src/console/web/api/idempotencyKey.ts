/** @returns a new key, for one send. `randomUUID` exists only with TLS or on the own machine. */
export const newIdempotencyKey = () =>
  [...crypto.getRandomValues(new Uint8Array(16))].map(byte => byte.toString(16).padStart(2, '0')).join('')
