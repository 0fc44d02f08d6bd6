/** @returns a username as people write it: with its `@`, which is not stored */
export const atUsername = (username: string | null): string | null => (username === null ? null : `@${username}`)
