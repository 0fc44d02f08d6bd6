import { readFileSync } from 'node:fs'
import { userInfo } from 'node:os'

/** What Bun calls a user whose name the environment does not tell. */
const unnamed = 'unknown'

/**
 * The user of the machine that runs this process, for the audit, and who called it by sudo (`caller`). The machine's
 * own list of users counts: Bun takes the name from `USER`, which services and containers do not have, and which
 * everybody can set.
 */
export function osUser(caller: string | null): string {
  const user = processUser()
  return caller === null || caller === user || !userForm.test(caller) ? user : `${user} (sudo: ${caller})`
}

/**
 * As useradd takes names. What sudo says stands behind the user who surely ran it: who may be that user can set it too.
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

/** On systems that keep their users elsewhere. A container may run as a user that has no name. */
function environmentName(): string | null {
  try {
    const { username } = userInfo()
    return username === unnamed || username === '' ? null : username
  } catch {
    return null
  }
}
