/** @returns an id as the upstream makes them: of the same message with another peer, the same token in another text */
export function wamid(peer: string, token: string, direction: 'business' | 'user' = 'business'): string {
  const field = (text: string) => [0x18, text.length, ...Buffer.from(text, 'latin1')]
  const bytes = [0x1c, ...field(peer), 0x15, 0x02, 0x00, direction === 'business' ? 0x11 : 0x12, ...field(token), 0x00]
  return `wamid.${Buffer.from(bytes).toString('base64')}`
}

/** The same person as the upstream may name it: two spellings of the number, and the user id. */
export const peers = ['5511987654321', '551187654321', 'BR.13491208655302741918'] as const
export const ownToken = 'A5B2C3D4E5F6A7B8C9'
export const userToken = 'C6B2C3D4E5F6A7B8C9D0'
