import { readFileSync } from 'node:fs'
import { userInfo } from 'node:os'

/** Bun's name for a user when the environment has none. */
const unnamed = 'unknown'

/**
 * The system user that runs this process, for the audit, and the user who called it with sudo (`caller`). The name
 * comes from the system's own list of users: Bun takes it from `USER`, which services and containers lack, and which
 * anybody can set.
 */
export function osUser(caller: string | null): string {
  const user = processUser()
  return caller === null || caller === user || !userForm.test(caller) ? user : `${user} (sudo: ${caller})`
}

/**
 * Names that useradd accepts. The caller is only an addition to the verified user: anybody who may act as that user can
 * set it.
 */
const userForm = /^[\w][\w.@-]{0,31}$/

function processUser(): string {
  const uid = process.getuid?.()
  if (uid === undefined) return userInfo().username
  return listedName(uid) ?? environmentName() ?? `uid ${uid}`
}

function listedName(uid: number): string | null {
  try {
    const entries = readFileSync('/etc/passwd', 'utf8').split('\n')
    const fields = entries.map(entry => entry.split(':')).find(([, , id]) => id === String(uid))
    return fields?.[0] || null
  } catch {
    return null
  }
}

/** For systems that keep their users elsewhere. A container may run as a user without a name. */
function environmentName(): string | null {
  try {
    const { username } = userInfo()
    return username === unnamed || username === '' ? null : username
  } catch {
    return null
  }
}
